"""One operation per kind of change, each as a function of a home's path, for sweeps and failpoint tests.

``BEFORE`` prepares a home for the operation of the same name; ``RUN`` opens the store, carries it out and closes it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

# loaded before a sweep begins: what is to fail is the change, not the loading of a module
import curator_tui.stores.hermes.writer
import curator_tui.stores.sql.transacting  # noqa: F401 - as said above
from curator_tui.core.changes import Receipt
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.questions import question_id
from curator_tui.core.requests import AnswerVerb, ChallengeCode, Kind, Request, ToAnswer, ToChallenge, ToDefer, Verb
from tests.stores.ground import Scope
from tests.stores.homes import (
    MEMORY,
    USER,
    add_record,
    added,
    correct,
    decide,
    deleted,
    make_home,
    mend,
    open_store,
    planned,
    reopen,
    stamp,
)

Operation = Callable[[Path | Scope], Receipt]


def _run(path: Path | Scope, *steps: object) -> Receipt:
    store = open_store(path)
    try:
        receipt: Receipt | None = None
        for request, plan in steps:  # type: ignore[misc]
            receipt = store.transact(request, plan)
        assert receipt is not None
        return receipt
    finally:
        store.close()


def first_use(path: Path | Scope) -> None:
    """A home that was never written by us."""
    make_home(path)


def used(path: Path | Scope) -> None:
    """A home whose book exists and knows both documents."""
    make_home(path)
    _run(path, (correct("setup"), planned({MEMORY: added("set up"), USER: added("set up")})))


def used_decided(path: Path | Scope) -> None:
    """A home where one item was rejected."""
    used(path)
    _run(path, (decide("setup reject", ["item2"], Verb.REJECT), planned()))


def missing_document(path: Path | Scope) -> None:
    """A home without USER.md."""
    make_home(path, user=None)
    _run(path, (correct("setup"), planned({MEMORY: added("set up")})))


def approve(path: Path | Scope) -> Receipt:
    """One item, one document."""
    return _run(path, (decide("approve", ["item0"]), planned({MEMORY: added("fact 0")})))


def plan(path: Path | Scope) -> Receipt:
    """Three items, both documents."""
    edits = {MEMORY: added("fact 0 and 2"), USER: added("fact 1")}
    return _run(path, (decide("plan", ["item0", "item1", "item2"]), planned(edits)))


def reject(path: Path | Scope) -> Receipt:
    """One item, no document."""
    return _run(path, (decide("reject", ["item0"], Verb.REJECT), planned()))


def delete(path: Path | Scope) -> Receipt:
    """Delete one document and change the other, as a rollback does."""
    return _run(path, (correct("delete"), planned({MEMORY: deleted, USER: added("stays")})))


def create(path: Path | Scope) -> Receipt:
    """Write a document that was missing."""
    return _run(path, (correct("create"), planned({USER: added("new")})))


def returning(path: Path | Scope) -> Receipt:
    """Return a rejected record to the queue."""
    return _run(path, (reopen("returning", ["item2"]), planned()))


def recover_only(path: Path | Scope) -> Receipt:
    """Run recovery and nothing else."""
    store = open_store(path)
    try:
        mend(store)
    finally:
        store.close()
    return Receipt(None, correct("none").kind)


BEFORE: dict[str, Callable[[Path | Scope], None]] = {
    "first_approve": first_use,
    "approve": used,
    "plan": used,
    "reject": used,
    "delete": used,
    "create": missing_document,
    "returning": used_decided,
}
RUN: dict[str, Operation] = {
    "first_approve": approve,
    "approve": approve,
    "plan": plan,
    "reject": reject,
    "delete": delete,
    "create": create,
    "returning": returning,
}


# -- with the plans of the core ------------------------------------------------------------------------------------


def many(path: Path | Scope) -> None:
    """A home with twenty items for both documents, seen by us before."""
    make_home(path, records=0)
    for number in range(20):
        add_record(path, f"{number:08x}", f"a fact with number {number}", "user" if number % 4 == 0 else "memory")
    _run(path, (Request(stamp("look"), Kind.OBSERVE), core_plan))


def approved(path: Path | Scope) -> None:
    """A home where one item was approved."""
    many(path)
    _run(path, (decide("first", [f"{3:08x}"]), core_plan))


def undone_once(path: Path | Scope) -> None:
    """A home where an approval was undone."""
    approved(path)
    undo(path)


def real_first(path: Path | Scope) -> Receipt:
    """Approve one item on a home that we see for the first time: two images, two rows."""
    return _run(path, (decide("real first", ["item0"]), core_plan))


def real_plan(path: Path | Scope) -> Receipt:
    """Approve twenty items of both documents in one change."""
    return _run(path, (decide("real plan", [f"{number:08x}" for number in range(20)]), core_plan))


def undo(path: Path | Scope) -> Receipt:
    """Undo the approval: the document and the queue are as before."""
    return _run(path, (Request(stamp("undo"), Kind.UNDO, reverts=stamp("first").change), core_plan))


def redo(path: Path | Scope) -> Receipt:
    """Redo the approval."""
    return _run(path, (Request(stamp("redo"), Kind.REDO, reverts=stamp("undo").change), core_plan))


def rollback(path: Path | Scope) -> Receipt:
    """Roll back to the image made before the approval."""
    store = open_store(path)
    backup = next(image.id for image in store.backups()[0] if image.change == stamp("first").change)
    store.close()
    return _run(path, (Request(stamp("rollback"), Kind.ROLLBACK, backup=backup), core_plan))


def defer(path: Path | Scope) -> Receipt:
    """Defer two items: no document, no record."""
    asked = tuple(ToDefer(f"{number:08x}", "2999-01-01") for number in (1, 2))
    return _run(path, (Request(stamp("defer"), Kind.DEFER, defer=asked, today="2026-11-30"), core_plan))


def deferred(path: Path | Scope) -> None:
    """A home where two items are deferred."""
    many(path)
    defer(path)


def undo_defer(path: Path | Scope) -> Receipt:
    """Undo the deferral: nothing but what counts is another."""
    request = Request(stamp("undo defer"), Kind.UNDO, reverts=stamp("defer").change, today="2026-11-30")
    return _run(path, (request, core_plan))


def challenge(path: Path | Scope) -> Receipt:
    """Dispute an entry: a row and two texts."""
    asked = ToChallenge(MEMORY, "one", ChallengeCode.WRONG)
    return _run(path, (Request(stamp("challenge"), Kind.CHALLENGE, challenge=asked, note="why"), core_plan))


def disputed(path: Path | Scope) -> None:
    """A home where an entry is disputed."""
    many(path)
    challenge(path)


def answer(path: Path | Scope) -> Receipt:
    """Answer the question by a correction: one document, an image, the answer."""
    asked = ToAnswer(question_id(stamp("challenge").change), AnswerVerb.CORRECT, "two")
    return _run(path, (Request(stamp("answer"), Kind.ANSWER, answer=asked), core_plan))


REAL: dict[str, tuple[Callable[[Path | Scope], None], Operation]] = {
    "first approval by the core": (first_use, real_first),
    "plan of twenty by the core": (many, real_plan),
    "undo by the core": (approved, undo),
    "redo by the core": (undone_once, redo),
    "rollback by the core": (approved, rollback),
    "defer by the core": (many, defer),
    "undo of a deferral by the core": (deferred, undo_defer),
    "challenge by the core": (many, challenge),
    "answer by the core": (disputed, answer),
}
