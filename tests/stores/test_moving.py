"""Moving: what one scope holds arrives in another whole, with its history, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from curator_tui.core.documents import Target, raw_digest
from curator_tui.core.errors import CuratorError, Unreadable, WriteFailed
from curator_tui.core.importing import as_brought
from curator_tui.core.parcels import Parcel, parcel_of
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.requests import Kind, Request
from curator_tui.core.tombstones import fingerprint
from curator_tui.curator.desk import Desk
from curator_tui.curator.moving import Carried, import_parcel, read_store
from tests.stores import operations
from tests.stores.consistency import check, state_of
from tests.stores.failures import killed_at, points_of
from tests.stores.ground import Ground, Scope
from tests.stores.homes import ME, decide, make_home, open_store, stamp, write_document

Place = Path | Scope


def lived_in(path: Place) -> None:
    """A home with a history: a deferral, a question that was answered, an approval, an undo, and a change outside."""
    operations.many(path)
    operations.defer(path)
    operations.challenge(path)
    operations.answer(path)
    store = open_store(path)
    with closing(store):
        store.transact(decide("first", [f"{3:08x}", f"{4:08x}"]), core_plan)
        store.transact(Request(stamp("undo"), Kind.UNDO, reverts=stamp("first").change), core_plan)
        store.transact(decide("again", [f"{5:08x}"]), core_plan)
    write_document(path, Target.USER, "who\n§\nsomebody else".encode())


def parcel_at(path: Place) -> Parcel:
    with closing(open_store(path)) as store:
        found, left_out = read_store(store)
    assert left_out == ()
    return found


def imported(path: Place, parcel: Parcel) -> Carried:
    with closing(Desk(open_store(path), ME)) as desk:
        return import_parcel(desk, parcel)


def emptied(path: Place) -> Place:
    return make_home(path, None, None, records=0) if isinstance(path, Path) else path


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Parcel:
    home = tmp_path_factory.mktemp("source") / "home"
    lived_in(home)
    return parcel_at(home)


def test_everything_arrives_and_goes_on_as_if_it_had_always_been_there(ground: Ground, source: Parcel) -> None:
    place = emptied(ground / "there")
    found = imported(place, source)
    assert (found.verified, found.not_applied, found.digest) == (True, (), source.digest)
    assert check(place, outside=True) == []
    store = open_store(place)
    with closing(store):
        rows = store.book.rows()
        assert [(row.seq, row.hash, row.body) for row in rows[:-1]] == list(source.rows("ledger"))
        row = rows[-1].row
        assert row is not None
        assert (row["action"], row["chain"]) == ("import", source.chain)
        assert row["head"] == {"seq": source.head[0], "hash": source.head[1]}
        assert store.book.chain() not in {"", source.chain}
        # the person's own stack goes on where it was, and what others wrote before is still to be told
        assert store.book.newest_undoable(ME) == stamp("again").change
        store.transact(Request(stamp("later"), Kind.UNDO, reverts=stamp("again").change), core_plan)
        assert [row["action"] for one in store.book.rows(after=len(rows)) if (row := one.row)] == ["outside", "undo"]
    assert check(place) == []


def test_there_and_back_gives_the_same_parcel(ground: Ground, source: Parcel) -> None:
    place = emptied(ground / "there")
    change = imported(place, source).change
    assert change is not None
    again = parcel_at(place)
    assert as_brought(again, change, source).digest == source.digest
    back = emptied(ground.folder / "back")
    assert imported(back, again).verified is True
    was = state_of(place)
    assert state_of(back) == replace(was, rows=was.rows + 1, changes=was.changes + 1)


# Where an import of each kind of store could be torn.
TORN = {
    "hermes": ("parcel_written", "begun", "document_renamed:1", "queue_synced", "part_loaded:5", "book_loaded"),
    "sqlite": ("document_written:1", "queue_written:1", "part_loaded:5", "book_loaded", "committing", "committed"),
    "postgres": ("part_loaded:5", "book_loaded", "committing", "committed"),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Parcel:
    home = make_home(tmp_path_factory.mktemp("small") / "home", records=2)
    with closing(open_store(home)) as store:
        store.transact(decide("first", ["item0"]), core_plan)
    return parcel_at(home)


def test_killed_it_is_there_whole_or_not_at_all_and_can_be_asked_for_again(ground: Ground, small: Parcel) -> None:
    _killed(ground, small, TORN[ground.kind])


@pytest.mark.slow
def test_killed_anywhere(tmp_path: Path, source: Parcel) -> None:
    ground = Ground("hermes", tmp_path, None)
    points = points_of(lambda place: imported(place, source), emptied(ground / "seen first"))
    assert len(points) > 60
    # every kind of place once, and what happens between the two documents
    _killed(ground, source, [point for point in points if point.endswith(":1") or point.startswith("document_")])


def _killed(ground: Ground, parcel: Parcel, points: Sequence[str]) -> None:
    seen = emptied(ground / "seen")
    old = state_of(seen)
    imported(seen, parcel)
    new = state_of(seen)
    for number, point in enumerate(points):
        place = emptied(ground / f"place{number}")
        assert killed_at(f"{point}=kill", lambda there: imported(there, parcel), place), point
        assert check(place, outside=True) == [], point
        assert state_of(place) in (old, new), point
        imported(place, parcel)
        assert state_of(place) == new, point


def test_asked_for_twice_it_is_done_once(ground: Ground, source: Parcel) -> None:
    place = emptied(ground / "there")
    imported(place, source)
    before = state_of(place)
    again = imported(place, source)
    assert (again.change, again.not_applied) == (None, ())
    assert again.notes == ("it was imported before; nothing was changed",)
    assert state_of(place) == before


def test_a_place_that_holds_something_is_left_as_it_is(ground: Ground, source: Parcel) -> None:
    place = make_home(ground / "there", b"mine", None, records=1)
    before = state_of(place)
    found = imported(place, source)
    assert [one.code for one in found.not_applied] == ["not-empty"]
    assert "MEMORY.md" in found.not_applied[0].message
    assert "1 waiting item" in found.not_applied[0].message
    assert state_of(place) == before


def test_an_only_waiting_item_or_row_counts_as_something(ground: Ground, source: Parcel) -> None:
    place = make_home(ground / "there", None, None, records=1)
    assert [one.code for one in imported(place, source).not_applied] == ["not-empty"]


def _altered(parcel: Parcel, part: str, place: int, value: object) -> Parcel:
    rows = [*parcel.rows(part)]
    row = next(one for one in rows if one[place] is not None)
    changed = (*row[:place], value, *row[place + 1 :])
    return parcel_of(parcel.chain, {**parcel.parts, part: [changed if one == row else one for one in rows]})


@pytest.mark.parametrize(
    ("part", "place", "value"),
    [
        ("texts", 3, b"other words"),
        ("texts", 4, b"another salt"),
        ("image_files", 2, b"other words"),
        ("ledger", 2, "{}"),
        ("decisions", 2, "another"),
        ("known", 2, raw_digest(b"other words")),
        ("changes", 4, "somebody else"),
        ("deferrals", 4, "2030-01-01"),
    ],
)
def test_words_that_do_not_hold_together_are_refused_whatever_the_digest(
    tmp_path: Path, source: Parcel, part: str, place: int, value: object
) -> None:
    home = emptied(tmp_path / "there")
    before = state_of(home)
    with pytest.raises(Unreadable) as caught:
        imported(home, _altered(source, part, place, value))
    assert caught.value.code == "parcel-damaged"
    assert state_of(home) == before


def test_what_was_forgotten_there_does_not_return(ground: Ground, source: Parcel) -> None:
    place, key = emptied(ground / "there"), b"k" * 32
    stone = (
        "s1",
        "gone",
        1.0,
        "person",
        "ada",
        "cli",
        "memory",
        "request",
        "key1",
        fingerprint(key, "a FACT with number 5"),
    )
    stones = parcel_of("", {"tombstones": [stone], "scope_keys": [("key1", key)]})
    assert imported(place, stones).verified is True
    # as an erase will leave it: nothing but the tombstone and its key
    _without_rows(place)
    before = state_of(place)
    found = imported(place, source)
    assert [one.code for one in found.not_applied] == ["forgotten"]
    assert state_of(place) == before
    assert parcel_at(place).rows("tombstones") == stones.rows("tombstones")
    other = parcel_of("", {"documents": [("memory", b"a fact with number 6")]})
    assert imported(place, other).not_applied == ()


def _without_rows(place: Place) -> None:
    import sqlite3

    kept = ("memory_tombstones", "memory_scope_keys", "memory_meta")
    tables = ("memory_ledger", "memory_changes", "memory_texts", "memory_operations")
    assert not set(kept) & set(tables)
    if isinstance(place, Path):
        with closing(sqlite3.connect(place / "curator-tui" / "book.sqlite")) as book, book:
            for table in tables:
                book.execute(f"DELETE FROM {table}")
            book.execute("DELETE FROM memory_meta WHERE name = 'imported'")
        return
    place.place.execute(*(f"DELETE FROM {table}" for table in tables),
                        "DELETE FROM memory_meta WHERE name = 'imported'",
                        "UPDATE memory_scopes SET ledger_seq = 0, ledger_head = ''")  # fmt: skip


def test_pins_that_no_row_binds_yet_come_along(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", b"one\n\xc2\xa7\ntwo", None, records=0)
    _stage_removal(home)
    with closing(Desk(open_store(home), ME)) as desk:
        desk.observe()
        _stage_removal(home, "item1", "two")
        desk.refresh()
        desk.observe()
    parcel = parcel_at(home)
    assert parcel.rows("meta")
    there = Scope("sqlite", tmp_path / "db", None)
    assert imported(there, parcel).verified is True
    assert check(there) == []


def _stage_removal(home: Path, name: str = "item0", text: str = "one") -> None:
    import json

    payload = {"action": "remove", "target": "memory", "content": None, "old_text": text}
    record = {"id": name, "subsystem": "memory", "action": "remove", "origin": "assistant_tool", "created_at": 1.0}
    (home / "pending" / "memory" / f"{name}.json").write_text(json.dumps({**record, "payload": payload}))


def test_what_a_home_or_a_database_cannot_hold_is_refused_in_words(tmp_path: Path) -> None:
    scope = Scope("sqlite", tmp_path / "db", None)
    make_home(scope)
    with pytest.raises(WriteFailed, match="form of a database"):
        imported(emptied(tmp_path / "there"), parcel_at(scope))
    broken = parcel_of("", {"documents": [("memory", b"one \xff")]})
    with pytest.raises(WriteFailed, match="no text that a database can hold"):
        imported(Scope("sqlite", tmp_path / "other", None), broken)
    assert imported(emptied(tmp_path / "third"), broken).verified is True


def test_a_home_with_an_interrupted_change_is_not_exported(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    assert killed_at("begun=kill", operations.approve, home)
    with pytest.raises(CuratorError, match="interrupted"), closing(open_store(home)) as store:
        read_store(store)


def test_an_import_row_that_names_another_chain_is_noticed(tmp_path: Path, source: Parcel) -> None:
    from curator_tui.core.ledger import SealedRow, canonical, chained, row_hash

    scope = Scope("sqlite", tmp_path / "db", None)
    imported(scope, source)
    with closing(open_store(scope)) as store:
        *rows, last = store.book.rows()
    row = last.row
    assert row is not None
    body = canonical({**row, "head": {**row["head"], "hash": "0" * 64}})
    found = [
        problem.code for _, wrong in chained([*rows, SealedRow(last.seq, row_hash(body), body)]) for problem in wrong
    ]
    assert found == ["chain-broken"]
