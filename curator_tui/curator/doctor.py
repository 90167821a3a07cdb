"""The doctor: whether store, book, queue and ledger agree, and what an operator should know besides.

Here: asking every part and telling agreement (``problems``) from circumstances (``notes``). Not here: the
checks of a store (it knows its files), the rules of the chain (``core.ledger``), any repair but that of a store.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from msgspec import Struct

from curator_tui.core.absent import Absent, absent_changes
from curator_tui.core.counting import counted
from curator_tui.core.documents import FILE_NAMES, TARGETS, percent
from curator_tui.core.errors import Locked, StoreError
from curator_tui.core.operations import Problem
from curator_tui.core.preflight import Snapshot
from curator_tui.core.proposals import Unread
from curator_tui.core.reverts import EFFECT_ABSENT
from curator_tui.core.verification import problems_of
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_view import lost_book
from curator_tui.curator.naming import document_hints
from curator_tui.curator.probes import place_notes
from curator_tui.stores.port import Mended

_CHANGES_LOOKED_AT = 1_000
_NAMED = 5
_LOOKS, _PAUSE = 8, 0.02  # seconds, until a decision of others is over
_INTERRUPTED = "recovery-pending"
R = TypeVar("R")


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
    interrupted = any(one.code == _INTERRUPTED for one in found)
    notes = (*_general_notes(desk, interrupted=interrupted), *place_notes(desk))
    return Report(tuple(dict.fromkeys(found)), notes, mended)


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
    standing = _standing(desk, lambda: desk.store.book.changes(_CHANGES_LOOKED_AT))
    if standing is None:
        return
    snapshot, changes = standing
    for target in TARGETS:
        document = snapshot.document(target)
        if document.usable:
            yield from (_lost(FILE_NAMES[target], one) for one in absent_changes(target, changes[::-1], document.raw))


def _standing(desk: Desk, read: Callable[[], R]) -> tuple[Snapshot, R] | None:
    """Return the documents and what is recorded of them, both of one moment; None while a change is interrupted.

    Documents are written while a change is open in the book, so that they fit where nothing was and nothing came.

    Raises:
        Locked: others decide all the time.
    """
    heads: set[tuple[int, str]] = set()
    for _ in range(_LOOKS):
        before = _moment(desk)
        recorded, snapshot = read(), desk.read_documents()
        after = _moment(desk)
        if before == after and not after.pending:
            return snapshot, recorded
        heads |= {before.head, after.head}
        time.sleep(_PAUSE)
    if len(heads) == 1:
        return None
    raise Locked(
        "others decide all the time, so it cannot be told whether the documents show what is recorded.",
        way_out="Ask again when they are done.",
    )


class _Moment(NamedTuple):
    """What tells one state of the book from another."""

    head: tuple[int, str]
    pending: bool


def _moment(desk: Desk) -> _Moment:
    # the head last: where a change ended between the two questions it is another one than before
    pending = desk.recovery_pending()
    return _Moment(desk.store.book.head(), pending)


def _lost(name: str, lost: Absent) -> Problem:
    """Name a change whose effect on a document was lost, and both ways to settle that."""
    how = "was put back from outside to what it was before" if lost.since else "stands as it did before"
    again = f"retry with: curator-tui reopen {' '.join(lost.items)}; " if lost.items else ""
    return Problem(
        EFFECT_ABSENT,
        f"the ledger says that change {lost.change} was applied, but {name} {how}; {again}"
        f"where that is right, say so with: curator-tui undo {lost.change}",
        (lost.change,),
    )


def _general_notes(desk: Desk, *, interrupted: bool) -> Iterator[str]:
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
    if interrupted:
        yield "an interrupted change waits to be finished; the next verb that writes does it, or --repair"
    yield from facts.notes
    yield from _waiting_notes(desk)
    if not interrupted:
        yield from _outside_notes(desk)
    yield from _size_notes(desk)


def _waiting_notes(desk: Desk) -> Iterator[str]:
    """Name what waits for a person and is no disagreement: records that cannot be read, and open questions."""
    broken = [one for one in desk.queue.proposals() if one.unreadable]
    closed = [one.id for one in broken if one.unread is Unread.FAILED]
    names = [one.id for one in broken if one.unread is not Unread.FAILED]
    if names:
        yield f"{_unreadable(names)}; such a record can only be rejected; see: curator-tui pending"
    if closed:
        yield (
            f"{_unreadable(closed)} now: reading failed, so nothing can be decided about "
            f"{'it' if len(closed) == 1 else 'them'}; make the file readable first; see: curator-tui pending"
        )
    if asked := len(desk.asked()):
        about = counted(asked, "question about a disputed entry", "questions about disputed entries")
        yield f"{about} {'waits' if asked == 1 else 'wait'} for an answer; see: curator-tui pending"


def _unreadable(names: Sequence[str]) -> str:
    more = ", …" if len(names) > _NAMED else ""
    return f"{counted(len(names), 'record')} of the queue cannot be read: {', '.join(names[:_NAMED])}{more}"


def _outside_notes(desk: Desk) -> Iterator[str]:
    """Name the documents that others wrote after the last recorded change; an empty book knows none."""
    try:
        standing = _standing(desk, desk.store.book.known)
    except StoreError:  # named among the problems
        return
    if standing is None:
        return
    snapshot, known = standing
    for target, raw in known.items():
        document = snapshot.document(target)
        if document.seen and document.raw != raw:
            yield (
                f"{FILE_NAMES[target]} is not as it was last known: another program wrote it since, which is recorded "
                "with the next change"
            )


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
