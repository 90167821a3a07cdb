"""What a ledger row is about: words that are still kept beside it, none in the row, and a plain word where none are."""

from __future__ import annotations

from pathlib import Path

from curator_tui.cli.item_words import short_words
from curator_tui.cli.row_words import deed_in_words, subject_words
from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.core.requests import ChallengeCode, Decision, Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_queries import every
from curator_tui.curator.opening import open_desk
from curator_tui.curator.row_subjects import HIDDEN, NOT_KEPT, Subject, subjects
from tests.homes import make_home, record

SECRET = "The key is sk-ant-api03-" + "aB3" * 31 + "AA"


def opened(path: Path) -> Desk:
    """A home with three items, one of which holds a secret, and three entries."""
    records = [
        record("e0000001", "add", "Has a cat", created_at=1.0),
        record("e0000002", "add", SECRET, created_at=2.0),
        record("e0000003", "add", "Uses zsh", created_at=3.0),
    ]
    home = make_home(path / "home", memory="Drinks tea\n§\nrye bread", pending=records)
    return open_desk(home=home, profile=None, environ={}, through="cli")


def newest(desk: Desk) -> list[tuple[str, str, str]]:
    """What the newest row is about: what was done, the words, the id."""
    row = list(every(desk))[-1]
    assert not {"cat", "rye", "tea"} & set(row.body.split('"')), "the row itself holds no words"
    return [(one.did, subject_words(one), one.id) for one in subjects(desk, row)]


def test_every_kind_of_row_is_named_by_the_words_beside_it(tmp_path: Path) -> None:
    desk = opened(tmp_path)
    desk.decide([Decision("e0000001", Verb.APPROVE)])
    assert newest(desk) == [("approve", "Has a cat", "e0000001")]
    desk.defer(["e0000003"], "")
    assert newest(desk) == [("defer", "Uses zsh", "e0000003")]
    desk.correct([Operation(Action.REMOVE, Target.MEMORY, pin="rye bread")])
    assert newest(desk) == [("removed", "rye bread", "")]
    desk.undo()
    assert newest(desk) == [("added", "rye bread", "")]
    desk.undo()
    assert newest(desk) == [("defer", "Uses zsh", "e0000003")], "no document, no item: what it reverts says it"
    question = desk.challenge(Target.MEMORY, "Drinks tea", ChallengeCode.WRONG).applied[0].id
    assert newest(desk) == [("disputed", "Drinks tea", question)]
    desk.undo()
    assert newest(desk) == [("disputed", "Drinks tea", question)]
    desk.redo()
    assert newest(desk) == [("disputed", "Drinks tea", question)]
    desk.close()


def test_what_was_not_kept_says_so(tmp_path: Path) -> None:
    desk = opened(tmp_path)
    desk.decide([Decision("e0000002", Verb.REJECT)])
    assert newest(desk) == [("reject", NOT_KEPT, "e0000002")]
    desk.close()


def test_a_secret_that_is_kept_is_not_repeated(tmp_path: Path) -> None:
    assert subject_words(Subject("add", "", SECRET, secret=True)) == HIDDEN
    removal = record("e0000001", "remove", None, SECRET, created_at=1.0)
    home = make_home(tmp_path / "home", memory=f"Drinks tea\n§\n{SECRET}", pending=[removal])
    desk = open_desk(home=home, profile=None, environ={}, through="cli")
    proposal = desk.queue.proposal("e0000001")
    assert proposal is not None
    assert short_words(proposal) == HIDDEN
    for verb in (Verb.REJECT, Verb.APPROVE):
        desk.decide([Decision("e0000001", verb)])
        assert newest(desk) == [(str(verb), HIDDEN, "e0000001")]
        desk.undo()
        assert newest(desk) == [("returned", HIDDEN, "e0000001")]
    desk.close()


def test_further_steps_are_counted() -> None:
    assert subject_words(Subject("approve", "a", "tea", more=1)) == "tea and 1 more step"
    assert subject_words(Subject("approve", "a", "tea", more=3)) == "tea and 3 more steps"


def test_an_item_has_the_name_that_the_queue_shows_also_where_its_row_holds_a_digest_of_it(tmp_path: Path) -> None:
    """A file name that may be made of words stands in no row; the book knows it, and no second name is told."""
    home = make_home(tmp_path / "home", raw_files={"my_note.json": b"{"})
    desk = open_desk(home=home, profile=None, environ={}, through="cli")
    desk.decide([Decision("my_note", Verb.REJECT)])
    assert newest(desk) == [("reject", NOT_KEPT, "my_note")]
    assert deed_in_words(desk, desk.store.book.changes(1)[0]) == "rejected my_note"
    assert desk.undo().done
    assert deed_in_words(desk, desk.store.book.changes(1)[0]) == "undid: rejected my_note"
    desk.close()
