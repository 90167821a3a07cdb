"""What a row of the past says: one label, in the words of what it was about, whatever was taken back since."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.cli.plain.item import deed_named
from curator_tui.core.asides import Asides, Challenge
from curator_tui.core.changes import PastChange
from curator_tui.core.documents import Target
from curator_tui.core.ledger import seal
from curator_tui.core.operations import Action, Operation
from curator_tui.core.requests import (
    Actor,
    ActorKind,
    AnswerVerb,
    ChallengeCode,
    Decision,
    Kind,
    ReasonCode,
    Verb,
)
from curator_tui.core.row_form import form_of
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import backups, changes, rollback
from curator_tui.curator.ledger_search import window
from curator_tui.curator.row_subjects import Subject
from curator_tui.curator.timeline import Moment, Told, tell, timeline
from curator_tui.tui.history_rows import Ground, what, words_of_row
from curator_tui.tui.ledger_rows import LedgerRows
from curator_tui.tui.moment_pages import change_page
from curator_tui.tui.screens.help import help_page
from curator_tui.tui.screens.reverting import look_at_one
from curator_tui.tui.shown import Line
from tests.tui.desks import desk_with, item

YOU = Actor(ActorKind.PERSON, "ana", "cli")
ENTRY = "Deploys with make ship"


def text(line: Line) -> str:
    return "".join(piece.text for piece in line)


def newest(desk: Desk, room: int = 80) -> str:
    """The words of the newest row of the past."""
    desk.refresh()
    moment = timeline(desk)[0]
    return text(what(tell(desk, [moment])[moment.id], room))


def page_of(desk: Desk, place: int = 0) -> list[str]:
    """The page of a row of the past, the newest where nothing else is said."""
    moment = timeline(desk)[place]
    ground = Ground(desk.snapshot(), desk.actor, desk.now())
    lines = change_page(tell(desk, [moment], whole=True)[moment.id], ground).lines
    return [f"{text(line.prefix)}{text(line.body)}".strip() for line in lines]


def undone(desk: Desk) -> tuple[str, str]:
    """Undo the newest change: the row of the undo, then how a screen names what a redo would do."""
    change = desk.undo().change
    looked = look_at_one(desk, change or "", {})
    assert looked is not None
    assert looked.redo
    return newest(desk), looked.told.words


def test_an_undo_and_a_redo_are_named_by_the_words_of_what_they_are_about(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "Has a cat")], memory=[ENTRY, "Drinks tea"])
    desk.decide([Decision("add00001", Verb.REJECT, reason=ReasonCode.WRONG)])
    assert undone(desk) == ("undid: rejected 'Has a cat'", "rejected memory: 'Has a cat'")
    assert "returned   memory: 'Has a cat'" in page_of(desk)
    desk.redo()
    assert newest(desk) == "redid: rejected 'Has a cat'"
    assert undone(desk) == ("undid: rejected 'Has a cat'", "rejected memory: 'Has a cat'")
    desk.correct([Operation(Action.REMOVE, Target.MEMORY, pin=ENTRY)])
    assert newest(desk) == f"removed '{ENTRY}' by hand"
    assert undone(desk) == (f"undid: removed '{ENTRY}' by hand", f"removed '{ENTRY}' by hand")
    desk.correct([Operation(Action.REPLACE, Target.MEMORY, match="Drinks tea", content="Drinks coffee, black")])
    assert undone(desk) == (
        "undid: corrected 'Drinks coffee, black' by hand",
        "corrected 'Drinks coffee, black' by hand",
    )
    desk.close()


def test_an_undo_says_what_it_took_back_wherever_it_is_told(tmp_path: Path) -> None:
    """An approval, a move back to the queue and a rollback: in the past, in the ledger, and line by line."""
    desk = desk_with(tmp_path, [item("add00001", "add", "Has a cat")], memory=[ENTRY])
    desk.decide([Decision("add00001", Verb.APPROVE)])
    told: list[tuple[str, str, str]] = []

    def took_back() -> None:
        words = undone(desk)[0]
        seq = desk.store.book.head()[0]
        row = text(LedgerRows([seq], window(desk, [seq]), desk.actor, desk.now()).line(0, 100))
        told.append((words, " ".join(row.split()[4:-2]), deed_named(desk, changes(desk, 1)[0])))

    took_back()
    desk.redo()
    desk.reopen(["add00001"])
    took_back()
    rollback(desk, backups(desk)[0][-1].backup.id)
    took_back()
    assert told == [
        ("undid: approved 'Has a cat'", "undo approved memory: 'Has a cat'", "undid: approved 'Has a cat'"),
        ("undid: reopened 'Has a cat'", "undo reopened memory: 'Has a cat'", "undid: reopened 'Has a cat'"),
        ("undid: rolled back", "undo rolled back memory: 'Has a cat'", "undid: rolled back"),
    ]
    desk.close()


def test_a_state_that_was_found_is_nobodys(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [], memory=[ENTRY])
    desk.correct([Operation(Action.ADD, Target.MEMORY, content="Drinks tea")])
    words = page_of(desk, -1)[0]
    assert words.startswith("this row   first seen, ")
    assert "by" not in words
    desk.close()


def test_questions_and_deferrals_are_named_by_the_words_they_are_about(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "Has a cat")], memory=[ENTRY])
    desk.defer(["add00001"], "2099-12-24")
    assert newest(desk) == "deferred 'Has a cat' until 2099-12-24"
    assert "deferred   'Has a cat' until 2099-12-24" in page_of(desk)
    assert undone(desk) == ("undid: deferred 'Has a cat' until 2099-12-24", "deferred 'Has a cat' until 2099-12-24")
    question = desk.challenge(Target.MEMORY, ENTRY, ChallengeCode.WRONG).applied[0].id
    assert newest(desk) == f"disputed '{ENTRY}' (wrong)"
    desk.answer(question, AnswerVerb.KEEP)
    assert newest(desk) == f"answered about '{ENTRY}': keep"
    assert f"answered   '{ENTRY}': keep" in page_of(desk)
    assert undone(desk) == (f"undid: answered about '{ENTRY}': keep", f"answered about '{ENTRY}': keep")
    desk.close()


def _told(about: tuple[Subject, ...], by: str | None = None) -> Told:
    dispute = Challenge("q-1", Target.MEMORY, ENTRY, ChallengeCode.WRONG, "", "c1", YOU, 1.0)
    change = PastChange("c1", 2, 1.0, YOU, Kind.CHALLENGE, undone_by=by, asides=Asides(challenges=(dispute,)))
    return Told(Moment(2, "c1"), change, about=about)


def test_a_narrow_row_cuts_the_words_and_keeps_what_stands_behind_them() -> None:
    told = _told((Subject("disputed", "q-1", "Deploys with make ship " * 4),), by="c2")
    for room in (40, 50, 60):
        line = text(what(told, room, dim=True))
        assert len(line) <= room
        assert line.startswith("disputed 'Deploys")
        assert line.endswith("' (wrong)  undone")


def test_what_holds_a_secret_or_is_not_kept_is_not_repeated() -> None:
    assert words_of_row(_told((Subject("disputed", "q-1", "hunter2", secret=True),))) == (
        "disputed (holds a secret) (wrong)"
    )
    assert words_of_row(_told((Subject("disputed", "q-1"),))) == "disputed q-1 (wrong)"
    assert words_of_row(_told(())) == "disputed an entry"


@pytest.mark.parametrize(
    ("before", "after", "longer"),
    [(10, 68, ", 58 characters more"), (10, 9, ", 1 character fewer"), (10, 10, ", 0 characters more"), (None, 3, "")],
)
def test_a_size_change_is_said_in_words_beside_texts_that_are_cut(before: int | None, after: int, longer: str) -> None:
    sizes = {"before": {"size": before}} if before is not None else {}
    base = {"at": "", "change": "c", "actor": {"kind": "person", "name": "ana"}, "action": "replace"}
    row = form_of(seal([{**base, "documents": {"memory": {**sizes, "after": {"size": after}}}}], (0, ""))[0].body)
    told = Told(Moment(1, "c"), PastChange("c", 1, 0.0, YOU, Kind.CORRECT), row)
    assert row is not None
    assert words_of_row(told) == f"corrected by hand in MEMORY.md{longer}"


@pytest.mark.parametrize("screen", ["review", "plan", "documents", "history", "ledger", "learned", "skills"])
def test_help_says_what_the_sign_of_a_cut_text_counts(screen: str) -> None:
    words = "\n".join(text(line.body) for line in help_page(screen, [], 76).lines)
    assert "…: cut   … +52: cut, 52 characters follow" in words
