"""What an item does, in the one line that its row has."""

from __future__ import annotations

import pytest

from curator_tui.tui.facts import summary
from tests.tui.desks import NET
from tests.worlds import item, swap


@pytest.mark.parametrize(
    ("before", "after", "row"),
    [
        ("Standing fact 7 of tea", "Reworded fact 7 of tea", "Standing -> Reworded fact 7 of tea"),
        ("pnpm 9 is pinned in web", "pnpm 10 is pinned in web", "pnpm 9 -> 10 is pinned in web"),
        ("a b c d e f g h", "a b c d e X g h", "… b c d e f -> X g h"),
        ("A very long beginning and tea", "A very long beginning and milk", "… long beginning and tea -> milk"),
        (NET, "[nas] web port 9090", "[net] router is… +53 -> [nas] web port 9090"),
        ("Deploys on Fridays", "Deploys on Fridays", "unchanged: Deploys on Fridays"),
        ("y" * 450 + " b", "y" * 450 + " c", "… b -> c"),
    ],
)
def test_a_replacement_shows_what_comes_and_what_tells_it_from_others(before: str, after: str, row: str) -> None:
    """Rows that change one word alike differ in the words that stay."""
    assert summary(item("a", swap(before, after))) == row
