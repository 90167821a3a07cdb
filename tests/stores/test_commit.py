"""The commit on a home: everything or nothing, exactly what was planned, and nobody else's work lost."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from curator_tui.core.changes import Change, View
from curator_tui.core.endings import Ending
from curator_tui.core.errors import Locked, NoStore, Unfinished, WriteFailed
from curator_tui.core.ledger import item_name
from curator_tui.core.requests import Request, Verb
from curator_tui.stores.book.book import Book
from curator_tui.stores.hermes.store import HermesStore
from tests.stores.consistency import check, state_of
from tests.stores.failures import armed
from tests.stores.homes import (
    MEMORY,
    USER,
    add_record,
    added,
    correct,
    decide,
    deleted,
    documents,
    make_home,
    open_store,
    planned,
    reopen,
    stamp,
    waiting,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return make_home(tmp_path / "home")


@pytest.fixture
def store(home: Path) -> Iterator[HermesStore]:
    opened = open_store(home)
    yield opened
    opened.close()
    assert check(home, outside=True) == []


def memory_file(home: Path) -> Path:
    return home / "memories" / "MEMORY.md"


def test_looking_writes_nothing(store: HermesStore, home: Path) -> None:
    before = sorted((root, sorted(files)) for root, _, files in os.walk(home))
    store.snapshot()
    store.facts()
    store.queue.refresh()
    store.backups()
    store.check()
    store.peek(decide("look", ["item0", "gone"]))
    store.peek(replace(correct("look"), backup="20261130T000000Z-none", reverts="none"))
    assert sorted((root, sorted(files)) for root, _, files in os.walk(home)) == before


def test_mode_and_owner_of_the_old_file_are_kept(store: HermesStore, home: Path) -> None:
    memory_file(home).chmod(0o640)
    if os.geteuid() == 0:
        os.chown(memory_file(home), 4321, 4322)
    store.transact(correct("one"), planned({MEMORY: added("x")}))
    status = memory_file(home).stat()
    assert stat.S_IMODE(status.st_mode) == 0o640
    if os.geteuid() == 0:
        assert (status.st_uid, status.st_gid) == (4321, 4322)


def test_a_new_document_is_private_also_under_a_wide_umask(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", memory=None)
    old = os.umask(0)
    store = open_store(home)
    store.transact(correct("one"), planned({MEMORY: added("x")}))
    store.transact(decide("two", ["item0"], Verb.REJECT), planned())
    store.transact(reopen("three", ["item0"]), planned())
    store.close()
    os.umask(old)
    assert stat.S_IMODE(memory_file(home).stat().st_mode) == 0o600
    for root, _, files in os.walk(home):
        ours = [name for name in files if name not in {"item1.json", "item2.json", "config.yaml", "USER.md"}]
        assert all(stat.S_IMODE(os.stat(os.path.join(root, name)).st_mode) == 0o600 for name in ours), root


def test_a_home_without_folders_gets_them(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.yaml").write_text("")
    store = open_store(home)
    assert store.transact(correct("one"), planned({MEMORY: added("x")})).change
    store.close()
    assert memory_file(home).read_bytes() == b"x"
    assert check(home) == []


def test_a_linked_document_stays_a_link(store: HermesStore, home: Path) -> None:
    (home / "kept").mkdir()
    memory_file(home).rename(home / "kept" / "notes.md")
    memory_file(home).symlink_to("../kept/notes.md")
    store.transact(correct("one"), planned({MEMORY: added("x")}))
    assert memory_file(home).is_symlink()
    assert (home / "kept" / "notes.md").read_bytes() == "one\n§\nx".encode()
    with armed("begun=eio"), pytest.raises(WriteFailed):
        store.transact(correct("two"), planned({MEMORY: added("y")}))
    assert os.listdir(home / "kept") == ["notes.md"]
    store.transact(correct("three"), planned({MEMORY: deleted}))
    assert not (home / "kept" / "notes.md").exists()


def test_a_record_changed_meanwhile_stays_and_is_told(store: HermesStore, home: Path) -> None:
    plan = planned({MEMORY: added("fact 0")})

    def meanwhile(view: View, request: Request) -> Change:
        change = plan(view, request)
        add_record(home, "item0", "another fact under the same name")
        return change

    receipt = store.transact(decide("approve", ["item0"]), meanwhile)
    assert "item0.json" in waiting(home)
    assert receipt.notes == ("the record of item0 was changed meanwhile, so it stays in the queue",)
    assert store.transact(decide("approve", ["item0"]), plan) == receipt


def test_a_record_that_is_a_folder_is_refused_before_anything_happens(store: HermesStore, home: Path) -> None:
    (home / "pending" / "memory" / "odd.json").mkdir()
    before = documents(home)
    with pytest.raises(WriteFailed, match="is a folder"):
        store.transact(decide("reject", ["odd"], Verb.REJECT), lambda view, request: _closing(view, request, "odd"))
    assert documents(home) == before


def _closing(view: View, request: Request, item: str) -> Change:
    from curator_tui.core.changes import Closed

    change = planned()(view, replace(request, decisions=()))
    digest = view.waiting[item].proposal.digest
    row = {**change.rows[0], "decisions": [{"proposal": item_name(item), "decision": "reject"}]}
    return replace(change, rows=(row,), closed=(Closed(item, digest, Ending.REJECT, None),))


def test_a_pipe_in_the_queue_can_be_rejected(store: HermesStore, home: Path) -> None:
    os.mkfifo(home / "pending" / "memory" / "pipe.json")
    store.transact(decide("reject", ["pipe"], Verb.REJECT), lambda view, request: _closing(view, request, "pipe"))
    assert "pipe.json" not in os.listdir(home / "pending" / "memory")


def test_a_record_with_an_odd_name_is_closed_and_comes_back(store: HermesStore, home: Path) -> None:
    folder = home / "pending" / "memory"
    (folder / "item0.json").rename(folder / "an odd name.json")
    store.queue.refresh()
    item = next(name for name in store.queue.ids() if name.startswith("x-"))
    raw = (folder / "an odd name.json").read_bytes()
    store.transact(decide("approve", [item]), planned({MEMORY: added("fact 0")}))
    assert "an odd name.json" not in os.listdir(folder)
    store.transact(reopen("reopen", [item]), planned())
    assert (folder / f"{item}.json").read_bytes() == raw
    store.transact(decide("again", [item], Verb.REJECT), planned())
    assert f"{item}.json" not in os.listdir(folder)


def test_a_returned_record_is_the_same_file_and_never_overwrites(store: HermesStore, home: Path) -> None:
    raw = waiting(home)["item0.json"]
    store.transact(decide("reject", ["item0"], Verb.REJECT), planned())
    add_record(home, "item0", "a stranger")
    assert store.peek(reopen("look", ["item0"])).occupied.keys() == {"item0"}
    (home / "pending" / "memory" / "item0.json").unlink()
    plan = planned()

    def meanwhile(view: View, request: Request) -> Change:
        change = plan(view, request)
        add_record(home, "item0", "a stranger")
        return change

    receipt = store.transact(reopen("reopen", ["item0"]), meanwhile)
    assert b"a stranger" in waiting(home)["item0.json"]
    assert receipt.notes == ("item0 cannot come back: another record waits under that id",)
    assert receipt.returned == ()
    assert store.book.decided(["item0"])["item0"].raw == raw
    assert "decisions" not in store.book.rows()[-1].row or store.book.rows()[-1].row["decisions"] == []
    (home / "pending" / "memory" / "item0.json").unlink()
    store.transact(reopen("once more", ["item0"]), planned())
    assert waiting(home)["item0.json"] == raw
    store.transact(decide("one", ["item1"], Verb.REJECT), planned())
    store.transact(reopen("two", ["item1"]), planned())
    assert waiting(home)["item1.json"] != raw
    assert store.book.decided(["item1"]) == {}


def test_a_writer_without_a_lock_is_not_overwritten(store: HermesStore, home: Path) -> None:
    plan = planned({MEMORY: added("x")})
    theirs = [b"theirs 1", b"theirs 2"]

    def meanwhile(view: View, request: Request) -> Change:
        change = plan(view, request)
        if theirs:
            memory_file(home).write_bytes(theirs.pop(0))
        return change

    assert store.transact(correct("one"), meanwhile).change
    assert memory_file(home).read_bytes() == "theirs 2\n§\nx".encode()
    assert len(store.book.rows()) == 1
    theirs += [b"theirs 3", b"theirs 4", b"theirs 5"]
    with pytest.raises(WriteFailed, match="nothing was changed"):
        store.transact(correct("two"), meanwhile)
    assert memory_file(home).read_bytes() == b"theirs 5"


def test_an_undoing_that_fails_too_is_left_to_the_next_start(store: HermesStore, home: Path) -> None:
    plan = planned({MEMORY: added("x")})
    theirs = [b"theirs"]

    def meanwhile(view: View, request: Request) -> Change:
        change = plan(view, request)
        if theirs:
            memory_file(home).write_bytes(theirs.pop())
        return change

    with armed("images_withdrawn:*=eio"), pytest.raises(WriteFailed, match="at the same moment"):
        store.transact(correct("one"), meanwhile)
    assert memory_file(home).read_bytes() == b"theirs"
    assert store.book.recovery_pending()
    assert store.transact(correct("one"), meanwhile).change
    assert memory_file(home).read_bytes() == "theirs\n§\nx".encode()
    assert check(home) == []


def test_only_what_touches_documents_waits_for_hermes(home: Path) -> None:
    store = open_store(home, wait=0.05)
    fd = os.open(home / "memories" / "USER.md.lock", os.O_RDWR | os.O_CREAT, 0o644)
    fcntl.flock(fd, fcntl.LOCK_EX)
    assert store.transact(decide("reject", ["item0"], Verb.REJECT), planned()).change
    before = documents(home)
    with pytest.raises(Locked, match="Hermes Agent or another program"):
        store.transact(decide("approve", ["item1"]), planned({USER: added("fact 1")}))
    assert documents(home) == before
    os.close(fd)
    assert store.transact(decide("approve", ["item1"]), planned({USER: added("fact 1")})).change
    store.close()
    assert check(home) == []


def test_a_second_curator_is_told_who_works(home: Path) -> None:
    store, other = open_store(home), open_store(home, wait=0.05)

    def meanwhile(view: View, request: Request) -> Change:
        with pytest.raises(Locked, match=r"curator-tui \(process \d+, correct\)"):
            other.transact(decide("reject", ["item0"], Verb.REJECT), planned())
        return planned({MEMORY: added("x")})(view, request)

    store.transact(correct("one"), meanwhile)
    assert other.transact(decide("reject", ["item0"], Verb.REJECT), planned()).change
    store.close()
    other.close()


def test_what_cannot_be_finished_says_so_and_the_next_start_finishes_it(home: Path) -> None:
    store = open_store(home)
    with armed("queue_synced:*=eio"), pytest.raises(Unfinished) as caught:
        store.transact(decide("approve", ["item0"]), planned({MEMORY: added("fact 0")}))
    assert caught.value.exit_code == 3
    assert caught.value.way_out
    assert store.book.recovery_pending()
    with armed("queue_synced:*=eio"), pytest.raises(Unfinished, match="interrupted change could not be finished"):
        store.transact(decide("other", ["item1"], Verb.REJECT), planned())
    receipt = store.transact(decide("other", ["item1"], Verb.REJECT), planned())
    assert receipt.recovered
    assert [row.row.get("recovered") for row in store.book.rows()] == [True, None]
    assert documents(home)["MEMORY.md"] == "one\n§\nfact 0".encode()
    assert list(waiting(home)) == ["item2.json"]
    again = store.transact(decide("approve", ["item0"]), planned({MEMORY: added("fact 0")}))
    assert again.recovered
    assert again.change == stamp("approve").change
    store.close()
    assert check(home) == []


def test_a_disk_error_that_lasts_leaves_everything_as_it_was(home: Path) -> None:
    store = open_store(home)
    before = state_of(home)
    for point in ("document_written", "prepared", "image_file_written"):
        with armed(f"{point}:*=enospc"), pytest.raises(WriteFailed, match="nothing was changed") as caught:
            store.transact(decide("approve", ["item0"]), planned({MEMORY: added("fact 0")}))
        assert "No space left" in caught.value.message
        assert state_of(home) == before
        assert check(home) == []
    store.close()


def test_a_document_that_cannot_be_replaced_is_named_with_mode_and_owner(
    store: HermesStore, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.transact(correct("setup"), planned({USER: added("x")}))
    memory_file(home).chmod(0o640)
    monkeypatch.setattr(os, "fchmod", lambda fd, mode: (_ for _ in ()).throw(PermissionError(1, "no")))
    with pytest.raises(WriteFailed) as caught:
        store.transact(correct("one"), planned({MEMORY: added("x")}))
    monkeypatch.undo()
    assert str(memory_file(home)) in caught.value.message
    assert f"mode 0640, owner {memory_file(home).owner()}" in caught.value.message


@pytest.mark.parametrize("name", ["one transaction", "behind the commit point"])
def test_what_was_stored_although_it_reported_a_failure_is_on_disk_before_success(
    store: HermesStore, home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A sync of the log that failed is no proof of anything, so nothing is left in the log."""
    finish, log = Book.finish, home / "curator-tui" / "book.sqlite-wal"
    store.transact(correct("setup"), planned({MEMORY: added("set up")}))
    assert store.book.rows()  # whoever reads keeps the log from being folded by the mere closing of the book

    def reports_failure(self: Book, *parts: Any, **more: Any) -> None:
        finish(self, *parts, **more)
        assert log.stat().st_size > 0
        raise WriteFailed("the sync failed")

    monkeypatch.setattr(Book, "finish", reports_failure)
    edits = {} if name == "one transaction" else {MEMORY: added("new")}
    receipt = store.transact(correct("new"), planned(edits))
    assert (receipt.change, receipt.done) == (stamp("new").change, True)
    assert log.stat().st_size == 0
    assert [row.row["change"] for row in store.book.rows()][-1] == receipt.change


def test_an_interrupt_is_left_to_the_next_start(
    store: HermesStore, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    for place in ("swap", "aftermath"):
        monkeypatch.setattr(f"curator_tui.stores.hermes.writer.{place}", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.transact(correct(place), planned({MEMORY: added(place)}))
        monkeypatch.undo()
        assert store.transact(correct(f"after {place}"), planned({USER: added(place)})).change
        assert check(home) == []
    assert b"aftermath" in memory_file(home).read_bytes()
    assert b"swap" not in memory_file(home).read_bytes()


def test_a_home_that_was_replaced_while_open_is_refused(home: Path, tmp_path: Path) -> None:
    store = open_store(home)
    store.transact(correct("one"), planned({MEMORY: added("x")}))
    home.rename(tmp_path / "moved")
    make_home(home)
    with pytest.raises(NoStore, match="moved or replaced"):
        store.transact(correct("two"), planned({MEMORY: added("y")}))
    assert memory_file(home).read_bytes() == b"one"
    store.close()
    store = open_store(tmp_path / "moved")
    assert store.transact(correct("two"), planned({MEMORY: added("y")})).change
    store.close()


def test_a_book_that_was_removed_while_open_is_made_anew(store: HermesStore, home: Path) -> None:
    store.transact(correct("one"), planned({MEMORY: added("x")}))
    for name in ("book.sqlite", "book.sqlite-wal", "book.sqlite-shm"):
        (home / "curator-tui" / name).unlink()
    assert store.transact(correct("two"), planned({MEMORY: added("y")})).change
    store.close()
    fresh = open_store(home)
    assert len(fresh.book.rows()) == 1
    fresh.close()
