"""The home of a demo: gone with its application unless it was asked for, and that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.__main__ import main
from curator_tui.cli import start


@pytest.mark.parametrize("kept", [False, True])
def test_the_end_of_a_demo_says_what_becomes_of_its_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, kept: bool
) -> None:
    homes: list[Path] = []

    def opened(session: start.Session) -> int:
        assert session.home is not None
        homes.append(session.home)
        assert session.home.is_dir()
        return 0

    monkeypatch.setattr(start, "start_application", opened)
    asked = ["demo", "--keep", str(tmp_path / "demo")] if kept else ["demo"]
    assert main(asked) == 0
    said = capsys.readouterr().err
    assert homes[0].exists() is kept
    assert ("removed now" in said) is not kept
    assert ("demo --keep DIR" in said) is not kept
    assert (f"kept at {homes[0]}. Open it again with: curator-tui --home {homes[0]}\n" in said) is kept
