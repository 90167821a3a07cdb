"""Force: what is recorded as in force is what documents and queue show, in any order of taking back."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from curator_tui.core.force import put_out, taken_back
from curator_tui.core.requests import Kind
from tests.core.test_reverts import World
from tests.memory_store import UNDOABLE
from tests.worlds import PERSON, add, approve

_DOING = frozenset({Kind.DECIDE, Kind.CORRECT})


@given(st.lists(st.lists(st.integers(0, 6), max_size=3), max_size=7))
def test_a_change_is_in_force_unless_a_later_one_in_force_took_it_back(raw: list[list[int]]) -> None:
    """taken_back agrees with the definition, evaluated by hand from the newest change on."""
    edges = [(str(n), tuple(str(m) for m in sorted(set(took)) if m < n)) for n, took in enumerate(raw)]
    by = taken_back(edges)

    def in_force(name: int) -> bool:
        return not any(str(name) in took and in_force(int(change)) for change, took in edges if int(change) > name)

    for number in range(len(raw)):
        assert (str(number) not in by) == in_force(number)
    assert all(str(changed) in dict(edges)[change] for changed, change in by.items())


@given(st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=9))
def test_what_put_a_change_out_of_force_last_is_what_step_after_step_shows(raw: list[list[int]]) -> None:
    """put_out agrees with its definition: each step evaluated anew. A damaged book may take back what comes later."""
    edges = [(str(n), tuple(str(m) for m in took)) for n, took in enumerate(raw)]
    marks: dict[str, str] = {}
    before: dict[str, str] = {}
    for count, (change, undone) in enumerate(edges, 1):
        after = taken_back(edges[:count])
        marks = {name: mark for name, mark in marks.items() if name in after}
        marks.update({name: change for name in after if name in undone or name not in before})
        before = after
    assert put_out(edges) == marks


def test_what_a_long_ledger_puts_out_of_force_is_found_without_going_through_it_again_for_each_change() -> None:
    """Counted, not timed: how often any takeback is looked at."""
    looked = 0

    class Counted(tuple[str, ...]):
        __slots__ = ()

        def __iter__(self) -> Iterator[str]:
            nonlocal looked
            looked += 1
            return super().__iter__()

    number = 2_000
    edges = [(f"u{n}", Counted((f"c{n}",))) for n in range(number)]
    assert put_out(edges) == {f"c{n}": f"u{n}" for n in range(number)}
    assert looked <= 3 * number


def test_an_undone_redo_is_no_more_in_force_than_what_it_redid() -> None:
    """Undo, redo, undo: a rollback to before it has nothing left to do, and nothing is stuck."""
    world = World(b"tea")
    world.correct(add("y"))
    backup = world.store.backups()[0].id
    world.stage("a", add("x"))
    change = world.decide(approve("a")).change
    world.undo()
    world.redo()
    world.undo(change)
    assert world.in_force() == [0, 2, 4]
    receipt = world.rollback(backup)
    assert receipt.done
    assert receipt.not_applied == ()
    assert (world.raw, list(world.store.waiting())) == (b"tea", ["a"])


def test_what_was_undone_twice_over_is_redone_by_one_redo() -> None:
    """Two undos of one change say one thing; to take back only one of them would leave the other in force."""
    world = World(b"tea")
    first = world.correct(add("x")).change
    undo = world.undo(first).change
    redo = world.redo().change
    world.undo(first)
    assert world.undo(redo).not_applied[0].code == "already-undone"
    assert world.ask(Kind.REDO, reverts=undo).done
    assert world.entries() == ("tea", "x")
    assert world.in_force() == [0, 2, 4]


def test_an_undo_by_which_nothing_comes_back_into_force_is_refused() -> None:
    """What a rollback took back as well does not come back because its own undo is taken back."""
    world = World(b"tea")
    first = world.correct(add("x"))
    world.correct(add("y"))
    rollback = world.rollback(first.backup).change
    unrolled = world.undo(rollback).change
    undo = world.undo(first.change).change
    world.undo(unrolled)
    before = world.raw
    (failed,) = world.undo(undo).not_applied
    assert (failed.code, rollback in failed.message) == ("taken-back-twice", True)
    assert world.raw == before == b"tea"


_steps = st.lists(
    st.tuples(st.sampled_from(["add", "approve", "undo", "redo", "name", "back"]), st.integers(0, 30)), max_size=14
)


# a rollback to where an earlier decision stands keeps the item closed by the later one that it takes back
@example(
    [("approve", 0), *[("add", 0)] * 3, ("name", 0), ("redo", 0), ("back", 1), *[("add", 0)] * 3, ("back", 15)],
)
# an undo of a rollback whose effect was gone already, and a rollback to before both
@example(
    [("add", 0), ("undo", 0), *[("add", 0)] * 2, *[("undo", 0)] * 2, ("back", 3), ("name", 1), ("undo", 0), ("back", 7)]
)
@given(_steps)
def test_what_is_in_force_is_what_documents_and_queue_show(steps: list[tuple[str, int]]) -> None:
    """Any order of changes, undos (of the newest, or of one by name), redos and rollbacks: each adds its own entry."""
    world = World(b"begin")
    made: dict[str, str] = {}
    for number, (step, which) in enumerate(steps):
        entry, receipt = f"entry {number}", None
        if step == "add":
            made[world.correct(add(entry)).change] = entry
        elif step == "approve":
            world.stage(f"{number:08x}", add(entry))
            made[world.decide(approve(f"{number:08x}")).change] = entry
        elif step == "undo" and world.store.newest_undoable(PERSON):
            receipt = world.undo()
        elif step == "redo" and world.store.newest_redoable(PERSON):
            receipt = world.redo()
        elif step == "name" and (names := [past.id for past in world.store.past if past.kind in UNDOABLE]):
            receipt = world.undo(names[which % len(names)])
        elif step == "back" and world.store.images:
            receipt = world.rollback(world.store.backups()[which % len(world.store.images)].id)
        # what another change closed again meanwhile is told, and is no part that was not done
        left = [] if receipt is None or receipt.change is None else receipt.not_applied
        assert all(one.code == "already-decided" for one in left), receipt
        force = {change.id for change in world.store.past if change.undone_by is None}
        assert set(world.entries()) == {"begin"} | {text for change, text in made.items() if change in force}
        out = {
            item.proposal
            for change in world.store.past
            if change.id in made and change.id not in force
            for item in change.closed
        }
        assert out <= set(world.store.waiting())
