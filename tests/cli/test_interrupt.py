"""The interrupt key: it ends the program with 130, and what it came too late for is told."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator_tui.__main__ import main
from curator_tui.cli.output import Output
from curator_tui.stores import failpoints
from tests.cli.conftest import Answer, Cli
from tests.homes import make_home, record

NEW = "Has two monitors"


@pytest.fixture
def cli(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> Iterator[Cli]:
    # a runner in the background may ignore the interrupt key
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    failpoints.reset()
    home = make_home(tmp_path / "home", memory="Uses zsh", pending=[record("c0000001", "add", NEW, created_at=1.0)])
    try:
        yield cli_at(home)
    finally:
        signal.signal(signal.SIGINT, previous)


def interrupted(cli: Cli, monkeypatch: pytest.MonkeyPatch, place: str, *args: str) -> Answer:
    """Run a command line that is interrupted at a failpoint."""
    with monkeypatch.context() as patched:
        patched.setenv(failpoints.VARIABLE, f"{place}=int")
        answer = cli(*args)
    assert answer.code == 130
    return answer


@pytest.mark.parametrize("place", ["locked", "planned", "document_written"])
def test_before_the_intent_nothing_was_changed_and_it_says_so(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    answer = interrupted(cli, monkeypatch, place, "approve", "c0000001")
    assert answer.out == ""
    assert answer.err.strip() == "curator-tui: interrupted: nothing was changed."
    assert cli.entries() == ("Uses zsh",)
    assert cli.waiting() == {"c0000001"}


@pytest.mark.parametrize("place", ["begun", "document_renamed", "record_closed"])
def test_in_the_middle_it_is_called_begun(cli: Cli, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    answer = interrupted(cli, monkeypatch, place, "approve", "c0000001")
    assert answer.out == ""
    assert "a change is begun; it is finished or undone as a whole" in answer.err
    assert "doctor --repair" in answer.err
    cli("doctor", "--repair")
    # the intent alone is taken back; once the document was renamed the change stands
    done = place != "begun"
    assert cli.entries() == (("Uses zsh", NEW) if done else ("Uses zsh",))
    assert cli.waiting() == (set() if done else {"c0000001"})


def test_scripts_are_told_too(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = interrupted(cli, monkeypatch, "document_renamed", "approve", "c0000001", "--json")
    assert answer.err.strip() == ""
    assert answer.json["error"]["code"] == "interrupted"
    assert "begun" in answer.json["error"]["message"]


def test_after_the_change_the_answer_is_given(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = interrupted(cli, monkeypatch, "finished", "approve", "c0000001", "--json")
    assert [one["id"] for one in answer.json["applied"]] == ["c0000001"]
    assert answer.json["change"] is not None
    assert "interrupted after it was carried out" in answer.err
    assert cli.entries() == ("Uses zsh", NEW)


def test_after_the_answer_there_is_no_second_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        really = Output.answer

        def then_interrupted(self: Output, *arguments: object) -> None:
            really(self, *arguments)  # type: ignore[arg-type]
            raise KeyboardInterrupt

        patched.setattr(Output, "answer", then_interrupted)
        answer = cli("approve", "c0000001", "--json")
    assert answer.code == 130
    assert answer.json["change"] is not None
    assert "interrupted after what was asked for was carried out" in answer.err


def test_a_second_interrupt_still_says_where_to_look(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def again(_self: Output, *_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Output, "answer", again)
        answer = cli("approve", "c0000001")
    assert answer.code == 130
    assert "may be done. See: curator-tui ledger" in answer.err


def test_an_interrupt_while_printing_ends_is_no_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def flush(_self: Output) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Output, "flush", flush)
    assert cli("status").code == 130


def test_while_it_still_starts_it_is_quiet(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def loading(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.__import__", loading)
    code = main(["pending"])
    monkeypatch.undo()
    assert code == 130
    assert capfd.readouterr() == ("", "")
