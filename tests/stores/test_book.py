"""The book: made once and marked, honest about durability, read without a trace, and aware of being copied."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from curator_tui.core.changes import Change, Receipt
from curator_tui.core.endings import Ending
from curator_tui.core.errors import NewerStore, Unreadable, WriteFailed
from curator_tui.core.requests import Actor, ActorKind, Kind, Pinned, Request
from curator_tui.stores.book import schema
from curator_tui.stores.book.book import Book, open_existing, open_reader
from curator_tui.stores.book.entries import entry_of
from curator_tui.stores.book.looking import ReadOnlyDb
from curator_tui.stores.book.receipts import receipt_bytes, receipt_from
from curator_tui.stores.hermes.intents import Intent
from curator_tui.stores.port import Interrupted, Mended
from curator_tui.stores.safe_files import Folder
from tests.stores.homes import (
    ME,
    MEMORY,
    USER,
    added,
    correct,
    decide,
    make_home,
    mend,
    open_store,
    planned,
    reopen,
    stamp,
    undone,
)
from tests.worlds import chain_problems


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return make_home(tmp_path / "home")


@pytest.fixture
def folder(home: Path) -> Iterator[Folder]:
    with Folder.open(home) as opened:
        yield opened


def files(home: Path) -> set[str]:
    return set(os.listdir(home / "curator-tui"))


def write_one(home: Path, name: str = "one") -> None:
    store = open_store(home)
    store.transact(correct(name), planned({MEMORY: added(name)}))
    store.close()


def test_a_store_looks_for_another_book_at_named_moments_only_and_for_a_first_one_always(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(home)
    assert store.book.rows() == []
    write_one(home)
    found = store.book
    assert found.head()[0] > 0, "another process made it"
    asked: list[str] = []
    monkeypatch.setattr(ReadOnlyDb, "all", lambda _, statement, **__: asked.append(statement))
    assert (store.book, store.book) == (found, found), "what is done between two looks is done with one book"
    assert asked == []
    store.close()


def test_after_a_change_of_our_own_its_book_is_read(home: Path) -> None:
    store = open_store(home)
    assert store.book.rows() == []
    store.transact(correct("one"), planned({MEMORY: added("one")}))
    assert store.book.rows() != []
    store.close()


def test_a_book_that_was_put_in_its_place_is_decided_on(home: Path, tmp_path: Path) -> None:
    write_one(home)
    shutil.copytree(home / "curator-tui", tmp_path / "older")
    store = open_store(home)
    store.transact(correct("two"), planned({MEMORY: added("two")}))
    assert len(store.book.rows()) == 2
    shutil.rmtree(home / "curator-tui")
    shutil.copytree(tmp_path / "older", home / "curator-tui")
    store.refresh()
    assert len(store.book.rows()) == 1, "and it is looked at"
    receipt = store.transact(correct("three"), planned({MEMORY: added("three")}))
    assert store.book.changes()[0].id == receipt.change
    assert len(store.book.changes()) == 2
    store.close()


def test_looking_creates_nothing(folder: Folder, home: Path) -> None:
    before = sorted(os.walk(home))
    reader = open_reader(folder)
    assert reader.head() == (0, "")
    assert reader.chain() == ""
    assert reader.rows() == []
    assert reader.changes() == []
    assert reader.known() == {}
    assert reader.decided(["item0"]) == {}
    assert reader.newest_undoable(ME) is None
    assert not reader.recovery_pending()
    reader.close()
    assert open_existing(folder) is None
    assert sorted(os.walk(home)) == before


def test_reading_a_resting_book_leaves_no_file_beside_it(folder: Folder, home: Path) -> None:
    write_one(home)
    assert files(home) == {"book.sqlite", "lock"}
    reader = open_existing(folder)
    assert reader is not None
    assert len(reader.rows()) == 1
    assert files(home) == {"book.sqlite", "lock"}
    reader.close()


def test_a_reader_sees_what_a_writer_commits_meanwhile(folder: Folder, home: Path) -> None:
    write_one(home)
    reader = open_reader(folder)
    assert len(reader.rows()) == 1
    store = open_store(home)
    for number in range(3):
        store.transact(correct(f"more {number}"), planned({MEMORY: added(f"more {number}")}))
        assert len(reader.rows()) == number + 2
    store.close()
    assert len(reader.rows()) == 4
    write_one(home, "last")
    assert len(reader.rows()) == 5
    reader.close()


def test_a_resting_file_that_changes_under_a_reader_is_read_again(folder: Folder, home: Path) -> None:
    write_one(home)
    reader = open_reader(folder)
    assert isinstance(reader.db, ReadOnlyDb)
    for number in range(5):
        write_one(home, f"again {number}")
        assert len(reader.rows()) == number + 2
    reader.close()


def test_readers_in_threads_take_turns(folder: Folder, home: Path) -> None:
    write_one(home)
    reader = open_reader(folder)
    seen: list[int] = []
    threads = [threading.Thread(target=lambda: seen.append(len(reader.rows()))) for _ in range(8)]
    for thread in threads:
        thread.start()
    write_one(home, "two")
    for thread in threads:
        thread.join()
    assert set(seen) <= {1, 2}
    assert len(seen) == 8


def test_the_file_is_private_marked_and_durable(folder: Folder, home: Path) -> None:
    old = os.umask(0)
    book = Book.open_for_writing(folder)
    book.settle()
    assert book.db.one("PRAGMA journal_mode") == ("wal",)
    assert book.db.one("PRAGMA synchronous") == (2,)
    assert book.db.one("PRAGMA application_id") == (schema.APPLICATION_ID,)
    assert book.db.one("PRAGMA user_version") == (schema.VERSION,)
    for name in os.listdir(home / "curator-tui"):
        assert stat.S_IMODE((home / "curator-tui" / name).stat().st_mode) == 0o600, name
    assert stat.S_IMODE((home / "curator-tui").stat().st_mode) == 0o700
    book.close()
    os.umask(old)
    assert files(home) == {"book.sqlite"}


def test_a_newer_book_is_refused_and_left_untouched(folder: Folder, home: Path) -> None:
    write_one(home)
    file = home / "curator-tui" / "book.sqlite"
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(NewerStore, match=f"version {schema.VERSION + 1}"):
        Book.open_for_writing(folder)
    with pytest.raises(NewerStore):
        open_existing(folder)
    store = open_store(home)
    with pytest.raises(NewerStore):
        store.transact(correct("two"), planned({MEMORY: added("two")}))
    store.close()
    assert file.read_bytes() == before
    assert (home / "memories" / "MEMORY.md").read_bytes() == b"one"


def test_an_older_book_is_upgraded_in_one_transaction(
    folder: Folder, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_one(home)
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    monkeypatch.setattr("curator_tui.stores.book.book.VERSION", schema.VERSION)
    steps = {schema.VERSION - 1: ("CREATE TABLE memory_extra (x)", "THIS IS NO STATEMENT")}
    monkeypatch.setattr("curator_tui.stores.book.book.UPGRADES", steps)
    reader = open_existing(folder)
    assert reader is not None
    assert len(reader.rows()) == 1
    reader.close()
    with pytest.raises(WriteFailed):
        Book.open_for_writing(folder)
    connection = sqlite3.connect(home / "curator-tui" / "book.sqlite")
    assert connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION - 1,)
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'memory_extra'").fetchone() == (0,)
    connection.close()
    steps[schema.VERSION - 1] = ("CREATE TABLE memory_extra (x)",)
    book = Book.open_for_writing(folder)
    assert len(book.rows()) == 1
    assert book.db.one("PRAGMA user_version") == (schema.VERSION,)
    book.close()


def test_another_programs_file_is_refused(folder: Folder, home: Path) -> None:
    (home / "curator-tui").mkdir()
    connection = sqlite3.connect(home / "curator-tui" / "book.sqlite")
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(Unreadable, match="another program"):
        Book.open_for_writing(folder)
    with pytest.raises(Unreadable, match="another program"):
        open_existing(folder)


def test_what_is_no_database_or_no_file_is_refused(folder: Folder, home: Path) -> None:
    (home / "curator-tui").mkdir()
    file = home / "curator-tui" / "book.sqlite"
    file.write_bytes(b"not a database, but long enough to look at" * 100)
    with pytest.raises(Unreadable, match="not a database"):
        Book.open_for_writing(folder)
    file.unlink()
    os.mkfifo(file)
    for opening in (Book.open_for_writing, open_existing):
        with pytest.raises(Unreadable, match="named pipe"):
            opening(folder)


def test_a_book_that_was_only_begun_is_made_anew(folder: Folder, home: Path) -> None:
    (home / "curator-tui").mkdir()
    (home / "curator-tui" / "book.sqlite").write_bytes(b"")
    assert open_existing(folder) is None
    book = Book.open_for_writing(folder)
    assert len(book.chain()) == 16
    book.close()


def test_a_file_system_without_a_safe_log_is_refused(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator_tui.stores.book.db import SqliteDb

    real = SqliteDb._setting
    monkeypatch.setattr(SqliteDb, "_setting", lambda self, name: "delete" if "=" in name else real(self, name))
    with pytest.raises(Unreadable, match="cannot keep a SQLite log safely"):
        Book.open_for_writing(folder)


def test_a_copied_home_begins_a_chain_of_its_own(home: Path, tmp_path: Path) -> None:
    write_one(home)
    with Folder.open(home) as folder:
        original = open_reader(folder)
        chain, head = original.chain(), original.head()
        original.close()
    shutil.copytree(home, tmp_path / "copy")
    store = open_store(tmp_path / "copy")
    assert mend(store) == Mended()
    assert store.book.chain() == chain, "nothing is written before somebody decides something"
    store.transact(correct("two"), planned({MEMORY: added("two")}))
    rows = store.book.rows()
    assert store.book.chain() != chain
    assert [row.row["action"] for row in rows] == ["correct", "copied", "correct"]
    assert rows[1].row["head"] == {"seq": head[0], "hash": head[1]}
    assert rows[1].row["chain"] == chain
    assert chain_problems(rows) == []
    assert [change.id for change in store.book.changes()] == [stamp("two").change, stamp("one").change]
    store.close()
    write_one(tmp_path / "copy", "three")
    store = open_store(tmp_path / "copy")
    assert [row.row["action"] for row in store.book.rows()].count("copied") == 1
    store.close()


def test_repair_drops_the_intent_of_a_copy_and_says_so(home: Path, tmp_path: Path) -> None:
    store = open_store(home)
    store.transact(correct("one"), planned({MEMORY: added("one more")}))
    store.writer.book().begin("abc", "{}", [])
    store.close()
    (home / "memories" / ".curator-tui-abc-memory.tmp").write_text("half")
    shutil.copytree(home, tmp_path / "copy")
    copy = open_store(tmp_path / "copy")
    assert copy.book.recovery_pending()
    assert mend(copy) == Mended(Interrupted.DROPPED, 1)
    assert not copy.book.recovery_pending()
    assert [row.row["action"] for row in copy.book.rows()] == ["correct", "copied"]
    assert not (tmp_path / "copy" / "memories" / ".curator-tui-abc-memory.tmp").exists()
    assert mend(copy) == Mended()
    copy.close()


def test_an_intent_does_not_survive_a_copy(home: Path, tmp_path: Path) -> None:
    store = open_store(home)
    store.transact(correct("one"), planned({MEMORY: added("one more")}))
    store.writer.book().begin("abc", "{}", [])
    store.close()
    shutil.copytree(home, tmp_path / "copy")
    copy = open_store(tmp_path / "copy")
    copy.transact(correct("two"), planned({MEMORY: added("two")}))
    assert not copy.book.recovery_pending()
    copy.close()


def test_a_moved_home_is_the_same_home(home: Path, tmp_path: Path) -> None:
    write_one(home)
    home.rename(tmp_path / "moved")
    store = open_store(tmp_path / "moved")
    store.transact(correct("two"), planned({MEMORY: added("two")}))
    assert [row.row["action"] for row in store.book.rows()] == ["correct", "correct"]
    store.close()


def test_the_stack_of_undo_and_redo(home: Path) -> None:
    store = open_store(home)
    other = Actor(ActorKind.POLICY, "rule", "library")
    first, second, undo = (stamp(name).change for name in ("first", "second", "undo"))
    store.transact(correct("first"), planned({MEMORY: added("first")}))
    store.transact(correct("second"), planned({MEMORY: added("second")}))
    store.transact(Request(stamp("policy", other), Kind.CORRECT), planned({USER: added("policy")}))
    assert store.book.newest_undoable(ME) == second
    assert store.book.newest_undoable(other) == stamp("policy").change
    assert store.book.newest_redoable(ME) is None
    take_back = Request(stamp("undo"), Kind.UNDO, reverts=second)
    store.transact(take_back, lambda view, request: undone(planned({MEMORY: added("x")})(view, request), second))
    assert store.book.newest_undoable(ME) == first
    assert store.book.newest_redoable(ME) == undo
    change = store.book.change(second)
    assert change is not None
    assert change.undone_by == undo
    redo = Request(stamp("redo"), Kind.REDO, reverts=undo)
    store.transact(
        redo,
        lambda view, request: replace(undone(planned({MEMORY: added("y")})(view, request), undo), restores=(second,)),
    )
    assert store.book.newest_undoable(ME) == second
    assert store.book.newest_redoable(ME) is None
    store.transact(correct("third"), planned({MEMORY: added("third")}))
    assert store.book.newest_redoable(ME) is None
    assert [found.id for found in store.book.changes_since(second)] == [
        second, stamp("policy").change, undo, stamp("redo").change, stamp("third").change,
    ]  # fmt: skip
    assert store.book.takebacks() == ((undo, (second,)), (stamp("redo").change, (undo,)))
    store.close()


def test_an_attempt_without_effect_is_nothing_to_undo(home: Path) -> None:
    store = open_store(home)
    store.transact(correct("first"), planned({MEMORY: added("first")}))
    store.transact(correct("refused"), planned())
    assert len(store.book.rows()) == 2
    assert store.book.newest_undoable(ME) == stamp("first").change
    store.close()


def test_past_changes_carry_what_a_revert_needs(home: Path) -> None:
    store = open_store(home)
    raw = (home / "pending" / "memory" / "item0.json").read_bytes()
    store.transact(decide("approve", ["item0"]), planned({MEMORY: added("fact 0")}))
    change = store.book.changes()[0]
    assert change.before == {MEMORY: b"one"}
    assert change.after == {MEMORY: "one\n§\nfact 0".encode()}
    assert [(found.proposal, found.ending, found.raw) for found in change.closed] == [("item0", "approve", raw)]
    assert change.closed[0].targets == (MEMORY,)
    assert store.book.decided(["item0", "item1"]).keys() == {"item0"}
    store.transact(reopen("reopen", ["item0"]), planned())
    assert store.book.decided(["item0"]) == {}
    assert [found.proposal for found in store.book.changes()[0].returned] == ["item0"]
    store.transact(decide("again", ["item0"]), planned({MEMORY: added("fact 0")}))
    assert store.book.decided(["item0"])["item0"].change == stamp("again").change
    store.close()


def test_a_change_is_read_without_what_others_put_off(home: Path) -> None:
    """A long list of deferrals is not gone through for each change; here it could not even be read."""
    with closing(open_store(home)) as store:
        for name in ("one", "two"):
            store.transact(correct(name), planned({MEMORY: added(name)}))
        one, two = (stamp(name).change for name in ("one", "two"))
        with closing(sqlite3.connect(home / "curator-tui" / "book.sqlite")) as db, db:
            db.execute("INSERT INTO memory_deferrals VALUES ('home', ?, 0, 'item0', 'a', 'later', 0)", (one,))
            db.execute("INSERT INTO memory_deferrals VALUES ('home', ?, 0, 'item1', 'b', x'ff', 0)", (two,))
        change = store.book.change(one)
        assert change is not None
        assert [found.until for found in change.asides.deferrals] == ["later"]
        with pytest.raises(Unreadable):
            store.book.change(two)


def test_the_same_record_brought_back_by_another_hand_can_be_decided_again(home: Path) -> None:
    file = home / "pending" / "memory" / "item0.json"
    raw = file.read_bytes()
    store = open_store(home)
    for name in ("one", "two"):
        file.write_bytes(raw)
        assert store.transact(decide(name, ["item0"]), planned({MEMORY: added("fact 0")})).change
        assert store.book.decided(["item0"])["item0"].change == stamp(name).change
    store.close()


def test_pins_hold_for_one_record_only(home: Path) -> None:
    store = open_store(home)
    pinned = Pinned("item0", "digest", {0: "the entry", 2: "another"})
    store.transact(
        Request(stamp("pins"), Kind.OBSERVE),
        lambda view, request: replace(planned()(view, request), pinned=(pinned,), rows=(), known={}),
    )
    assert store.book.pins({"item0": "digest"}) == {"item0": {0: "the entry", 2: "another"}}
    assert store.book.pins({"item0": "other", "item9": "digest"}) == {}
    assert store.book.pins({f"item{number}": "digest" for number in range(1200)}).keys() == {"item0"}
    assert store.book.rows() == []
    store.close()


def test_words_stand_in_texts_only(home: Path) -> None:
    store = open_store(home)
    secret = "Zanzibar-7781"
    (home / "memories" / "MEMORY.md").write_text(secret)
    file = home / "pending" / "memory" / "item0.json"
    file.write_text(file.read_text().replace("fact 0", f"fact {secret}"))
    store.transact(decide("approve", ["item0"]), planned({MEMORY: added(f"more {secret}")}))
    intents: list[str] = []
    writer = store.writer.book()
    begin = type(writer).begin

    def spy(self: Book, change: str, intent: str, texts: object) -> None:
        intents.append(intent)
        begin(self, change, intent, texts)  # type: ignore[arg-type]

    type(writer).begin = spy  # type: ignore[method-assign,assignment]
    try:
        store.transact(correct("two"), planned({MEMORY: added(f"even more {secret}")}))
    finally:
        type(writer).begin = begin  # type: ignore[method-assign]
    store.close()
    assert len(intents) == 1
    assert secret not in intents[0]
    connection = sqlite3.connect(home / "curator-tui" / "book.sqlite")
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found: set[tuple[str, str]] = set()
    for table in tables:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        for row in connection.execute(f"SELECT * FROM {table}"):
            for column, value in zip(columns, row, strict=True):
                if secret.encode() in (value if isinstance(value, bytes) else str(value).encode()):
                    found.add((table, column))
    connection.close()
    assert found == {("memory_texts", "body")}


def test_an_old_last_known_text_is_dropped_when_nothing_needs_it(home: Path) -> None:
    store = open_store(home)
    observe = Request(stamp("look"), Kind.OBSERVE)
    store.transact(observe, planned())
    assert store.book.known() == {MEMORY: b"one", USER: b"who"}
    (home / "memories" / "USER.md").write_bytes(b"somebody else")
    store.transact(Request(stamp("look again"), Kind.OBSERVE), planned())
    bodies = {row[0] for row in store.book.db.all("SELECT body FROM memory_texts WHERE kind = 'document'")}
    assert bodies == {b"one", b"somebody else"}
    store.close()


def test_receipts_survive_storing() -> None:
    from curator_tui.core.changes import Applied, MovedOn, NotApplied
    from curator_tui.core.documents import Presence, Standing

    sizes = {MEMORY: Standing(1, None, Presence.PRESENT), USER: Standing(None, 3, Presence.UNDECODABLE, "not UTF-8")}
    receipt = Receipt(
        "c", Kind.DECIDE, (Applied("a", Ending.APPROVE),), (NotApplied("b", "stale", "gone", "é\ud800"),),
        (Applied("d", Ending.SUPERSEDED, "a"),), ("e",), "image", sizes, "digest", True,
        (MovedOn(1, USER, "x", None, "z"),), ("f",), ("a",), ("note",), True,
    )  # fmt: skip
    assert receipt_from(receipt_bytes(receipt)) == receipt


def test_an_intent_calls_what_is_taken_back_as_every_run_that_may_have_left_one_does() -> None:
    change = Change("undo", Kind.UNDO, Receipt(None, Kind.UNDO), takebacks=("first", "second"))
    entry, _ = entry_of(change, Request(stamp("undo"), Kind.UNDO), {})
    body = Intent(entry, (), (), ()).to_json()
    assert json.loads(body)["entry"]["undoes"] == ["first", "second"]
    assert Intent.from_json(body).entry.takebacks == ("first", "second")
