"""Spot checks: how many, that nobody can foresee them, and that they stay while rows stay the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.spot_checks import SEED_BYTES, Drawn, draw, spot_check_count

NAMES = [f"{n:08x}" for n in range(150)]
SEEDS = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


def rows_of(count: int, does: str = "a") -> dict[str, str]:
    return dict.fromkeys(NAMES[:count], does)


@pytest.mark.parametrize(("rows", "count"), [(0, 0), (1, 1), (2, 2), (20, 2), (21, 3), (100, 3), (101, 5), (5000, 5)])
def test_more_rows_need_more_spot_checks(rows: int, count: int) -> None:
    """Two up to twenty, three up to a hundred, five beyond, never more than there are."""
    assert spot_check_count(rows) == count


@given(st.integers(0, 150), SEEDS, st.data())
def test_spot_checks_are_drawn_from_what_was_not_opened(rows: int, seed: bytes, data: st.DataObject) -> None:
    """Nothing twice, nothing that was opened before, as many as there have to be."""
    plan = rows_of(rows)
    opened = data.draw(st.sets(st.sampled_from(NAMES[:rows]))) if rows else set()
    picked = draw(plan, opened, seed).standing(plan)
    assert len(set(picked)) == len(picked) == min(spot_check_count(rows), rows - len(opened))
    assert not set(picked) & opened


def test_the_draw_follows_from_the_seed_alone() -> None:
    """The same rows under other seeds: not always the same ones, and none that is never drawn."""
    plan = rows_of(40)
    picks = [draw(plan, (), bytes([seed]) * SEED_BYTES).standing(plan) for seed in range(120)]
    assert len(set(picks)) > 100
    assert {name for pick in picks for name in pick} == set(plan)


@given(st.integers(1, 150), SEEDS, SEEDS)
def test_asking_again_draws_nothing_else(rows: int, first: bytes, second: bytes) -> None:
    """While every row stays the same the draw does, opened or not."""
    plan = rows_of(rows)
    drawn = draw(plan, (), first)
    assert draw(plan, (), second, drawn) == drawn
    assert draw(plan, drawn.standing(plan), second, drawn) == drawn


@given(st.integers(2, 150), SEEDS, SEEDS, st.data())
def test_rows_that_changed_are_drawn_from_anew(rows: int, first: bytes, second: bytes, data: st.DataObject) -> None:
    """As if they were a plan of their own; what was drawn of the others stays."""
    plan = rows_of(rows)
    changed = data.draw(st.sets(st.sampled_from(NAMES[:rows]), min_size=1))
    drawn = draw(plan, (), first)
    after = {**plan, **dict.fromkeys(changed, "b")}
    again = draw(after, set(plan) - changed, second, drawn).standing(after)
    assert set(drawn.standing(plan)) - changed <= set(again)
    assert len(changed & set(again)) >= spot_check_count(len(changed))


def test_a_row_that_was_left_out_is_replaced_and_counts_again_when_it_returns() -> None:
    """Dropping what was drawn is no way around the draw."""
    plan = rows_of(10)
    drawn = draw(plan, (), b"1" * SEED_BYTES)
    dropped = drawn.standing(plan)[0]
    fewer = {name: does for name, does in plan.items() if name != dropped}
    again = draw(fewer, (), b"2" * SEED_BYTES, drawn)
    assert len(again.standing(fewer)) == 2
    assert dropped in draw(plan, (), b"3" * SEED_BYTES, again).standing(plan)
    assert Drawn().standing(plan) == ()
