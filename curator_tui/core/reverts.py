"""Reverts: undo or redo of one change, with everything that goes with it.

Here: whether a revert may be made, which decisions are taken back, which changes are in force afterwards. Not
here: what becomes of the entries (``entry_reverts``), going back to a backup (``rollbacks``), which change is meant
when none is named (the book knows the order), how it is stored.

What is shown before and what is done are one function: a preview refuses what the plan refuses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.changes import (
    Applied,
    Change,
    Closed,
    Decided,
    Ending,
    NotApplied,
    PastChange,
    Receipt,
    Request,
    Returned,
    View,
)
from curator_tui.core.documents import FILE_NAMES, TARGETS, Document, Target, parse, raw_digest
from curator_tui.core.entry_reverts import Reverted, revert_documents
from curator_tui.core.keeping import why_unkept
from curator_tui.core.ledger import digest_of, item_name, new_row
from curator_tui.core.recording import MOVED, Recorder, receipt_sizes

__all__ = [
    "Reverted",
    "UndoPreview",
    "coming_back",
    "force_after",
    "plan_revert",
    "preview_revert",
    "revert_digest",
    "revert_documents",
    "row_endings",
    "taken_back",
]

def taken_back(takebacks: Sequence[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """Return the changes that are not in force, each with the change because of which it is not.

    Args:
        takebacks: every change that took others back, oldest first, with their ids.

    A change that is itself taken back takes nothing back any more. Only a later change takes back an earlier
    one, so one walk from the newest to the oldest settles all.
    """
    by: dict[str, str] = {}
    for change, undone in reversed(takebacks):
        if change not in by:
            for name in undone:
                by.setdefault(name, change)
    return by


def force_after(view: View, change: str, undoes: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return which other changes come into force, and which go out of it, once ``undoes`` are taken back."""
    before = taken_back(view.takebacks)
    after = taken_back((*view.takebacks, (change, undoes)))
    restores = tuple(name for name in before if name not in after)
    silences = tuple(name for name in after if name not in before and name not in undoes)
    return restores, silences


def revert_digest(change: PastChange, documents: Mapping[Target, Document], reverted: Reverted) -> str:
    """Return the digest that binds a revert to what was shown of it."""
    return digest_of(
        {
            "reverts": change.id,
            "documents": {str(target): documents[target].digest for target in change.after},
            "results": {str(target): raw_digest(raw) for target, raw in reverted.documents.items()},
            "moved": [[part.pair, part.now] for part in reverted.moved_on],
        }
    )


class UndoPreview(Struct, frozen=True):
    """What an undo or redo would do.

    Attributes:
        change: the change it reverts.
        reverted: the documents afterwards, and the entries that need a choice first.
        digest: what the decision is bound to.
        refused: why it cannot be done, or None.
    """

    change: PastChange
    reverted: Reverted
    digest: str
    refused: NotApplied | None = None


def preview_revert(view: View, request: Request) -> UndoPreview | None:
    """Work out undo or redo of the change the request names; None when there is no such change."""
    change = view.reverting
    if change is None:
        return None
    documents = {target: view.snapshot.document(target) for target in TARGETS}
    blocked = _blocked(change, documents)
    if blocked is not None:
        nothing = Reverted({}, ())
        return UndoPreview(change, nothing, revert_digest(change, documents, nothing), blocked)
    reverted = revert_documents(change, documents, view.snapshot.limits, request.takes)
    refused = None
    if not reverted.moved_on and reverted.problem is not None:
        state, problem = reverted.problem
        refused = NotApplied(change.id, str(state), problem.code, problem.message)
    return UndoPreview(change, reverted, revert_digest(change, documents, reverted), refused)


def plan_revert(view: View, request: Request) -> Change:
    """Plan undo or redo of one recorded change."""
    found = preview_revert(view, request)
    if found is None:
        nothing = NotApplied(request.reverts or "", "unknown", "nothing-to-revert", f"nothing to {request.kind}")
        return _nothing(request, Receipt(None, request.kind, not_applied=(nothing,)))
    name = found.change.id
    if found.refused is not None:
        return _nothing(request, Receipt(None, request.kind, not_applied=(found.refused,), digest=found.digest))
    if request.shown is not None and request.shown != found.digest:
        moved = NotApplied(name, "moved", "moved", MOVED)
        return _nothing(request, Receipt(None, request.kind, not_applied=(moved,), digest=found.digest, moved=True))
    if found.reverted.moved_on:
        asked = NotApplied(name, "moved-on", "moved-on", "an entry changed since; which text shall stand is not chosen")
        receipt = Receipt(None, request.kind, not_applied=(asked,), digest=found.digest)
        return _nothing(request, replace(receipt, moved_on=found.reverted.moved_on))
    return _revert_change(view, request, found)


def _nothing(request: Request, receipt: Receipt) -> Change:
    return Change(request.stamp.change, request.kind, receipt)


def _blocked(change: PastChange, documents: Mapping[Target, Document]) -> NotApplied | None:
    """Return what keeps a change from being reverted at all."""
    if change.undone_by is not None:
        return NotApplied(change.id, "decided", "already-undone", "that change is undone already")
    if not (change.after or change.closed or change.returned):
        return NotApplied(change.id, "no-change", "no-effect", "there is nothing to take back in that change")
    unusable = [documents[target] for target in change.after if not documents[target].usable]
    if unusable:
        name, trouble = FILE_NAMES[unusable[0].target], unusable[0].trouble
        return NotApplied(change.id, "unreadable", "document-unreadable", f"{name} cannot be read: {trouble}")
    return None


def _revert_change(view: View, request: Request, found: UndoPreview) -> Change:
    change, reverted = found.change, found.reverted
    recorder = Recorder(request.stamp)
    back, stuck = coming_back(view, change.closed)
    closing = _closing_again(view, reverted, change.returned)
    ends = [Applied(item.proposal, Ending.RETURNED) for item in back]
    ends += [Applied(item.proposal, item.ending) for item in closing]
    before = {target: view.snapshot.document(target).raw for target in reverted.documents}
    image = recorder.image(before, view, f"before {request.kind}") if before else None
    restores, silences = force_after(view, request.stamp.change, (change.id,))
    row = new_row(
        request.stamp,
        str(request.kind),
        reverts=change.id,
        documents=recorder.documents(before, reverted.documents),
        backup=image,
        decisions=row_endings(ends),
        chosen=sorted(request.takes),
        note=recorder.note(str(request.kind), request.note),
    )
    done = Receipt(
        request.stamp.change,
        request.kind,
        applied=(Applied(change.id, Ending(request.kind)),),
        not_applied=stuck,
        closed=tuple(Applied(item.proposal, item.ending) for item in closing),
        returned=tuple(item.proposal for item in back),
        backup=image,
        sizes=receipt_sizes(view, reverted.documents),
        digest=found.digest,
        undoes=(change.id,),
    )
    planned = Change(request.stamp.change, request.kind, done, reverted.documents, before)
    planned = replace(planned, closed=closing, returned=back, rows=(row,), reverts=change.id)
    planned = replace(planned, undoes=(change.id,), restores=restores, silences=silences)
    return recorder.finish(planned, view, request, done)


def row_endings(parts: Sequence[Applied]) -> list[dict[str, str]]:
    """Return how items ended as a row holds it."""
    return [{"proposal": item_name(part.id), "decision": str(part.ending)} for part in parts]


def coming_back(view: View, closed: Sequence[Decided]) -> tuple[tuple[Returned, ...], tuple[NotApplied, ...]]:
    """Return the records that come back to the queue, and why others cannot."""
    back: list[Returned] = []
    stuck: list[NotApplied] = []
    for item in closed:
        name = item.proposal
        if item.raw is None:
            message = f"{name} cannot come back: nothing of it was kept"
            stuck.append(NotApplied(name, "decided", "not-kept", message))
        elif name in view.occupied or name in view.waiting:
            message = f"{name} cannot come back: a record waits under that id"
            stuck.append(NotApplied(name, "waiting", "still-waiting", message))
        elif (name, item.digest) in view.vanished:
            message = f"{name} cannot come back: it was in the queue again, and another program took it out"
            stuck.append(NotApplied(name, "unknown", "taken-away", message))
        else:
            back.append(Returned(name, item.raw, item))
    return tuple(back), tuple(stuck)


def _closing_again(view: View, reverted: Reverted, returned: Sequence[Decided]) -> tuple[Closed, ...]:
    """Return the records a redo closes again: those that an undo had returned and that wait unchanged."""
    closing: list[Closed] = []
    after = (parse(target, raw).entries for target, raw in reverted.documents.items())
    standing = tuple(entry for entries in (*view.snapshot.entries().values(), *after) for entry in entries)
    for item in returned:
        waiting = view.waiting.get(item.proposal)
        if waiting is not None and waiting.proposal.digest == item.digest:
            keep = waiting.raw if why_unkept(waiting.raw, waiting.proposal, standing) is None else None
            closing.append(Closed(item.proposal, item.digest, item.ending, keep, item.targets))
    return tuple(closing)
