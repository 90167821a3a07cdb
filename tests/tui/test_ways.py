"""What the sentences name that say how to go on: only keys and words that do something with that item."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.curator.looking import look
from curator_tui.tui.facts import counted
from curator_tui.tui.learned_rows import kind_words
from curator_tui.tui.ways import whole_only
from tests.cli.conversation import behind, talk
from tests.tui.desks import desk_with, every_state

STAYS = "x rejects it, a approves it as it stands"


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("inv00001", "x rejects"),
        ("bad00001", "x rejects"),
        ("sta00001", "a picks an entry, x rejects"),
        ("amb00001", "a picks one, x rejects"),
        ("ovr00001", "e shortens, x rejects"),
        ("add00001", STAYS),
        ("fla00001", STAYS),
        ("noc00001", STAYS),
    ],
)
def test_an_item_that_cannot_be_approved_is_not_said_to_be(tmp_path: Path, name: str, way: str) -> None:
    desk = desk_with(tmp_path, every_state(), raw={"bad00001.json": b"{no"})
    assert whole_only(look(desk, name)) == way
    desk.close()


def test_line_by_line_neither(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state(), raw={"bad00001.json": b"{no"})
    desk.close()
    home = tmp_path / "hermes"
    said = talk(home, "open bad00001", "edit", "open inv00001", "editor", "approve", "open add00001", "inside")
    assert "There is no text to edit in this item. Type record to see its bytes" in behind(said, "edit")
    assert "There is no text to edit in this item. Type reject." in behind(said, "editor")
    assert "Not approved. " in behind(said, "approve")
    assert "Type edit" not in behind(said, "approve")
    assert "Type reject, or approve to take it as it stands." in behind(said, "inside")


def test_one_of_a_kind_is_said_in_the_singular() -> None:
    assert kind_words([]) == "0 entries, 0 skills"
    assert counted(1, "live entry") == "1 live entry"
