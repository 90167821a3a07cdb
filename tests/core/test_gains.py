"""Gains: only what is said twice promises room; what looks alike and differs says in what."""

from __future__ import annotations

import time

import pytest

from curator_tui.core.gains import Likeness, gains, room_in


@pytest.mark.parametrize(
    ("earlier", "later", "likeness", "drop"),
    [
        ("Uses pnpm, not npm", "Uses pnpm (not npm)", Likeness.SAME, "Uses pnpm (not npm)"),
        ("He said “tabs”", 'He said "tabs"', Likeness.SAME, 'He said "tabs"'),
        ("Staging needs the VPN", "Staging needs the VPN and a hardware key", Likeness.WITHIN, "Staging needs the VPN"),
        ("Staging needs a VPN and a key", "Staging needs the VPN", Likeness.WITHIN, "Staging needs the VPN"),
        ("Rate limit is 40 a minute", "Rate limit is 60 a minute", Likeness.ALIKE, "Rate limit is 40 a minute"),
        ("Prefers dark mode in editors", "Prefers light mode in editors", Likeness.ALIKE,
         "Prefers dark mode in editors"),
    ],
)  # fmt: skip
def test_pairs_that_are_alike(earlier: str, later: str, likeness: Likeness, drop: str) -> None:
    found = gains(["Something else entirely", earlier, later])
    assert [(one.likeness, one.drop) for one in found] == [(likeness, drop)]
    assert found[0].saved == len(drop) + 3
    assert room_in(found) == (found[0].saved if likeness is not Likeness.ALIKE else 0)


def test_a_denial_is_never_taken_for_a_repeat() -> None:
    found = gains(["Uses tabs for Python files", "Never uses tabs for Python files"])
    assert all(not one.certain for one in found)


def test_what_differs_is_told() -> None:
    (found,) = gains(["Rate limit is 40 a minute", "Rate limit is 60 a minute"])
    assert found.differ == (("40",), ("60",))


@pytest.mark.parametrize("entries", [[], ["one"], ["Name: Bob", "Home city: Porto"], ["the a of", "of the a"]])
def test_what_is_not_alike_is_not_named(entries: list[str]) -> None:
    assert room_in(gains(entries)) in {0, len("of the a") + 3}


def test_of_several_that_say_the_same_one_stays() -> None:
    entries = ["Uses pnpm, not npm", "Uses pnpm (not npm)", "uses pnpm - not npm"]
    dropped = {one.drop for one in gains(entries) if one.certain}
    assert len(dropped) == 2


def test_a_long_document_is_looked_through_in_bounded_time() -> None:
    entries = [f"Service {number} listens on port {number + 8000} in zone {number % 7}" for number in range(1_500)]
    before = time.thread_time()
    gains(entries)
    assert time.thread_time() - before < 1.5
