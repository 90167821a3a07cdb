"""Reverts: rollback restores bytes, undo restores entries, and what goes with them is told and bound."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from curator_tui.core.changes import NotApplied, PastChange
from curator_tui.core.documents import parse, unreadable
from curator_tui.core.ledger import item_name, verify_commitment
from curator_tui.core.plans import plan
from curator_tui.core.preflight import Snapshot, State
from curator_tui.core.requests import Actor, ActorKind, Kind, Request
from curator_tui.core.reverts import UndoPreview, preview_revert
from curator_tui.core.rollbacks import preview_rollback
from tests.memory_store import MemoryStore
from tests.strategies import files, reshaped
from tests.worlds import MEMORY, PERSON, USER, add, approve, drop, joined, planned, reject, snapshot, stamp, swap, view

TOKEN = "CI token is ghp_" + "A1b2C3d4" * 4 + "E5f6"


class World:
    """A store in memory with a counter for stamps, driven in one line per step."""

    def __init__(self, memory: bytes | None = None, user: bytes | None = None, limit: int | None = 2200) -> None:
        self.store = MemoryStore(limits={MEMORY: limit, USER: limit})
        self.store.files = {MEMORY: memory, USER: user}
        self.store.known = {MEMORY: memory, USER: user}
        self.count = 0

    def ask(self, kind: Kind, **parts):
        """Carry out a request."""
        self.count += 1
        return self.store.transact(Request(stamp(self.count, at=1_790_000_000.0 + self.count), kind, **parts))

    def decide(self, *decisions, **parts):
        """Decide about waiting items."""
        return self.ask(Kind.DECIDE, decisions=decisions, **parts)

    def stage(self, name, *operations):
        """Stage a record."""
        self.store.stage(name, operations, float(self.count))

    def correct(self, *operations):
        """Correct memory in a person's own words."""
        return self.ask(Kind.CORRECT, corrections=operations)

    def undo(self, change=None, **parts):
        """Undo one change, the newest when none is named."""
        return self.ask(Kind.UNDO, reverts=change or self.store.newest_undoable(PERSON), **parts)

    def redo(self, **parts):
        """Undo the newest undo."""
        return self.ask(Kind.REDO, reverts=self.store.newest_redoable(PERSON), **parts)

    def rollback(self, backup, *targets, **parts):
        """Restore an image."""
        return self.ask(Kind.ROLLBACK, backup=backup, targets=targets, **parts)

    def hand(self, raw, target=MEMORY):
        """Edit a document by hand."""
        self.store.write_outside(target, raw.encode() if isinstance(raw, str) else raw)

    def entries(self, target=MEMORY):
        """Return the entries of a document."""
        return self.store.snapshot().document(target).entries

    def in_force(self):
        """Return the changes that are in force, by number."""
        return [n for n, change in enumerate(self.store.past) if change.undone_by is None]

    @property
    def raw(self):
        """The bytes of the memory document."""
        return self.store.files[MEMORY]


# -- undo, nothing moved ------------------------------------------------------------------------------------------


@given(st.data())
def test_undo_directly_after_a_change_returns_the_exact_bytes_and_redo_the_new_ones(data: st.DataObject) -> None:
    """Whatever the file looked like: old layout, line endings and mark return; redo brings the new bytes back."""
    raw, _ = data.draw(files())
    world = World(raw, limit=None)
    wanted = data.draw(reshaped(world.entries()))
    steps = [drop(entry, pin=entry) for entry in world.entries() if entry not in wanted]
    steps += [add(entry) for entry in wanted if entry not in world.entries()]
    if not world.correct(*steps).done:
        return
    new = world.raw
    assert world.undo().done
    assert world.raw == raw
    assert world.redo().done
    assert world.raw == new


def test_undo_of_the_first_write_removes_the_file_again() -> None:
    """A document that was missing is missing afterwards."""
    world = World(None)
    world.correct(add("tea"))
    assert world.undo().done
    assert world.raw is None


def test_undo_returns_the_items_a_decision_closed_with_their_exact_bytes() -> None:
    """Approved, rejected and closed along: all wait again; redo closes them as they were."""
    world = World(b"old")
    world.stage("a", swap("old", "new", pin="old"))
    world.stage("b", drop("old", pin="old"))
    world.stage("c", add("x"))
    before = world.store.waiting()
    world.decide(approve("a", closes=("b",)), reject("c"))
    assert world.store.waiting() == {}
    receipt = world.undo()
    assert sorted(receipt.returned) == ["a", "b", "c"]
    assert world.store.waiting() == before
    world.redo()
    assert {name: found.ending for name, found in world.store.decided().items()} == {
        "a": "approve",
        "b": "superseded",
        "c": "reject",
    }


def test_an_undone_change_cannot_be_undone_again() -> None:
    """The second attempt says so and stores nothing."""
    world = World(b"tea")
    change = world.correct(add("x")).change
    world.undo(change)
    again = world.undo(change)
    assert again.not_applied == (NotApplied(change, "decided", "already-undone", "that change is undone already"),)
    assert again.change is None


def test_there_is_nothing_to_undo_before_the_first_change() -> None:
    """An answer, not an error; the same for redo."""
    world = World(b"tea")
    assert world.undo().not_applied[0].message == "nothing to undo"
    assert world.redo().not_applied[0].message == "nothing to redo"


@pytest.mark.parametrize("kind", [Kind.UNDO, Kind.REDO])
def test_a_change_without_effect_cannot_be_taken_back(kind) -> None:
    """A refused attempt and a state others wrote are rows with a change id, and nothing to undo."""
    for what in (Kind.DECIDE, Kind.OBSERVE):
        past = PastChange("c0", 1, 0.0, PERSON, what)
        change = planned(view(snapshot("tea"), reverting=past), Request(stamp(), kind, reverts="c0"))
        assert change.empty
        (failed,) = change.receipt.not_applied
        assert (failed.id, failed.code) == ("c0", "no-effect")


def test_what_is_shown_of_an_undo_is_refused_where_the_undo_is() -> None:
    """A preview of what cannot be done says so: undone already, or a document that cannot be read."""
    past = PastChange("c0", 1, 0.0, PERSON, Kind.CORRECT, {MEMORY: b"a"}, {MEMORY: b"b"})
    for found, code in (
        (view(snapshot("b"), reverting=replace(past, undone_by="c1")), "already-undone"),
        (view(snapshot(b"\xff"), reverting=past), "document-unreadable"),
        (view(snapshot("b", memory_limit=0), reverting=replace(past, before={MEMORY: b"a" * 9})), None),
    ):
        request = Request(stamp(), Kind.UNDO, reverts="c0")
        preview = preview_revert(found, request)
        assert preview is not None
        assert (preview.refused.code if preview.refused else None) == code
        receipt = planned(found, request).receipt
        assert [part.code for part in receipt.not_applied] == ([code] if code else [])


@pytest.mark.parametrize("way", ["undo", "rollback"])
def test_an_item_that_cannot_come_back_is_told_in_one_shape(way) -> None:
    """The documents return, and what did not come along has its own reason: by undo and by rollback alike."""
    world = World(b"tea")
    world.stage("a", add("x"))
    done = world.decide(approve("a"))
    world.stage("a", add("other"))
    receipt = world.undo() if way == "undo" else world.rollback(done.backup)
    assert world.raw == b"tea"
    assert receipt.change is not None
    assert [(part.id, part.code) for part in receipt.not_applied] == [("a", "still-waiting")]
    assert receipt.notes == ()
    assert not receipt.done


def test_a_redo_keeps_no_secret_that_has_left_memory_since() -> None:
    """The record was kept while memory held its secret; when it is closed again the rule is asked again."""
    world = World(TOKEN.encode())
    world.stage("a", drop(TOKEN, pin=TOKEN))
    done = world.decide(reject("a"))
    assert world.store.decided()["a"].raw is not None
    world.undo(done.change)
    world.hand(b"tea")
    world.redo()
    assert world.store.decided()["a"].raw is None


# -- undo, later edits --------------------------------------------------------------------------------------------


def moved_on() -> tuple[World, str]:
    """T23: a change, then its entry edited by hand and another one appended."""
    world = World(b"Office is in Lyon")
    world.stage("p1", swap("Lyon", "Office is in Lille"))
    change = world.decide(approve("p1")).change
    world.hand(joined("Office is in Lille, 3rd floor", "Parking is level -2"))
    return world, change


def test_an_entry_that_moved_on_is_shown_in_three_texts_and_nothing_is_written() -> None:
    """T23: before, after and now; a person has to pick."""
    world, change = moved_on()
    receipt = world.undo(change)
    part = receipt.moved_on[0]
    assert (part.before, part.after, part.now) == (
        "Office is in Lyon",
        "Office is in Lille",
        "Office is in Lille, 3rd floor",
    )
    assert not receipt.done
    assert receipt.change is None
    assert world.raw == joined("Office is in Lille, 3rd floor", "Parking is level -2")


@pytest.mark.parametrize(
    ("take", "first"),
    [
        ("Office is in Lyon", ["Office is in Lyon"]),
        ("Office is in Lille", ["Office is in Lille"]),
        ("Office is in Lille, 3rd floor", ["Office is in Lille, 3rd floor"]),
        ("  Office is closed\r\n", ["Office is closed"]),
        (None, []),
        ("Parking is level -2", []),
    ],
)
def test_the_picked_text_takes_its_place_and_later_entries_survive(take, first) -> None:
    """T23: 'Parking is level -2' survives in every outcome, and the revert is a new change that points to the old."""
    world, change = moved_on()
    receipt = world.undo(change, takes={0: take})
    assert receipt.done
    assert world.entries() == (*first, "Parking is level -2")
    assert receipt.undoes == (change,)
    assert world.store.rows()[-1].row["reverts"] == change
    assert world.store.past[-1].reverts == change
    assert receipt.returned == ("p1",)


def test_a_typed_text_that_breaks_the_contract_is_refused() -> None:
    """A choice can be edited, but not into a line that would read back as two entries."""
    world, change = moved_on()
    receipt = world.undo(change, takes={0: "a\n§\nb"})
    assert (receipt.not_applied[0].state, receipt.not_applied[0].code) == ("invalid", "delimiter-line")
    assert world.undo(change, takes={0: "a\tb"}).not_applied[0].code == "control-character"
    assert world.undo(change, takes={0: " "}).not_applied[0].code == "content-empty"


def test_a_typed_text_that_a_scanner_holds_back_is_refused_and_leaves_a_row() -> None:
    """A revert asks no second question, so no text comes into memory by it that a correction would ask about."""
    world, change = moved_on()
    before = world.raw
    receipt = world.undo(change, takes={0: TOKEN})
    assert (receipt.change, receipt.not_applied[0].state) == (None, "flagged")
    assert world.raw == before
    assert world.store.rows()[-1].row["action"] == "refused"


def test_a_row_names_only_the_choices_that_were_taken() -> None:
    """A choice for an entry that asked for none was not made."""
    world, change = moved_on()
    assert world.undo(change, takes={0: "Office is closed", 7: "nowhere"}).done
    assert world.store.rows()[-1].row["chosen"] == [0]


def test_three_texts_are_shown_for_a_replace_by_words_that_are_not_alike() -> None:
    """What went and what came at one place belongs together however different it reads."""
    world = World(joined("Uses bash", "cup"))
    change = world.correct(swap("Uses bash", "Prefers the fish shell", pin="Uses bash")).change
    world.hand(joined("Prefers the fish shell 4.0", "cup"))
    part = world.undo(change).moved_on[0]
    assert (part.before, part.after, part.now) == ("Uses bash", "Prefers the fish shell", "Prefers the fish shell 4.0")


@pytest.mark.parametrize(
    ("take", "expected"),
    [("a", ("a", "b", "c")), ("b", ("b", "c")), (None, ("b", "c")), ("new", ("new", "b", "c"))],
)
def test_a_text_picked_for_an_entry_that_is_gone_returns_to_its_place(take, expected) -> None:
    """Nothing stands there any more: the picked text comes back where it was, unless it stands already."""
    world = World(joined("a", "b", "c"))
    change = world.correct(swap("a", "x")).change
    world.hand(joined("b", "c"))
    assert world.undo(change).moved_on[0].now is None
    world.undo(change, takes={0: take})
    assert world.entries() == expected


def test_an_entry_that_stood_all_along_is_not_taken_for_the_one_that_moved_on() -> None:
    """Only what came since can be the later form of a changed entry."""
    world = World(joined("Office is in Lyon", "Office is in Lille, 3rd floor"))
    change = world.correct(swap("Lyon", "Office is in Lille")).change
    world.hand(joined("Office is in Lille, 3rd floor"))
    assert world.undo(change).moved_on[0].now is None


def test_two_entries_that_moved_on_are_not_both_found_in_one() -> None:
    """Each entry of today stands for one pair at most."""
    world = World(joined("Port is 8080 here", "Port is 8081 here"))
    change = world.correct(swap("8080", "Port is 9090 here"), swap("8081", "Port is 9091 here")).change
    world.hand(joined("Port is 9099 here"))
    assert sorted(str(part.now) for part in world.undo(change).moved_on) == ["None", "Port is 9099 here"]
    taken = world.undo(change, takes={0: "Port is 8080 here", 1: "Port is 8081 here"})
    assert taken.done
    assert set(world.entries()) == {"Port is 8080 here", "Port is 8081 here"}


@pytest.mark.parametrize(
    ("before", "step", "by_hand", "expected"),
    [
        # what the change added goes, what came later stays
        (("a",), add("b"), ("a", "b", "later"), ("a", "later")),
        # what the change removed returns to its place
        (("a", "b", "c"), drop("b"), ("a", "c", "later"), ("a", "b", "c", "later")),
        (("a", "b", "c"), drop("a"), ("b", "c", "later"), ("a", "b", "c", "later")),
        (("a", "b", "c"), drop("b"), ("later", "c"), ("b", "later", "c")),
        # what was replaced returns in place
        (("a", "b", "c"), swap("b", "x"), ("a", "x", "later"), ("a", "b", "later")),
        # what somebody put back already is left alone
        (("a", "b"), drop("b"), ("a", "b", "later"), ("a", "b", "later")),
        (("a", "b"), swap("b", "x"), ("a", "b", "later"), ("a", "b", "later")),
        # an added entry that somebody removed needs no question
        (("a",), add("Owns a canoe"), ("a", "later"), ("a", "later")),
        # the old text stands elsewhere by now: it is not doubled
        (("a", "b"), swap("b", "x"), ("b", "a", "x"), ("b", "a")),
    ],
)
def test_undo_reverts_only_the_entries_the_change_touched(before, step, by_hand, expected) -> None:
    """Later edits of other entries survive in every case."""
    world = World(joined(*before))
    change = world.correct(step).change
    world.hand(joined(*by_hand))
    assert world.undo(change).done
    assert world.entries() == expected


def test_an_entry_the_change_only_moved_is_not_lost_by_undoing_it() -> None:
    """Removed and added again in one batch is no pair; the entry stays, wherever it stands."""
    world = World(joined("a", "b"))
    change = world.correct(drop("a"), add("a")).change
    world.hand(joined("b", "a", "later"))
    world.undo(change)
    assert set(world.entries()) == {"a", "b", "later"}


def test_undo_keeps_the_bytes_of_everything_else() -> None:
    """Line endings and layout of the hand-edited file survive an undo in its middle."""
    world = World(b"a")
    change = world.correct(add("b")).change
    world.hand("a\r\n§\r\nb\r\n§\r\n\r\nlater \r\n")
    assert world.undo(change).done
    assert world.raw == "a\r\n§\r\n\r\nlater \r\n".encode()


def test_undo_of_one_document_does_not_look_at_the_other() -> None:
    """A change of both documents is reverted in both, each on its own."""
    world = World(b"a", b"u")
    change = world.correct(add("x"), add("y", USER)).change
    world.hand(joined("u", "y", "later"), USER)
    assert world.undo(change).done
    assert (world.raw, world.entries(USER)) == (b"a", ("u", "later"))


def test_an_undo_that_would_not_fit_is_refused_and_says_by_how_much() -> None:
    """Entries that came since may have taken the room."""
    world = World(joined("a" * 10, "b"), limit=20)
    change = world.correct(drop("a" * 10)).change
    world.hand(joined("b", "c" * 12))
    receipt = world.undo(change)
    assert receipt.not_applied[0].state == "over-limit"
    assert "29/20 (9 over)" in receipt.not_applied[0].message
    assert world.entries() == ("b", "c" * 12)


@pytest.mark.parametrize("broken", [parse(MEMORY, b"\xff"), unreadable(MEMORY, "no permission")])
def test_undo_leaves_a_document_it_cannot_read_alone(broken) -> None:
    """Unreadable is never empty, here neither."""
    world = World(b"a")
    change = world.correct(add("x")).change
    view = world.store._view(Request(stamp(9), Kind.UNDO, reverts=change))
    snapshot = Snapshot({MEMORY: broken, USER: parse(USER, None)}, {})
    closed = plan(replace(view, snapshot=snapshot), Request(stamp(9), Kind.UNDO, reverts=change))
    assert closed.receipt.not_applied[0].state == "unreadable"
    assert closed.empty


def test_an_undo_bound_to_what_was_shown_moves_when_something_else_is_there() -> None:
    """The digest of the preview is the one the plan computes; anything newer asks again."""
    world = World(b"a")
    change = world.correct(add("b")).change
    shown = look(world, change).digest
    world.hand(joined("a", "b", "c"))
    assert world.undo(change, shown=shown).moved
    world.hand(joined("a", "b"))
    assert world.undo(change, shown=shown).done


def test_what_stands_in_place_of_a_moved_entry_is_part_of_what_was_shown() -> None:
    """A third text that changed since it was painted asks again."""
    world, change = moved_on()
    shown = world.undo(change).digest
    world.hand(joined("Office is in Lille, 4th floor", "Parking is level -2"))
    assert world.undo(change).digest != shown


# -- items --------------------------------------------------------------------------------------------------------


def test_an_item_that_waits_again_does_not_return_twice() -> None:
    """Reopened by hand, then undone: the memory reverts, the item waits as it did, and that is all that was asked."""
    world = World(b"tea")
    world.stage("a", add("x"))
    change = world.decide(approve("a")).change
    world.ask(Kind.REOPEN, reopen=("a",))
    receipt = world.undo(change)
    assert world.entries() == ("tea",)
    assert receipt.done
    assert receipt.returned == ()
    assert list(world.store.waiting()) == ["a"]


def test_what_was_not_kept_is_said_not_to_return() -> None:
    """A rejected secret cannot come back; an undo of that says so and is no change."""
    world = World(b"tea")
    world.stage("a", add(TOKEN))
    change = world.decide(reject("a")).change
    receipt = world.undo(change)
    assert receipt.not_applied[0].code == "not-kept"
    assert (receipt.change, receipt.undoable, world.store.waiting()) == (None, False, {})


def test_undo_and_redo_pass_over_a_decision_that_kept_nothing() -> None:
    """What cannot come back hides nothing that can: undo goes on to what was done before, and redo to all of it."""
    world = World(b"tea")
    for name, text in (("a", "first"), ("s", TOKEN), ("b", "second")):
        world.stage(name, add(text))
    world.decide(approve("a"))
    assert not world.decide(reject("s")).undoable
    world.decide(approve("b"))
    assert [world.undo().returned, world.undo().returned] == [("b",), ("a",)]
    assert world.store.newest_undoable(PERSON) is None
    assert [world.redo().done, world.redo().done] == [True, True]
    assert world.entries() == ("tea", "first", "second")


def test_redo_passes_over_an_undo_that_found_everything_as_it_was_before() -> None:
    """Taken back by hand already, a change goes out of force and nothing else happens: that is nothing to redo."""
    world = World(b"tea")
    world.correct(add("first"))
    world.correct(add("second"))
    world.undo()
    world.hand(b"tea")
    assert not world.undo().undoable
    world.redo()
    assert world.entries() == ("tea", "second")


@pytest.mark.parametrize(
    ("meanwhile", "code", "words"),
    [
        ("edited", "record-changed", "its record changed since it came back"),
        ("decided", "already-decided", "already decided: reject by you"),
        ("taken", "taken-away", "another program took it out of the queue"),
    ],
)
def test_redo_closes_again_only_what_waits_exactly_as_it_was_and_says_what_does_not(meanwhile, code, words) -> None:
    """The documents are redone; an item somebody else saw to is told and left alone."""
    world = World(b"tea")
    world.stage("a", add("x"))
    world.decide(approve("a"))
    undo = world.undo().change
    if meanwhile == "edited":
        world.stage("a", add("other"))
    elif meanwhile == "decided":
        world.decide(reject("a"))
    else:
        del world.store.queue["a"]
    queue = world.store.waiting()
    receipt = world.ask(Kind.REDO, reverts=undo)
    assert world.entries() == ("tea", "x")
    assert world.store.waiting() == queue
    assert not receipt.done
    (failed,) = receipt.not_applied
    assert (failed.id, failed.code) == ("a", code)
    assert words in failed.message
    assert receipt.closed == ()


def test_a_redo_binds_the_records_it_keeps_and_says_which_it_does_not() -> None:
    """A row binds what is kept; what held a secret that is in memory no more is not kept, and the answer says so."""
    world = World(TOKEN.encode())
    world.stage("a", drop(TOKEN, pin=TOKEN))
    world.stage("b", add("x"))
    world.decide(reject("a"), reject("b"))
    world.undo()
    world.hand(b"tea")
    receipt = world.redo()
    assert receipt.unkept == ("a",)
    (note,) = receipt.notes
    assert "a held a secret: nothing of it was kept" in note
    parts = {part["proposal"]: part["record"] for part in world.store.rows()[-1].row["decisions"]}
    assert set(parts) == {item_name("a"), item_name("b")}
    assert parts[item_name("a")]["kept"] is False
    raw, salt = world.store.decided()["b"].raw, world.store.salts[f"{receipt.change}:record:{item_name('b')}"]
    assert verify_commitment(parts[item_name("b")], salt, raw) is True
    again = world.undo()
    assert (again.returned, [part.code for part in again.not_applied]) == (("b",), ["not-kept"])


def test_an_undo_is_bound_to_the_records_that_return_and_those_it_closes() -> None:
    """Which items wait afterwards is part of what was shown, also where the documents are the same."""
    world = World(b"tea")
    world.stage("a", add("x"))
    done = world.decide(approve("a")).change
    shown = look(world, done)
    assert [item.proposal for item in shown.returned] == ["a"]
    world.stage("a", add("other"))
    assert look(world, done).digest != shown.digest
    assert world.undo(done, shown=shown.digest).moved
    del world.store.queue["a"]
    undone = world.undo(done, shown=shown.digest)
    assert undone.done
    shown = look(world, undone.change)
    assert [part.id for part in shown.closing] == ["a"]
    world.stage("a", add("another"))
    stuck = look(world, undone.change)
    assert ([part.code for part in stuck.stuck], stuck.closing) == (["record-changed"], ())
    assert world.redo(shown=shown.digest).moved


def look(world: World, change: str) -> UndoPreview:
    """Return what a revert of a change would do now."""
    request = Request(stamp(9), Kind.UNDO, reverts=change)
    found = preview_revert(world.store._view(request), request)
    assert found is not None
    return found


# -- what is in force ---------------------------------------------------------------------------------------------


def test_undo_is_a_stack_and_redo_undoes_the_undo() -> None:
    """T21: two changes, one undo takes the newer, a second one the older; redo brings back what undo took."""
    world = World(joined("van", "sails", "metric"))
    world.correct(drop("van"))
    world.correct(drop("sails"))
    world.undo()
    assert world.entries() == ("sails", "metric")
    world.undo()
    assert world.entries() == ("van", "sails", "metric")
    world.redo()
    assert world.entries() == ("sails", "metric")


def test_undo_after_redo_takes_the_change_back_for_good() -> None:
    """Undo, redo, undo: the change is out of force again, so the next undo means the one before it."""
    world = World(b"a")
    world.correct(add("b"))
    world.correct(add("c"))
    world.undo()
    world.redo()
    assert world.in_force() == [0, 1, 3]
    world.undo()
    assert world.entries() == ("a", "b")
    assert world.in_force() == [0, 2, 4]
    world.undo()
    assert world.entries() == ("a",)


# -- rollback -----------------------------------------------------------------------------------------------------


def test_rollback_restores_the_exact_bytes_as_a_change_that_can_itself_be_undone() -> None:
    """CRLF, mark and all; what stood before the rollback is imaged and returns with undo."""
    old = b"\xef\xbb\xbfa\r\n\xc2\xa7\r\n\r\nb \n"
    world = World(old)
    backup = world.correct(add("x")).backup
    world.correct(add("y"))
    new = world.raw
    receipt = world.rollback(backup)
    assert world.raw == old
    assert len(receipt.undoes) == 2
    assert (receipt.sizes[MEMORY].size, receipt.sizes[MEMORY].limit) == (5, 2200)
    world.undo()
    assert world.raw == new
    assert world.in_force() == [0, 1, 3]


def test_a_document_absent_in_the_image_is_absent_after_rollback() -> None:
    """Absent, not empty."""
    world = World(None, b"u")
    backup = world.correct(add("x")).backup
    world.rollback(backup)
    assert world.raw is None


def test_rollback_returns_the_decisions_it_takes_back_and_no_others() -> None:
    """Approved and superseded items wait again; a rejection stands."""
    world = World(b"old")
    for name, step in (("a", swap("old", "new", pin="old")), ("b", drop("old", pin="old")), ("c", add("x"))):
        world.stage(name, step)
    backup = world.decide(approve("a", closes=("b",)), reject("c")).backup
    receipt = world.rollback(backup)
    assert sorted(receipt.returned) == ["a", "b"]
    assert set(world.store.decided()) == {"c"}


def test_rollback_does_not_return_items_of_changes_undone_before() -> None:
    """They wait already."""
    world = World(b"tea")
    world.stage("a", add("x"))
    backup = world.decide(approve("a")).backup
    world.undo()
    world.correct(add("y"))
    receipt = world.rollback(backup)
    assert receipt.returned == ()
    assert receipt.notes == ()
    assert world.raw == b"tea"


def test_rollback_over_an_undo_puts_its_change_in_force_again_only_where_it_is_older_than_the_image() -> None:
    """A pair of change and undo behind the image is simply gone; an undo of an older change is taken back."""
    world = World(b"a")
    first = world.correct(add("b"))
    second = world.correct(add("c"))
    world.undo(second.change)
    before_undo = world.store.past[-1].backup
    world.rollback(before_undo)
    assert world.entries() == ("a", "b", "c")
    assert world.in_force() == [0, 1, 3]
    world.rollback(first.backup)
    assert world.entries() == ("a",)
    assert world.in_force() == [4]
    world.undo()
    assert world.in_force() == [0, 1, 3, 5]


def test_rollback_of_one_document_leaves_the_other_alone() -> None:
    """--target: a change of both documents keeps its other half, and stays in force for it."""
    world = World(b"a", b"u")
    backup = world.correct(add("x"), add("y", USER)).backup
    world.correct(add("z"))
    receipt = world.rollback(backup, MEMORY)
    assert (world.raw, world.entries(USER)) == (b"a", ("u", "y"))
    assert len(receipt.undoes) == 1
    assert world.in_force() == [0, 2]
    assert world.undo(world.store.past[0].id).done
    assert (world.raw, world.store.files[USER]) == (b"a", b"u")


def test_a_preview_names_what_a_rollback_would_do_and_binds_it() -> None:
    """Documents, changes, items and a digest; anything newer asks again."""
    world = World(b"tea")
    world.stage("a", add("x"))
    backup = world.decide(approve("a")).backup
    request = Request(stamp(8), Kind.ROLLBACK, backup=backup)
    preview = preview_rollback(world.store._view(request), request)
    assert preview.documents == {MEMORY: b"tea"}
    assert [change.kind for change in preview.undoes] == [Kind.DECIDE]
    assert [item.proposal for item in preview.returned] == ["a"]
    world.correct(add("y"))
    assert world.rollback(backup, shown=preview.digest).moved
    world.undo()
    assert world.rollback(backup, shown=world.rollback(backup, shown="x").digest).done


@pytest.mark.parametrize(("limit", "words"), [(3, "will be over its limit: 5/3"), (200, None)])
def test_rollback_to_a_state_over_the_limit_is_allowed_and_said(limit, words) -> None:
    """The exact bytes return whatever the limit has become."""
    world = World(joined("a", "b"))
    backup = world.correct(drop("a")).backup
    world.store.limits = {MEMORY: limit, USER: limit}
    receipt = world.rollback(backup)
    assert receipt.done
    assert world.raw == joined("a", "b")
    assert list(receipt.notes) == ([f"memory {words}"] if words else [])


def test_rollback_can_replace_a_document_that_cannot_be_decoded_but_not_one_that_cannot_be_read() -> None:
    """Bytes that are there can be imaged first; bytes nobody can read would be lost."""
    world = World(b"a")
    backup = world.correct(add("x")).backup
    world.hand(b"\xff\xfe")
    receipt = world.rollback(backup)
    assert world.raw == b"a"
    image = next(found for found in world.store.backups() if found.id == receipt.backup)
    assert image.files[MEMORY] == b"\xff\xfe"
    request = Request(stamp(9), Kind.ROLLBACK, backup=backup)
    closed = Snapshot({MEMORY: unreadable(MEMORY, "no permission")}, {})
    assert (
        plan(replace(world.store._view(request), snapshot=closed), request).receipt.not_applied[0].state == "unreadable"
    )


def test_rollback_to_what_stands_there_changes_nothing_and_says_so() -> None:
    """The same for an unknown image."""
    world = World(b"a")
    backup = world.correct(add("x")).backup
    world.undo()
    assert world.rollback(backup).not_applied[0].state == "no-change"
    assert world.rollback("nothing").not_applied[0].code == "unknown-backup"


def test_an_outside_state_can_be_rolled_back_to() -> None:
    """Every state that stood between two looks has an image."""
    world = World(b"a")
    world.correct(add("b"))
    world.hand("by hand\r\n")
    world.correct(add("c"))
    by_hand = next(found for found in world.store.backups() if found.files[MEMORY] == b"by hand\r\n")
    known = next(found for found in world.store.backups() if found.id.endswith("-known"))
    assert known.files[MEMORY] == joined("a", "b")
    world.rollback(by_hand.id)
    assert world.raw == b"by hand\r\n"


def test_reverts_leave_rows_without_words() -> None:
    """What was picked is a number; what was restored is an id and commitments."""
    world, change = moved_on()
    world.undo(change, takes={0: "Secretly elsewhere"})
    world.rollback(world.store.backups()[0].id)
    text = "".join(row.body for row in world.store.rows())
    for word in ("Office", "Lyon", "Lille", "floor", "Parking", "Secretly", "elsewhere"):
        assert word not in text


def test_reopening_is_undone_by_closing_the_item_as_it_was() -> None:
    """Reopen and undo leave the queue as it was before."""
    world = World(b"tea")
    world.stage("a", add("x"))
    world.decide(reject("a"))
    world.ask(Kind.REOPEN, reopen=("a",))
    assert list(world.store.waiting()) == ["a"]
    world.undo()
    assert world.store.waiting() == {}
    assert world.store.decided()["a"].ending == "reject"


def test_an_item_superseded_in_a_change_that_is_undone_can_be_approved_itself() -> None:
    """Undo makes the choice among alternatives open again."""
    world = World(b"old")
    world.stage("a", swap("old", "one", pin="old"))
    world.stage("b", swap("old", "two", pin="old"))
    world.decide(approve("a", closes=("b",)))
    world.undo()
    assert world.decide(approve("b", override=frozenset({State.LOSSY}))).done
    assert world.entries() == ("two",)


def test_undo_names_only_ones_own_changes_when_nothing_is_named() -> None:
    """Another person's change is never the newest of this one."""
    world = World(b"a")
    world.correct(add("b"))
    other = Actor(ActorKind.PERSON, "somebody else", "cli")
    world.store.transact(Request(stamp(50, actor=other), Kind.CORRECT, corrections=(add("c"),)))
    world.undo()
    assert world.entries() == ("a", "c")
