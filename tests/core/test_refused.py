"""Refused attempts: a row at once, repeats within a minute as one number, never fewer rows for a clock that jumps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from curator_tui.core.plans import plan
from curator_tui.core.refused import WINDOW_S
from curator_tui.core.requests import ActorKind, Kind, Request
from tests.memory_store import MemoryStore
from tests.worlds import MEMORY, PERSON, USER, add, approve, chain_problems, stamp

HIDDEN = add("a\u202eb")
EVA = replace(PERSON, name="eva")
ROBOT = replace(PERSON, kind=ActorKind.POLICY, name="rule")


class Desk:
    """A store in memory with one flagged item and one clean one, and a clock."""

    def __init__(self) -> None:
        self.store = MemoryStore(limits={MEMORY: None, USER: None})
        self.store.files = {MEMORY: b"tea", USER: None}
        self.store.known = {MEMORY: b"tea", USER: None}
        self.clock = 1_790_000_000.0
        self.count = 0
        for name, operation in (("f1a9ed00", HIDDEN), ("f1a9ed01", HIDDEN), ("c1ea0000", add("x"))):
            self.store.stage(name, [operation], 0.0)

    def ask(self, kind: Kind = Kind.DECIDE, *, actor=PERSON, **parts):
        """Carry out a request."""
        self.count += 1
        return self.store.transact(Request(stamp(self.count, at=self.clock, actor=actor), kind, **parts))

    def refuse(self, name: str = "f1a9ed00", *, actor=PERSON) -> None:
        """Ask for a flagged item without an override."""
        receipt = self.ask(decisions=(approve(name),), actor=actor)
        assert [(part.id, part.state) for part in receipt.not_applied] == [(name, "flagged")]
        assert receipt.change is None

    def rows(self) -> list[tuple[str, int]]:
        """Return action and number of repeats of every row."""
        found = [sealed.row for sealed in self.store.rows()]
        return [(row["action"], row.get("repeats", 0)) for row in found]


def test_the_first_attempt_is_a_row_at_once_and_its_repeats_are_one_number() -> None:
    """The number comes with the next change after the minute, before its own row."""
    desk = Desk()
    for _ in range(5):
        desk.refuse()
        desk.clock += 10
    assert desk.rows() == [("refused", 0)]
    desk.clock += WINDOW_S
    desk.ask(decisions=(approve("c1ea0000"),))
    assert desk.rows() == [("refused", 0), ("refused", 4), ("approve", 0)]
    first, number = (desk.store.rows()[place].row for place in (0, 1))
    assert number["since"] == first["at"]
    assert number["decisions"] == first["decisions"]
    assert number["actor"] == first["actor"]
    assert chain_problems(desk.store.rows()) == []


def test_within_the_minute_a_change_does_not_tell_the_number_yet() -> None:
    """So that there is one number and not one per change."""
    desk = Desk()
    desk.refuse()
    desk.refuse()
    desk.ask(decisions=(approve("c1ea0000"),))
    desk.refuse()
    assert desk.rows() == [("refused", 0), ("approve", 0)]
    desk.clock += WINDOW_S
    desk.ask(Kind.OBSERVE)
    assert desk.rows() == [("refused", 0), ("approve", 0), ("refused", 2)]


def test_after_the_minute_the_same_attempt_tells_the_number_and_is_a_row_again() -> None:
    """And what is counted from then on is a number of its own."""
    desk = Desk()
    desk.refuse()
    desk.refuse()
    desk.clock += WINDOW_S
    desk.refuse()
    desk.refuse()
    assert desk.rows() == [("refused", 0), ("refused", 1), ("refused", 0)]
    desk.clock += WINDOW_S
    desk.ask(Kind.OBSERVE)
    assert desk.rows()[3:] == [("refused", 1)]
    desk.clock += WINDOW_S
    desk.ask(Kind.OBSERVE)
    assert len(desk.rows()) == 4, "a number is told once"


def test_another_item_another_reason_and_another_actor_are_other_attempts() -> None:
    """Only what is the same in all of these is a repeat."""
    desk = Desk()
    desk.refuse()
    desk.refuse("f1a9ed01")
    desk.refuse(actor=EVA)
    desk.refuse(actor=ROBOT)
    desk.ask(Kind.CORRECT, corrections=(HIDDEN,))
    desk.ask(Kind.CORRECT, corrections=(HIDDEN,))
    assert desk.rows() == [("refused", 0)] * 5


def test_the_number_names_who_made_the_attempts_and_not_who_came_after() -> None:
    """The row is written by another person's change."""
    desk = Desk()
    desk.refuse(actor=EVA)
    desk.refuse(actor=EVA)
    desk.clock += WINDOW_S
    desk.ask(decisions=(approve("c1ea0000"),))
    assert [sealed.row["actor"]["name"] for sealed in desk.store.rows()] == ["eva", "eva", "tester"]


@pytest.mark.parametrize("jump", [-0.001, -3600.0, WINDOW_S, 86_400.0])
def test_a_clock_that_leaves_the_minute_in_either_direction_ends_it(jump: float) -> None:
    """A clock set back could keep a minute open for hours; it ends it instead."""
    desk = Desk()
    desk.refuse()
    desk.refuse()
    desk.clock += jump
    desk.refuse()
    assert desk.rows() == [("refused", 0), ("refused", 1), ("refused", 0)]


def test_a_counted_attempt_is_refused_like_the_first() -> None:
    """Nothing is applied, no change is claimed, and the reason is the same."""
    desk = Desk()
    answers = [desk.ask(decisions=(approve("f1a9ed00"),)) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert desk.store.files == {MEMORY: b"tea", USER: None}


def test_nothing_is_stored_where_nothing_is_told_or_counted() -> None:
    """An attempt whose minute is over does not make an empty request write."""
    desk = Desk()
    desk.refuse()
    desk.clock += WINDOW_S
    view = desk.store._view(Request(stamp(99, at=desk.clock), Kind.OBSERVE))
    assert plan(view, Request(stamp(99, at=desk.clock), Kind.OBSERVE)).empty


@given(st.lists(st.tuples(st.sampled_from("abxo"), st.sampled_from([0.0, 1.0, 30.0, 59.9, 60.0, -1.0, -500.0]))))
def test_rows_and_numbers_together_account_for_every_attempt(steps: list[tuple[str, float]]) -> None:
    """Whatever the clock does: each attempt is a row or in a number, once."""
    desk = Desk()
    made = 0
    for what, seconds in steps:
        desk.clock += seconds
        if what in "ab":
            desk.refuse("f1a9ed00" if what == "a" else "f1a9ed01")
            made += 1
        elif what == "x":
            desk.ask(Kind.CORRECT, corrections=(add(f"fact {desk.count}"),))
        else:
            desk.ask(Kind.OBSERVE)
    desk.clock += WINDOW_S
    desk.clock = max(desk.clock, *(one.at + WINDOW_S for one in desk.store.refused), 0.0)
    desk.ask(Kind.OBSERVE)
    refused = [repeats for action, repeats in desk.rows() if action == "refused"]
    assert sum(repeats or 1 for repeats in refused) == made
    assert chain_problems(desk.store.rows()) == []
