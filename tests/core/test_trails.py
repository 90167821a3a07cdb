"""The walk along a document's steps: held against a model that remembers for every entry which step brought it."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.origins import EARLIER_LIMIT, Proposer, Tracer, attributed
from curator_tui.core.requests import OUTSIDE
from curator_tui.core.trails import UNKNOWN, Entries, Step, Trail, Way
from tests.worlds import MEMORY, PERSON

TEXTS = "abcd"


@dataclasses.dataclass
class Model:
    """Entries with the step that brought each, 0 for those that always stood there."""

    now: dict[str, int] = dataclasses.field(default_factory=lambda: {"a": 0})
    before: dict[int, dict[str, int]] = dataclasses.field(default_factory=dict)
    steps: list[Step] = dataclasses.field(default_factory=list)

    def to(self, entries: dict[str, int], way: Way, *, lost: str = "", back_to: int | None = None) -> None:
        """Take one step; ``lost`` says which of its texts are gone."""
        seq = len(self.steps) * 2 + 2
        before, after = tuple(self.now), tuple(entries)
        self.before[seq] = dict(self.now)
        self.now = {text: (came if came >= 0 else seq) for text, came in entries.items()}
        kept_before = None if "b" in lost else before
        kept_after = None if "a" in lost else after
        self.steps.append(Step(seq, float(seq), f"c{seq}", way, PERSON, kept_before, kept_after, back_to))


moves = st.lists(
    st.tuples(
        st.sampled_from(["flip", "back", "outside"]),
        st.sampled_from(TEXTS),
        st.integers(0, 8),
        st.sampled_from(["", "", "", "a", "b", "ab"]),
    ),
    max_size=14,
)


def played(found: list[tuple[str, str, int, str]], *, losing: bool) -> Model:
    model = Model()
    for what, text, back, lost in found:
        gone = lost if losing else ""
        if what == "back" and model.steps:
            seq = model.steps[back % len(model.steps)].seq
            old = model.before[seq]
            model.to({t: model.now.get(t, came) for t, came in old.items()}, Way.REVERTED, lost=gone, back_to=seq)
        else:
            entries = {t: came for t, came in model.now.items() if t != text}
            if text not in model.now:
                entries[text] = -1
            model.to(entries, Way.OUTSIDE if what == "outside" else Way.CORRECTED, lost=gone)
    return model


@given(moves)
def test_every_entry_has_the_step_that_first_brought_it(found: list[tuple[str, str, int, str]]) -> None:
    model = played(found, losing=False)
    trail = Trail(model.steps)
    if model.steps:
        assert trail.now == tuple(model.now)
    for text, seq in model.now.items():
        came = trail.came(text) or UNKNOWN
        assert (came.step.seq if came.step is not None else 0) == seq


@given(moves)
def test_where_texts_are_lost_a_step_is_unknown_and_never_another_one(found: list[tuple[str, str, int, str]]) -> None:
    model = played(found, losing=True)
    trail = Trail(model.steps)
    for text, seq in model.now.items():
        came = trail.came(text)
        if came is not None and came.step is not None:
            assert came.step.seq == seq


def test_a_text_that_no_step_knows_came_after_the_last_one() -> None:
    step = Step(1, 1.0, "c1", Way.CORRECTED, PERSON, (), ("a",))
    assert Trail([step]).came("b") is None
    assert Trail([]).came("b") is UNKNOWN


def tracer(*steps: Step) -> Tracer:
    return Tracer(MEMORY, Trail(steps), lambda _: (), lambda _: True)


def test_a_long_line_of_texts_is_cut_and_a_circle_ends() -> None:
    states: list[Entries] = [(f"wording {number}",) for number in range(40)]
    steps = [
        Step(n + 1, None, f"c{n}", Way.CORRECTED, PERSON, states[n], states[n + 1], replaces=True) for n in range(39)
    ]
    assert len(tracer(*steps).origin("wording 39").earlier) == EARLIER_LIMIT
    circle = [
        Step(1, None, "c1", Way.CORRECTED, PERSON, ("x",), ("y",), replaces=True),
        Step(2, None, "c2", Way.CORRECTED, PERSON, ("y",), ("x",), replaces=True),
    ]
    assert tracer(*circle).origin("x").earlier == ("y",)


def test_who_wrote_outside_the_review_is_another_program() -> None:
    step = Step(3, 7.0, "c3", Way.OUTSIDE, OUTSIDE, ("a",), ("a", "b"))
    found = tracer(step).origin("b")
    assert (found.proposer, found.noticed, found.at, found.seen) == (Proposer.PROGRAM, True, 7.0, False)


def test_nobody_can_tell_which_of_two_unkept_items_wrote_a_text() -> None:
    from curator_tui.core.endings import Ending
    from curator_tui.core.origins import Written

    two = [Written("one", Ending.APPROVE), Written("two", Ending.APPROVE)]
    assert attributed(MEMORY, "text", two) == (None, None)
    assert attributed(MEMORY, "text", two[:1])[0] == two[0]
    assert attributed(MEMORY, "text", [Written("one", Ending.REJECT)]) == (None, None)
