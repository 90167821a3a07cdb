"""A kind of store that keeps no skills: the desk has none to show, and says so by showing none."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.core.skills import SkillListing, Standing
from curator_tui.curator.skills import WaitingSkills, find, installed, shown, waiting
from curator_tui.stores.hermes.store import HermesStore
from tests.homes import make_home
from tests.tui.desks import desk_on


def test_a_store_without_skills_lists_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(tmp_path)
    queue = home / "pending" / "skills"
    queue.mkdir(parents=True)
    (queue / "s1.json").write_text('{"id": "s1", "subsystem": "skills", "payload": {"action": "delete", "name": "x"}}')
    desk = desk_on(home)
    write = find(desk, "s1")
    monkeypatch.setattr(HermesStore, "skills", None)
    assert installed(desk) == SkillListing()
    assert waiting(desk) == WaitingSkills()
    assert shown(desk, write).now == Standing()
