"""What pictures are taken of: a home in which everything that can be shown is there, and the keys that lead to it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.core.requests import ChallengeCode
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import DatabaseScope, open_desk
from curator_tui.demo.home import build
from tests.databases import Place, made
from tests.people import TENANT, add, remember, stage
from tests.tui.desks import NOW


class View(NamedTuple):
    """One picture.

    Attributes:
        shows: the class of the screen that is open at the end.
        keys: what leads there from the queue.
        at: words of the waiting record that the cursor is put on first; empty for where it is anyway.
        many: whether it is of a database in which many people have a memory, instead of the home.
    """

    shows: str
    keys: tuple[str, ...] = ()
    at: str = ""
    many: bool = False


STALE = "Stock is counted on Monday"
LOSSY = "web port 9090"
FLAGGED = "Ignore all previous"

VIEWS: dict[str, View] = {
    # the places
    "review": View("ReviewScreen"),
    "review-split": View("ReviewScreen", ("d",)),
    "review-group": View("ReviewScreen", at="Wants skipped tests"),
    "review-lossy": View("ReviewScreen", at=LOSSY),
    "review-stale": View("ReviewScreen", at=STALE),
    "review-hidden": View("ReviewScreen", at="Invoice template"),
    "review-marked": View("ReviewScreen", ("space", "j", "space")),
    "review-deferred": View("ReviewScreen", ("D",)),
    "review-question": View("ReviewScreen", ("g",)),
    "review-filter": View("ReviewScreen", ("/", *"backup")),
    "documents": View("DocumentsScreen", ("2",)),
    "documents-carried": View("DocumentsScreen", ("2", "v", "j")),
    "history": View("HistoryScreen", ("3", "j", "j")),
    "history-row": View("HistoryScreen", ("3",)),
    "history-split": View("HistoryScreen", ("3", "j", "j", "d")),
    "ledger": View("LedgerScreen", ("4",)),
    "ledger-entries": View("LedgerScreen", ("4", "v")),
    "learned": View("LearnedScreen", ("5",)),
    "skills": View("SkillsScreen", ("6",)),
    "skills-installed": View("SkillsScreen", ("6", "v")),
    "profiles": View("ProfilesScreen", ("7",)),
    "plan": View("PlanScreen", ("b",)),
    # what is read
    "help": View("HelpScreen", ("?",)),
    "help-documents": View("HelpScreen", ("2", "?")),
    "palette": View("ActionsPalette", (":",)),
    "source": View("ReadScreen", ("i",)),
    "documents-entry": View("ReadScreen", ("2", "enter")),
    "documents-prompt": View("ReadScreen", ("2", "B")),
    "history-details": View("ReadScreen", ("3", "j", "j", "enter")),
    "ledger-details": View("ReadScreen", ("4", "enter")),
    "ledger-totals": View("ReadScreen", ("4", "t")),
    "learned-details": View("ReadScreen", ("5", "enter")),
    "plan-row": View("PlanRowScreen", ("b", "enter")),
    "plan-documents": View("ReadScreen", ("b", "m")),
    # what is asked
    "order": View("ChooseScreen", ("o",)),
    "pick": View("ChooseScreen", ("a",), at="Debian 13"),
    "documents-add": View("ChooseScreen", ("2", "A")),
    "reasons": View("ReasonScreen", ("X",)),
    "note": View("NoteScreen", ("X", "6")),
    "until": View("UntilScreen", ("S",)),
    "dispute": View("DisputeScreen", ("2", "C")),
    "rebase": View("RebaseScreen", ("a",), at=STALE),
    "rejects": View("RejectManyScreen", ("space", "j", "space", "j", "space", "X")),
    "plan-rejects": View("RejectManyScreen", ("b", "X")),
    "second-lossy": View("SecondScreen", ("pagedown", "a"), at=LOSSY),
    "second-flagged": View("SecondScreen", ("pagedown", "a"), at=FLAGGED),
    "ask-undo": View("AskScreen", ("u",)),
    "ask-rollback": View("AskScreen", ("3", "G", "k", "r")),
    "moved": View("MovedOnScreen", ("3", "j", "j", "j", "j", "v")),
    "revert": View("RevertScreen", ("3", "j", "j", "v")),
    # what is written
    "edit": View("EditScreen", ("e",)),
    "documents-correct": View("WriteScreen", ("2", "e")),
    "answer-correct": View("CorrectScreen", ("g", "e")),
    "propose": View("ProposeScreen", ("2", "D")),
    # what many people in one database have besides
    "many-review": View("ReviewScreen", many=True),
    "many-same": View("ReviewScreen", ("j",) * 4, many=True),
    "people": View("PeopleScreen", ("7", "j"), many=True),
}


def lived_in(path: Path) -> Path:
    """Build the demo home, and let what it lacks happen in it: corrections, a question, an item put off."""
    home = build(path, NOW)
    desk = desk_at(home, seed=8)
    desk.observe()
    now = [NOW - 4000]
    desk._clock = lambda: now[0]
    for old, new in (
        (
            "Stock is counted on Sunday evening; numbers before that are estimates.",
            "Stock is counted on Sunday evening and on the last day of a month; numbers before that are estimates.",
        ),
        (
            "The shop's mail goes through the relay on juniper; the daily limit is 400 messages.",
            "The shop's mail goes through the relay on juniper; the daily limit is 450 messages.",
        ),
    ):
        done = desk.correct([Operation(Action.REPLACE, Target.MEMORY, match=old, content=new)])
        assert done.done, done.not_applied
        now[0] += 600
    note = "the host was replaced in spring"
    asked = desk.challenge(Target.MEMORY, entry_of(desk, "UTC"), ChallengeCode.OUTDATED, note=note)
    assert asked.done
    assert desk.defer([record_with(home, "Sings in a choir")], "2026-12-24").done
    desk.close()
    return home


def lived_among(path: Path) -> Place:
    """Make a database in which a few people have a memory, and the same fact waits for most of them."""
    path.mkdir()
    place = made("sqlite", path, None)
    for at, (user, name) in enumerate((("ann", "Ann"), ("bob", "Bob"), ("cyd", "Cyd"), ("dee", "Dee"), ("eve", "Eve"))):
        entry = f"Works on {('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday')[at]}s in the shop on the corner."
        remember(place, user, "\n§\n".join([entry, *["Likes short answers."] * (at % 2)]))
        remember(place, user, f"{name} reads the news in the morning.", Target.USER)
        staged = [("own", add(f"{name} has a key to the back door."), NOW - 90_000.0 * at - 300)]
        if at < 4:
            staged.append(("all", add("The shop is closed on the first Friday of a month."), NOW - 7200.0))
        stage(place, user, staged)
    return place


def desk_among(place: Place) -> Desk:
    """Open all people of a database under a name that is the same everywhere, with a clock that stands still."""
    desk = open_desk(database=DatabaseScope(place.url, TENANT), environ={}, through="tui", first=40, many=True)
    return _as_if(desk, "sqlite:////srv/memory.db", 9)


def entry_of(desk: Desk, words: str) -> str:
    """Return the entry of memory that holds some words."""
    return next(one for one in desk.store.snapshot().document(Target.MEMORY).entries if words in one)


def record_with(home: Path, words: str) -> str:
    """Return the id of the waiting record that would write some words."""
    for path in sorted((home / "pending" / "memory").glob("*.json")):
        raw = path.read_bytes()
        if raw.endswith(b"}") and words in json.dumps(json.loads(raw)["payload"], ensure_ascii=False):
            return path.stem
    raise LookupError(words)


def desk_at(home: Path, seed: int = 9) -> Desk:
    """Open it under a path that is the same everywhere, with a clock that stands still and ids that are no chance.

    Two desks that decide on one home need two seeds: an operation whose id is known has had its effect.
    """
    desk = open_desk(home=home, profile="default", environ={}, through="tui", first=40)
    return _as_if(desk, "/home/tova/.hermes", seed)


def _as_if(desk: Desk, path: str, seed: int) -> Desk:
    desk._clock = lambda: NOW
    desk._entropy = random.Random(seed).randbytes
    bound, facts = desk.store.bound, desk.store.facts
    label = visible(path, newlines=False)
    desk.store.bound = lambda: replace(bound(), label=label)  # type: ignore[method-assign]
    desk.store.facts = lambda: replace(facts(), label=label)  # type: ignore[method-assign]
    return desk
