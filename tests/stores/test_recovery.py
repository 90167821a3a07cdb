"""Recovery: whoever is killed wherever, the home is whole again, and nobody else's work is lost."""

from __future__ import annotations

import fcntl
import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from curator_tui.core.accounts import account_problems
from curator_tui.core.errors import Locked, Unfinished
from curator_tui.core.ledger import item_name
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.requests import Kind, Request, Verb
from curator_tui.stores.book.accounts import accounts
from curator_tui.stores.port import Mended
from tests.stores.consistency import check, leftovers, state_of
from tests.stores.failures import all_points, armed, killed_at, points_of
from tests.stores.homes import (
    MEMORY,
    USER,
    added,
    copy_home,
    correct,
    decide,
    documents,
    make_home,
    mend,
    open_store,
    planned,
    stamp,
    waiting,
)
from tests.stores.operations import BEFORE, REAL, RUN, recover_only

# Passed only by a recovery; the tests below go through each of them.
_RECOVERY = {
    "recovery_abandoned",
    "recovery_aftermath_done",
    "recovery_documents_done",
    "recovery_finished",
    "recovery_judged",
    "recovery_renamed",
    "recovery_rewritten",
    "images_withdrawn",
    "sweeping",
}
# Passed only by moving a memory; ``test_moving`` kills at each of them.
_MOVING = {"parcel_written", "part_loaded", "book_loaded", "line_written", "file_written"}


_SLOW = pytest.mark.slow
_LONG = ("plan", "delete", "returning")
_LONG_REAL = tuple(name for name in REAL if name != "rollback by the core")


def plan_killed_at(spec: str, home: Path) -> None:
    """Begin the plan for both documents on a used home and die."""
    BEFORE["plan"](home)
    assert killed_at(f"{spec}=kill", RUN["plan"], home)


def item_ids(home: Path) -> list[str]:
    return [name.removesuffix(".json") for name in waiting(home)]


def test_every_point_is_passed_by_some_test(tmp_path: Path) -> None:
    passed: set[str] = set()
    for number, name in enumerate(RUN):
        BEFORE[name](tmp_path / str(number))
        passed |= {point.partition(":")[0] for point in points_of(RUN[name], tmp_path / str(number))}
    assert passed | _RECOVERY | _MOVING == set(all_points("", "book", "hermes"))


@pytest.mark.parametrize("name", ["approve", "reject", *(pytest.param(name, marks=_SLOW) for name in _LONG)])
def test_recovery_killed_at_every_point(tmp_path: Path, name: str) -> None:
    source = tmp_path / "source"
    BEFORE[name](source)
    reference = copy_home(source, tmp_path / "reference")
    commit_points = points_of(RUN[name], reference)
    new = state_of(reference)
    count = 0
    for first in commit_points:
        dead = copy_home(source, tmp_path / f"dead-{first}")
        assert killed_at(f"{first}=kill", RUN[name], dead)
        for second in points_of(recover_only, copy_home(dead, tmp_path / f"trial-{first}")):
            home = copy_home(dead, tmp_path / f"home-{first}-{second}")
            assert killed_at(f"{second}=kill", recover_only, home), (first, second)
            assert check(home) == [], (first, second)
            RUN[name](home)
            assert state_of(home) == new, (first, second)
            count += 1
    assert count > len(commit_points)
    print(f"{name}: {count} of {count} kills inside recovery")


def test_before_the_first_rename_another_program_keeps_what_it_wrote(tmp_path: Path) -> None:
    plan_killed_at("begun", tmp_path)
    memory = tmp_path / "memories" / "MEMORY.md"
    memory.write_bytes(b"theirs")
    assert check(tmp_path, outside=True) == []
    assert memory.read_bytes() == b"theirs"
    assert item_ids(tmp_path) == ["item0", "item1", "item2"]
    store = open_store(tmp_path)
    assert len(store.book.rows()) == 1
    assert store.backups()[0][0].files[MEMORY] == b"one"
    assert len(store.backups()[0]) == 1
    store.close()


def test_a_renamed_document_that_another_program_wrote_again_stays_theirs(tmp_path: Path) -> None:
    plan_killed_at("documents_synced", tmp_path)
    memory = tmp_path / "memories" / "MEMORY.md"
    ours = memory.read_bytes()
    memory.write_bytes(ours + b" and theirs")
    assert check(tmp_path, outside=True) == []
    assert memory.read_bytes() == ours + b" and theirs"
    assert item_ids(tmp_path) == []
    store = open_store(tmp_path)
    assert store.book.known()[MEMORY] == ours
    assert store.book.rows()[-1].row["recovered"] is True
    assert "partly" not in store.book.rows()[-1].row
    store.close()


def test_the_rest_is_renamed_when_nobody_wrote(tmp_path: Path) -> None:
    plan_killed_at("document_renamed:1", tmp_path)
    assert b"fact 0 and 2" in (documents(tmp_path)["MEMORY.md"] or b"")
    assert b"fact 1" not in (documents(tmp_path)["USER.md"] or b"")
    assert check(tmp_path) == []
    assert b"fact 1" in (documents(tmp_path)["USER.md"] or b"")
    assert item_ids(tmp_path) == []


def test_a_document_that_was_written_before_our_rename_is_given_up(tmp_path: Path) -> None:
    plan_killed_at("document_renamed:1", tmp_path)
    user = tmp_path / "memories" / "USER.md"
    user.write_bytes(b"theirs")
    assert check(tmp_path, outside=True) == []
    assert user.read_bytes() == b"theirs"
    assert b"fact 0 and 2" in (documents(tmp_path)["MEMORY.md"] or b"")
    assert item_ids(tmp_path) == ["item1"]
    store = open_store(tmp_path)
    row = store.book.rows()[-1].row
    assert row["partly"] == ["user"]
    assert row["recovered"] is True
    assert set(row["documents"]) == {"memory"}
    assert [part["proposal"] for part in row["decisions"]] == [item_name("item0"), item_name("item2")]
    assert store.book.known()[USER] == "who\n§\nset up".encode()
    assert set(store.book.changes()[0].after) == {MEMORY}
    assert set(store.book.decided(["item0", "item1", "item2"])) == {"item0", "item2"}
    receipt = store.transact(decide("plan", ["item0", "item1", "item2"]), planned())
    assert receipt.recovered
    assert {part.id for part in receipt.applied} == {"item0", "item2"}
    assert [(part.id, part.state, part.code) for part in receipt.not_applied] == [("item1", "moved", "partly-applied")]
    assert not receipt.done
    assert store.transact(decide("later", ["item1"]), planned({USER: added("fact 1")})).change
    store.close()
    assert check(tmp_path) == []


def test_a_document_that_a_change_wrote_as_it_was_was_not_put_back(tmp_path: Path) -> None:
    """Its bytes are those of before, and nobody else wrote them."""
    make_home(tmp_path)
    edits = {MEMORY: added("fact 0"), USER: lambda raw: raw}

    def both(home: Path) -> None:
        with closing(open_store(home)) as store:
            store.transact(decide("both", ["item0", "item1"]), planned(edits))

    assert killed_at("documents_synced=kill", both, tmp_path)
    assert check(tmp_path) == []
    assert item_ids(tmp_path) == ["item2"]
    with closing(open_store(tmp_path)) as store:
        assert "partly" not in (store.book.rows()[-1].row or {})


def test_what_was_undone_in_one_document_only_stays_in_force_and_can_be_undone_again(tmp_path: Path) -> None:
    make_home(tmp_path, memory=b"one", user=b"who")
    store = open_store(tmp_path)
    done = store.transact(decide("both", ["item0", "item1"]), core_plan)
    store.close()
    asked = Request(stamp("undo"), Kind.UNDO, reverts=done.change)

    def undo(home: Path) -> None:
        with closing(open_store(home)) as opened:
            opened.transact(asked, core_plan)

    assert killed_at("document_renamed:1=kill", undo, tmp_path)
    user = tmp_path / "memories" / "USER.md"
    user.write_bytes((documents(tmp_path)["USER.md"] or b"") + "\n§\ntheirs".encode())
    assert check(tmp_path, outside=True) == []
    with closing(open_store(tmp_path)) as store:
        assert store.book.rows()[-1].row["partly"] == ["user"]
        change = store.book.change(done.change or "")
        assert change is not None
        assert change.undone_by is None
        assert list(account_problems(*accounts(store.book))) == []
        again = store.transact(Request(stamp("again"), Kind.UNDO, reverts=done.change), core_plan)
        assert (again.change is not None, again.undoes) == (True, (done.change,))
    assert documents(tmp_path) == {"MEMORY.md": b"one", "USER.md": "who\n§\ntheirs".encode()}


def test_recovery_after_a_given_up_document_may_die_too(tmp_path: Path) -> None:
    points = ("recovery_documents_done", "record_closed", "recovery_aftermath_done", "recovery_finished")
    for number, point in enumerate(points):
        home = tmp_path / str(number)
        plan_killed_at("document_renamed:1", home)
        (home / "memories" / "USER.md").write_bytes(b"theirs")
        assert killed_at(f"{point}=kill", recover_only, home)
        assert check(home, outside=True) == []
        assert item_ids(home) == ["item1"]
        assert (home / "memories" / "USER.md").read_bytes() == b"theirs"


def test_a_writer_in_the_middle_of_our_renames_is_given_way_inline(tmp_path: Path) -> None:
    BEFORE["plan"](tmp_path)
    user = tmp_path / "memories" / "USER.md"
    child = os.fork()
    if child == 0:
        with armed("document_renamed:1=stop"):
            receipt = RUN["plan"](tmp_path)
        os._exit(0 if receipt.recovered and not receipt.done else 1)
    os.waitpid(child, os.WUNTRACED)
    user.write_bytes(b"theirs")
    os.kill(child, signal.SIGCONT)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert user.read_bytes() == b"theirs"
    assert item_ids(tmp_path) == ["item1"]
    assert check(tmp_path, outside=True) == []


def test_the_same_operation_after_a_crash_gets_its_first_answer(tmp_path: Path) -> None:
    plan_killed_at("queue_synced", tmp_path)
    store = open_store(tmp_path)
    receipt = store.transact(decide("plan", ["item0", "item1", "item2"]), planned())
    assert receipt.recovered
    assert {part.id for part in receipt.applied} == {"item0", "item1", "item2"}
    assert len(store.book.rows()) == 2
    store.close()


def test_readers_say_it_and_leave_it(tmp_path: Path) -> None:
    plan_killed_at("document_renamed:1", tmp_path)
    before = documents(tmp_path), waiting(tmp_path), sorted(os.listdir(tmp_path / "memories"))
    store = open_store(tmp_path)
    assert store.book.recovery_pending()
    assert [problem.code for problem in store.check()] == ["recovery-pending"]
    store.snapshot()
    store.peek(decide("look", ["item0"]))
    store.close()
    assert (documents(tmp_path), waiting(tmp_path), sorted(os.listdir(tmp_path / "memories"))) == before


def test_recovery_waits_for_hermes_and_says_so(tmp_path: Path) -> None:
    plan_killed_at("document_renamed:1", tmp_path)
    fd = os.open(tmp_path / "memories" / "USER.md.lock", os.O_RDWR)
    fcntl.flock(fd, fcntl.LOCK_EX)
    store = open_store(tmp_path, wait=0.05)
    with pytest.raises(Locked, match=r"USER\.md\.lock"):
        mend(store)
    with pytest.raises(Locked):
        store.transact(decide("other", ["item2"], Verb.REJECT), planned())
    os.close(fd)
    assert mend(store).interrupted
    store.close()
    assert check(tmp_path) == []


def test_leftovers_of_the_dead_are_removed_and_a_live_writer_is_not_disturbed(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    child = os.fork()
    if child == 0:
        store = open_store(home)
        with armed("prepared=stop"):
            store.transact(decide("approve", ["item0"]), planned({MEMORY: added("fact 0")}))
        store.close()
        os._exit(0)
    os.waitpid(child, os.WUNTRACED)
    began = leftovers(home)
    assert len(began) == 2
    other = open_store(home, wait=0.05)
    with pytest.raises(Locked):
        mend(other)
    other.close()
    assert leftovers(home) == began
    os.kill(child, signal.SIGCONT)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert check(home) == []
    assert killed_at("prepared=kill", _approve_again, home)
    assert len(leftovers(home)) == 2
    assert check(home) == []


def _approve_again(path: Path) -> None:
    store = open_store(path)
    store.transact(decide("again", ["item2"]), planned({MEMORY: added("fact 2")}))
    store.close()


def test_a_stranger_in_an_unfinished_backup_keeps_nobody_from_working(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    strange = home / "memories" / "backups" / "20261130T000000Z-abc.part" / "folder"
    strange.mkdir(parents=True)
    (home / "memories" / "backups" / "mine.part").mkdir()
    ours = home / "memories" / "backups" / "20261130T000001Z-def.part"
    ours.mkdir()
    store = open_store(home)
    assert store.transact(correct("one"), planned({MEMORY: added("x")})).change
    assert mend(store) == Mended()
    store.close()
    assert strange.is_dir()
    assert (home / "memories" / "backups" / "mine.part").is_dir()
    assert not ours.exists(), "what can be removed is, whatever stands beside it"


def test_a_backup_removed_while_we_were_dead_is_told(tmp_path: Path) -> None:
    plan_killed_at("documents_synced", tmp_path)
    backups = tmp_path / "memories" / "backups"
    part = next(path for path in backups.iterdir() if path.name.endswith(stamp("plan").change))
    for file in part.iterdir():
        file.unlink()
    part.rmdir()
    store = open_store(tmp_path)
    receipt = store.transact(decide("plan", ["item0", "item1", "item2"]), planned())
    assert receipt.recovered
    assert receipt.notes == (f"the backup {receipt.backup} was removed by another program",)
    assert [problem.code for problem in store.check()] == ["backup-missing"]
    store.close()


def test_a_commit_whose_failure_nobody_could_tell_is_not_seen_later(tmp_path: Path) -> None:
    """A failed sync of the log may leave a whole transaction in it, which only a later reader would find."""
    BEFORE["approve"](tmp_path)
    store = open_store(tmp_path)
    before = documents(tmp_path)
    writer = store.writer.book()
    real = type(writer).begin

    def half(self: object, change: str, intent: str, texts: object) -> None:
        real(self, change, intent, texts)  # type: ignore[arg-type]
        raise OSError(5, "the sync failed")

    type(writer).begin = half  # type: ignore[method-assign,assignment]
    try:
        with pytest.raises(Exception, match="nothing was changed"):
            store.transact(decide("approve", ["item0"]), planned({MEMORY: added("fact 0")}))
    finally:
        type(writer).begin = real  # type: ignore[method-assign]
    assert not store.book.recovery_pending()
    assert documents(tmp_path) == before
    assert leftovers(tmp_path) == []
    store.close()
    assert check(tmp_path) == []


def test_recovery_is_quick(tmp_path: Path) -> None:
    plan_killed_at("document_renamed:1", tmp_path)
    store = open_store(tmp_path)
    began = time.perf_counter()
    assert mend(store).interrupted
    assert time.perf_counter() - began < 2
    assert not mend(store).interrupted
    store.close()


def test_a_request_may_follow_at_once(tmp_path: Path) -> None:
    plan_killed_at("begun", tmp_path)
    store = open_store(tmp_path)
    request = replace(correct("new"), decisions=())
    receipt = store.transact(request, planned({MEMORY: added("new")}))
    assert receipt.change
    assert not receipt.recovered, "an undone attempt is no finished change"
    store.close()
    assert check(tmp_path) == []


@pytest.mark.parametrize(
    "change",
    ["'garbage'", "'{}'", "'[]'", "json_set(body, '$.documents[0].target', 'nowhere')",
     "json_set(body, '$.documents[0].name', 7)", "json_set(body, '$.entry.kind', 'nothing')"],
)  # fmt: skip
def test_an_intent_that_is_damaged_is_named_and_nothing_is_guessed_from_it(tmp_path: Path, change: str) -> None:
    plan_killed_at("begun", tmp_path)
    before = (tmp_path / "memories" / "MEMORY.md").read_bytes()
    with closing(sqlite3.connect(tmp_path / "curator-tui" / "book.sqlite")) as connection, connection:
        connection.execute(f"UPDATE memory_intents SET body = {change}")
    store = open_store(tmp_path)
    with pytest.raises(Unfinished, match="what the book says of it is damaged"):
        mend(store)
    with pytest.raises(Unfinished, match="what the book says of it is damaged"):
        store.transact(correct("new"), planned({MEMORY: added("new")}))
    assert "recovery-pending" in {problem.code for problem in store.check()}
    store.close()
    assert (tmp_path / "memories" / "MEMORY.md").read_bytes() == before
