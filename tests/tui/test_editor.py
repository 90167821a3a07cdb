"""The editor outside: what it leaves, that it may fail in every way, and that the application always comes back."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from curator_tui.tui import editor


class _Left:
    """An application that can be left for an editor; like Textual's, it does not come back from an exception."""

    def __init__(self) -> None:
        self.back = False

    @contextmanager
    def suspend(self) -> Iterator[None]:
        yield
        self.back = True


@pytest.mark.parametrize(
    ("code", "written", "text"), [(0, b"new text\n", "new text"), (1, b"new", None), (0, b"\xff", None)]
)
def test_what_the_editor_leaves_is_taken_over_or_dropped(
    monkeypatch: pytest.MonkeyPatch, code: int, written: bytes, text: str | None
) -> None:
    monkeypatch.setenv("VISUAL", "ed --quiet")
    seen: list[str] = []

    def run(command: object) -> int:
        assert isinstance(command, list)
        seen.extend(command)
        path = Path(command[-1])
        assert path.read_text("utf-8") == "old text"
        assert path.stat().st_mode & 0o777 == 0o600
        path.write_bytes(written)
        return code

    found, problem = editor.edit_outside(_Left(), "old text", run)  # type: ignore[arg-type]
    assert found == text
    assert bool(problem) == (text is None)
    assert seen[:2] == ["ed", "--quiet"]
    assert not Path(seen[-1]).exists()


@pytest.mark.parametrize(
    ("command", "cause"),
    [
        ("/usr/bin/no-such-editor", "No such file or directory"),
        ("/etc/passwd", "Permission denied"),
        ("x" * 300, "File name too long"),
    ],
)
def test_an_editor_that_does_not_start_brings_the_application_back_and_says_why(
    monkeypatch: pytest.MonkeyPatch, command: str, cause: str
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", command)
    app = _Left()
    assert editor.edit_outside(app, "old text") == (None, f"the editor did not start: {cause}")  # type: ignore[arg-type]
    assert app.back


def test_no_room_for_the_file_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VISUAL", "true")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    found, problem = editor.edit_outside(_Left(), "old text")  # type: ignore[arg-type]
    assert found is None
    assert problem == "no file could be made for the editor: No such file or directory"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
def test_the_keys_that_interrupt_an_editor_do_not_end_the_application(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setenv("VISUAL", "ed")
    ended: list[int] = []
    before = signal.signal(number, lambda *_: ended.append(1))
    mine = signal.getsignal(number)

    def run(command: Sequence[str]) -> int:
        os.kill(os.getpid(), number)
        Path(command[-1]).write_text("new text")
        return 0

    try:
        assert editor.edit_outside(_Left(), "old text", run) == ("new text", "")  # type: ignore[arg-type]
        assert ended == []
        assert signal.getsignal(number) is mine
    finally:
        signal.signal(number, before)


def test_the_editor_itself_still_hears_those_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = tmp_path / "editor"
    script.write_text("#!/bin/sh\nkill -INT $$\nexit 0\n")
    script.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(script))
    found, problem = editor.edit_outside(_Left(), "old text")  # type: ignore[arg-type]
    assert (found, problem) == (None, "the editor ended with code -2; nothing was taken over")


def test_outside_the_main_thread_no_signal_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "true")
    answers: list[tuple[str | None, str]] = []
    thread = threading.Thread(
        target=lambda: answers.append(editor.edit_outside(_Left(), "old text"))  # type: ignore[arg-type]
    )
    thread.start()
    thread.join()
    assert answers == [("old text", "")]
