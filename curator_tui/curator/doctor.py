"""The doctor: whether store, book, queue and ledger agree, and what an operator should know besides.

Here: asking every part and telling agreement (``problems``) from circumstances (``notes``). Not here: the
checks of a store (it knows its files), the rules of the chain (``core.ledger``), any repair but that of a store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from curator_tui.core.absent import Absent, absent_changes
from curator_tui.core.counting import counted
from curator_tui.core.documents import FILE_NAMES, TARGETS, percent
from curator_tui.core.errors import StoreError
from curator_tui.core.operations import Problem
from curator_tui.core.verification import problems_of
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_view import lost_book
from curator_tui.curator.naming import document_hints
from curator_tui.curator.probes import place_notes
from curator_tui.stores.port import Mended

_CHANGES_LOOKED_AT = 1_000
_NAMED = 5


class Report(Struct, frozen=True):
    """What the doctor found.

    Attributes:
        problems: where store, book, queue and ledger do not agree; empty when all is well.
        notes: circumstances worth knowing, in words safe to print.
        mended: what was repaired first; None when that was not asked for.
    """

    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    mended: Mended | None = None

    @property
    def repaired(self) -> bool:
        """Whether an interrupted change was brought to an end first."""
        return self.mended is not None and self.mended.interrupted is not None

    @property
    def ok(self) -> bool:
        """Whether everything agrees."""
        return not self.problems


def examine(desk: Desk, *, repair: bool = False) -> Report:
    """Look at everything; with ``repair`` bring an interrupted change to its end and remove leftovers first.

    Raises:
        StoreError: the repair itself is not possible now.
    """
    mended = desk.recover() if repair else None
    checks = (
        lambda: _looked_again(desk) if repair else (),
        desk.store.check,
        lambda: lost_book(desk),
        lambda: unreadable_documents(desk),
        lambda: absent_effects(desk),
    )
    found = [problem for check in checks for problem in problems_of(check)]
    return Report(tuple(dict.fromkeys(found)), (*_general_notes(desk), *place_notes(desk)), mended)


def _looked_again(desk: Desk) -> Iterable[Problem]:
    desk.refresh()
    return ()


def unreadable_documents(desk: Desk) -> Iterator[Problem]:
    """Name the documents that cannot be read."""
    for target in TARGETS:
        document = desk.snapshot().document(target)
        if not document.usable:
            yield Problem("document-unreadable", f"{FILE_NAMES[target]} cannot be read: {document.trouble}")


def absent_effects(desk: Desk) -> Iterator[Problem]:
    """Name changes that the ledger calls applied although an older state of their document was put back.

    While a change is interrupted its documents stand as no row says yet, and nothing can be told.
    """
    if desk.recovery_pending():
        return
    snapshot = desk.snapshot()
    changes = desk.store.book.changes(_CHANGES_LOOKED_AT)[::-1]
    for target in TARGETS:
        document = snapshot.document(target)
        if document.usable:
            yield from (_lost(FILE_NAMES[target], one) for one in absent_changes(target, changes, document.raw))


def _lost(name: str, lost: Absent) -> Problem:
    """Name a change whose effect on a document was lost, and both ways to settle that."""
    how = "was put back from outside to what it was before" if lost.since else "stands as it did before"
    again = f"retry with: curator-tui reopen {' '.join(lost.items)}; " if lost.items else ""
    return Problem(
        "effect-absent",
        f"the ledger says that change {lost.change} was applied, but {name} {how}; {again}"
        f"where that is right, say so with: curator-tui undo {lost.change}",
        (lost.change,),
    )


def _general_notes(desk: Desk) -> Iterator[str]:
    facts = desk.facts()
    if facts.gate is False:
        yield f"the gate is off: writes go straight into the documents; turn it on with: {facts.gate_command}"
    elif facts.gate is None:
        yield "whether the gate is on cannot be read from the configuration"
    for target in TARGETS:
        if facts.enabled.get(target) is False:
            yield f"{FILE_NAMES[target]} is switched off in the configuration: no agent reads it"
    if facts.provider:
        yield f"the memory provider {facts.provider} is configured; decisions made here are not sent to it"
    if facts.profiles:
        yield f"other profiles with a memory of their own: {', '.join(facts.profiles)}"
    if _pending(desk):
        yield "an interrupted change waits to be finished; the next verb that writes does it, or --repair"
    yield from facts.notes
    yield from _waiting_notes(desk)
    yield from _size_notes(desk)


def _pending(desk: Desk) -> bool:
    """Whether a change waits to be finished; a book that cannot tell is named among the problems."""
    try:
        return desk.recovery_pending()
    except StoreError:
        return False


def _waiting_notes(desk: Desk) -> Iterator[str]:
    """Name what waits for a person and is no disagreement: records that cannot be read, and open questions."""
    if names := [one.id for one in desk.queue.proposals() if one.unreadable]:
        yield (
            f"{counted(len(names), 'record')} of the queue cannot be read: {', '.join(names[:_NAMED])}"
            f"{', …' if len(names) > _NAMED else ''}; such a record can only be rejected; see: curator-tui pending"
        )
    if asked := len(desk.asked()):
        about = counted(asked, "question about a disputed entry", "questions about disputed entries")
        yield f"{about} {'waits' if asked == 1 else 'wait'} for an answer; see: curator-tui pending"


def _size_notes(desk: Desk) -> Iterator[str]:
    snapshot = desk.snapshot()
    for target in TARGETS:
        document = snapshot.document(target)
        limit = snapshot.limits.get(target)
        if not document.usable:
            continue
        if limit is None:
            yield f"{FILE_NAMES[target]}: the limit is not known, so nothing is refused for its size"
        else:
            full = percent(document.size, limit)
            over = f", {document.size - limit} over" if document.size > limit else ""
            octets = len(document.raw or b"")
            yield f"{FILE_NAMES[target]}: {document.size}/{limit} characters ({full} %{over}), {octets} bytes"
        yield from document_hints(document)
