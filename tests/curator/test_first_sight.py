"""The entry that was meant at first sight is the one that counts, however often its record is written again."""

from __future__ import annotations

from pathlib import Path

from curator_tui.core.preflight import State
from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import open_desk
from tests.curator.test_after_the_change import edit_in_place, entries
from tests.homes import make_home, record, write


def _open(home: Path) -> Desk:
    return open_desk(home=home, profile=None, environ={}, through="cli")


def test_a_record_that_comes_back_in_its_place_keeps_its_recorded_pin(tmp_path: Path) -> None:
    """What is shown of it and what the store would do with it are the same."""
    pending = [record("c0000001", "replace", "Uses fish", "Uses zsh")]
    home = make_home(tmp_path / "home", memory="Uses zsh", pending=pending)
    first = _open(home)
    assert first.item("c0000001").state is State.READY
    first.observe()
    first.close()
    write(home / "memories" / "MEMORY.md", b"Uses zsh on every machine")
    edit_in_place(home, "c0000001", "Uses fish", "Uses dash")
    desk = _open(home)
    edit_in_place(home, "c0000001", "Uses dash", "Uses fish")
    item = desk.item("c0000001")
    assert item.state is State.STALE, "it meant an entry that is gone, not the one its words stand in by now"
    receipt = desk.decide([Decision("c0000001", Verb.APPROVE)], shown=item.digest)
    assert not receipt.moved
    assert [failed.state for failed in receipt.not_applied] == ["stale"]
    assert entries(desk) == ("Uses zsh on every machine",)
    desk.close()
