"""The gates of the screen: nothing that was not painted, seen and looked at for a moment can be approved."""

from __future__ import annotations

import pytest

from curator_tui.tui.gates import Frame, KeyGuard, Locked, PaintedGate, Press

FRAME = Frame("a1", "d1", (None, "- old", "+ new", None))


def shown_gate(*lines: int, at: float = 10.0) -> PaintedGate:
    gate = PaintedGate(dwell=0.3)
    gate.begin(FRAME)
    gate.painted([(line, 0, 1) for line in lines], at)
    return gate


def test_nothing_counts_before_it_was_painted() -> None:
    gate = PaintedGate(dwell=0.3)
    assert gate.locked("a1", "d1", 10.0) is Locked.NOT_SHOWN
    gate.begin(FRAME)
    assert gate.locked("a1", "d1", 10.0) is Locked.NOT_SHOWN
    gate.painted([(1, 0, 1), (2, 0, 1)], 10.0)
    assert gate.locked("a1", "d1", 10.4) is None


@pytest.mark.parametrize(("pressed", "locked"), [(9.9, Locked.NOT_SHOWN), (10.1, Locked.TOO_SOON), (10.31, None)])
def test_a_key_counts_only_after_the_item_was_on_screen_for_a_moment(pressed: float, locked: Locked | None) -> None:
    assert shown_gate(1, 2).locked("a1", "d1", pressed) is locked


def test_another_item_or_another_outcome_is_not_what_was_painted() -> None:
    gate = shown_gate(1, 2)
    assert gate.locked("a2", "d1", 11.0) is Locked.NOT_SHOWN
    assert gate.locked("a1", "d2", 11.0) is Locked.NOT_SHOWN


def test_every_changed_line_has_to_be_seen_whole() -> None:
    gate = shown_gate(0, 1)
    assert gate.locked("a1", "d1", 11.0) is Locked.UNSEEN
    gate.painted([(2, 0, 2)], 11.0)
    assert gate.unseen() == (2,)
    gate.rewrapped()
    gate.painted([(2, 1, 2)], 11.0)
    assert gate.unseen() == (2,), "parts of an earlier wrapping do not count"
    gate.painted([(2, 0, 2)], 11.0)
    assert gate.locked("a1", "d1", 11.0) is None


def test_rejecting_needs_no_seen_lines_but_a_painted_item() -> None:
    gate = shown_gate(0)
    assert gate.shown_problem("a1", 11.0) is None
    assert gate.shown_problem("a2", 11.0) is Locked.NOT_SHOWN


def test_after_a_change_only_what_differs_is_unseen() -> None:
    gate = shown_gate(1, 2)
    gate.begin(Frame("a1", "d2", (None, "- old", "+ newer")))
    gate.painted([(1, 0, 1)], 20.0)
    assert gate.unseen() == (2,)
    assert gate.mark_of("a1") == "o", "what was seen belongs to the digest it was seen of"
    assert gate.opened() == {}
    gate.painted([(2, 0, 1)], 21.0)
    assert gate.mark_of("a1") == "*"
    assert gate.opened() == {"a1": "d2"}


def test_another_digest_with_the_same_lines_counts_as_seen_only_after_it_was_painted() -> None:
    gate = shown_gate(1, 2)
    gate.begin(FRAME._replace(digest="d2"))
    assert gate.opened() == {}
    gate.painted([(0, 0, 1)], 20.0)
    assert gate.opened() == {"a1": "d2"}


def test_lines_of_the_same_text_are_told_apart() -> None:
    gate = PaintedGate(dwell=0.0)
    frame = Frame("a1", "d1", ("+ same", "+ same"))
    gate.begin(frame)
    gate.painted([(0, 0, 1)], 10.0)
    gate.begin(frame)
    assert gate.unseen() == (1,)


def test_the_mark_of_a_row_falls_when_its_record_changes() -> None:
    gate = PaintedGate(dwell=0.0)
    gate.begin(FRAME._replace(record="r1"))
    gate.painted([(1, 0, 1), (2, 0, 1)], 10.0)
    assert gate.mark_of("a1", "r1") == "*"
    assert gate.mark_of("a1", "r2") == "o"


def test_what_is_hidden_cannot_be_decided() -> None:
    gate = shown_gate(1, 2)
    gate.hide()
    assert gate.locked("a1", "d1", 11.0) is Locked.NOT_SHOWN
    assert gate.shown_problem("a1", 11.0) is Locked.NOT_SHOWN


def test_an_item_that_comes_back_starts_unseen() -> None:
    gate = shown_gate(1, 2)
    assert gate.mark_of("a1") == "*"
    gate.forget(["a1"])
    assert gate.mark_of("a1") == "."
    gate.begin(FRAME)
    assert gate.unseen() == (1, 2)


def presses(keys: str, start: float, gap: float, decides: str = "axu") -> list[Press[str]]:
    return [Press(key, start + at * gap, True, key in decides, key) for at, key in enumerate(keys)]


def through(guard: KeyGuard[str], keys: list[Press[str]]) -> tuple[list[str], int]:
    """Feed presses with the silences between them; return what acted and how many were dropped."""
    acted: list[str] = []
    dropped = 0
    last = float("-inf")
    for press in keys:
        if press.at - last > guard.wait:
            kept, lost = guard.settle()
            acted += [one.event for one in kept]
            dropped += lost
        if guard.press(press):
            acted.append(press.event)
        last = press.at
    kept, lost = guard.settle()
    return acted + [one.event for one in kept], dropped + lost


def test_one_key_acts() -> None:
    assert through(KeyGuard(), presses("a", 1.0, 0.0)) == (["a"], 0)


def test_moves_act_at_once() -> None:
    guard: KeyGuard[str] = KeyGuard()
    assert guard.press(presses("j", 1.0, 0.0)[0]) is True


@pytest.mark.parametrize("gap", [0.0, 0.005, 0.015])
def test_ten_keys_in_a_bunch_are_one(gap: float) -> None:
    acted, dropped = through(KeyGuard(), presses("a" * 10, 1.0, gap))
    assert (acted, dropped) == (["a"], 9)


def test_a_held_key_acts_once() -> None:
    """First press, the usual half second, then thirty repeats a second."""
    keys = presses("a", 1.0, 0.0) + presses("a" * 20, 1.5, 0.033)
    assert through(KeyGuard(), keys)[0] == ["a"]


def test_presses_of_a_person_all_act() -> None:
    assert through(KeyGuard(), presses("axa", 1.0, 0.9))[0] == ["a", "x", "a"]


@pytest.mark.parametrize("gap", [0.0, 0.01, 0.018])
def test_typed_words_do_not_decide(gap: float) -> None:
    """Text typed into the wrong window: its moves may move, its deciding letters do nothing."""
    acted, dropped = through(KeyGuard(), presses("lax rules", 1.0, gap))
    assert not set(acted) & set("axu")
    assert dropped


def test_the_guard_can_be_off() -> None:
    assert KeyGuard[str](quiet=0.0).press(presses("a", 1.0, 0.0)[0]) is True
