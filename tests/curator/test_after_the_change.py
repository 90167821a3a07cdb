"""What happens after a change was acknowledged: whatever fails then is told beside the answer, never instead of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_tui.core.errors import Unreadable
from curator_tui.core.operations import Action, Operation
from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import open_desk
from tests.homes import make_home, record
from tests.worlds import MEMORY


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Open a desk on a home with two waiting items."""
    pending = [record(f"c000000{number}", "add", f"fact {number}") for number in (1, 2)]
    opened = open_desk(
        home=make_home(tmp_path / "home", memory="Uses zsh", pending=pending), profile=None, environ={}, through="cli"
    )
    yield opened
    opened.close()


def entries(desk: Desk) -> tuple[str, ...]:
    """Return what stands in the file, read anew."""
    return desk.store.snapshot().document(MEMORY).entries


def edit_in_place(home: Path, name: str, old: str, new: str) -> None:
    """Overwrite part of a record so that neither the folder nor size and time of the file tell."""
    file = home / "pending" / "memory" / f"{name}.json"
    status, folder = file.stat(), file.parent.stat()
    raw = file.read_bytes()
    assert len(old) == len(new)
    assert old.encode() in raw
    with file.open("r+b") as stream:
        stream.write(raw.replace(old.encode(), new.encode()))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert file.parent.stat().st_mtime_ns == folder.st_mtime_ns


@pytest.mark.parametrize("error", [Unreadable("the queue is gone."), RuntimeError("defect")])
@pytest.mark.parametrize("step", ["refresh", "recorded", "closed"])
def test_a_failure_after_the_change_is_a_note_of_its_receipt(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(desk.queue, step, fails)
    corrected = desk.correct([Operation(Action.ADD, MEMORY, content="Likes rye")])
    decided = desk.decide([Decision("c0000001", Verb.APPROVE)])
    assert corrected.change is not None
    assert decided.change is not None
    assert entries(desk) == ("Uses zsh", "Likes rye", "fact 1")
    assert any("could not be looked at again" in note for note in (*corrected.notes, *decided.notes))
    monkeypatch.undo()
    desk.refresh()
    assert [one.id for one in desk.queue.proposals()] == ["c0000002"]


def test_a_refusal_is_still_one_when_the_queue_cannot_be_looked_at(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise Unreadable("the queue is gone.")

    monkeypatch.setattr(desk.queue, "refresh", fails)
    receipt = desk.decide([Decision("nothing1", Verb.APPROVE)])
    assert receipt.change is None
    assert receipt.not_applied[0].state == "unknown"


def test_a_record_edited_in_place_is_seen_by_the_look_after_it_was_read(desk: Desk, tmp_path: Path) -> None:
    first = desk.queue.proposal("c0000001")
    assert first is not None
    desk.refresh()
    edit_in_place(tmp_path / "home", "c0000001", "fact 1", "FACT 1")
    desk.store.queue.get("c0000001")
    assert desk.refresh() is True
    second = desk.queue.proposal("c0000001")
    assert second is not None
    assert second.digest != first.digest
    assert desk.refresh() is False, "told once"


def test_a_plan_over_a_record_edited_in_place_moves_once_and_then_applies(desk: Desk, tmp_path: Path) -> None:
    desk.refresh()
    names = ("c0000001", "c0000002")

    def plan() -> tuple[list[Decision], str]:
        known = [desk.queue.proposal(name) for name in names]
        decisions = [Decision(one.id, Verb.APPROVE, digest=one.digest) for one in known if one is not None]
        return decisions, desk.preview(decisions).digest

    decisions, shown = plan()
    edit_in_place(tmp_path / "home", "c0000001", "fact 1", "FACT 1")
    assert desk.decide(decisions, shown=shown).moved
    decisions, shown = plan()
    receipt = desk.decide(decisions, shown=shown)
    assert [one.id for one in receipt.applied] == list(names)
    assert entries(desk) == ("Uses zsh", "FACT 1", "fact 2")


def test_a_record_found_gone_is_gone_at_the_next_look(desk: Desk, tmp_path: Path) -> None:
    desk.refresh()
    (tmp_path / "home" / "pending" / "memory" / "c0000001.json").unlink()
    assert desk.store.queue.get("c0000001") is None
    assert desk.refresh() is True
    assert [one.id for one in desk.queue.proposals()] == ["c0000002"]


def test_rows_are_made_anew_after_a_look_that_failed_halfway(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "pending" / "memory" / "c0000001.json").unlink()

    def fails() -> bool:
        raise Unreadable("not now.")

    monkeypatch.setattr(desk.queue, "_read_documents", fails)
    with pytest.raises(Unreadable):
        desk.refresh()
    monkeypatch.undo()
    assert desk.refresh() is True
    assert [one.id for one in desk.queue.proposals()] == ["c0000002"]


def test_what_was_closed_is_gone_from_the_model_also_where_the_documents_cannot_be_read_then(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever goes on afterwards, with states still to be worked out, meets no item that is not there."""
    desk.refresh()
    before = desk.queue.version

    def fails() -> None:
        raise Unreadable("memories is gone.")

    with monkeypatch.context() as patched:
        patched.setattr(desk.store, "snapshot", fails)
        with pytest.raises(Unreadable):
            desk.queue.closed(["c0000001"])
    assert desk.queue.version > before
    assert [proposal.id for proposal in desk.queue.proposals()] == ["c0000002"]
    assert desk.queue.advance(10.0)
    counts = desk.queue.counts()
    assert counts is not None
    assert sum(counts.values()) == 1
