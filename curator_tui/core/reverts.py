"""Reverts: rollback to a backup, and undo or redo of one change, with everything that goes with them.

Here: whether a revert may be made, which decisions are taken back, which changes are in force afterwards. Not
here: what becomes of the entries (``entry_reverts``), which change is meant when none is named (the book
knows the order), how it is stored.

Rollback restores the exact bytes of an image. Undo never restores a document: it reverts the entries one
change touched.
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
    Kind,
    NotApplied,
    PastChange,
    Receipt,
    Request,
    Returned,
    View,
)
from curator_tui.core.documents import FILE_NAMES, TARGETS, Document, Target, parse, raw_digest, size_of
from curator_tui.core.entry_reverts import Reverted, revert_documents
from curator_tui.core.ledger import digest_of, item_name, new_row
from curator_tui.core.recording import Recorder, receipt_sizes

__all__ = [
    "Reverted",
    "RollbackPreview",
    "plan_revert",
    "plan_rollback",
    "preview_rollback",
    "revert_digest",
    "revert_documents",
    "taken_back",
]

# Endings of a decision that took effect on a document or was closed along with one that did.
_EFFECTIVE = frozenset({Ending.APPROVE, Ending.EDIT, Ending.SUPERSEDED, Ending.ALREADY})


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


def _force(view: View, change: str, undoes: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
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


def plan_revert(view: View, request: Request) -> Change:
    """Plan undo or redo of one recorded change."""
    empty = Change(request.stamp.change, request.kind, Receipt(None, request.kind))
    change = view.reverting
    if change is None:
        return replace(empty, receipt=_refusal(request, "unknown", "nothing-to-revert", f"nothing to {request.kind}"))
    documents = {target: view.snapshot.document(target) for target in TARGETS}
    blocked = _blocked(change, documents)
    if blocked is not None:
        return replace(empty, receipt=_refusal(request, *blocked))
    reverted = revert_documents(change, documents, view.snapshot.limits, request.takes)
    digest = revert_digest(change, documents, reverted)
    if request.shown is not None and request.shown != digest:
        return replace(empty, receipt=Receipt(None, request.kind, digest=digest, moved=True))
    if reverted.moved_on:
        return replace(empty, receipt=Receipt(None, request.kind, digest=digest, moved_on=reverted.moved_on))
    if reverted.problem is not None:
        state, problem = reverted.problem
        return replace(empty, receipt=_refusal(request, str(state), problem.code, problem.message))
    return _revert_change(view, request, change, reverted, digest)


def _blocked(change: PastChange, documents: Mapping[Target, Document]) -> tuple[str, str, str] | None:
    """Return state, code and words of what keeps a change from being reverted at all."""
    if change.undone_by is not None:
        return "decided", "already-undone", "that change is undone already"
    unusable = [documents[target] for target in change.after if not documents[target].usable]
    if unusable:
        name, trouble = FILE_NAMES[unusable[0].target], unusable[0].trouble
        return "unreadable", "document-unreadable", f"{name} cannot be read: {trouble}"
    return None


def _refusal(request: Request, state: str, code: str, message: str) -> Receipt:
    return Receipt(None, request.kind, not_applied=(NotApplied(request.reverts or "", state, code, message),))


def _revert_change(view: View, request: Request, change: PastChange, reverted: Reverted, digest: str) -> Change:
    recorder = Recorder(request.stamp)
    back, stuck = _returning(view, change.closed)
    closing = _closing_again(view, change.returned)
    ends = [Applied(item.proposal, Ending.RETURNED) for item in back]
    ends += [Applied(item.proposal, item.ending) for item in closing]
    before = {target: view.snapshot.document(target).raw for target in reverted.documents}
    image = recorder.image(before, view, f"before {request.kind}") if before else None
    restores, silences = _force(view, request.stamp.change, (change.id,))
    row = new_row(
        request.stamp,
        str(request.kind),
        reverts=change.id,
        documents=recorder.documents(before, reverted.documents),
        backup=image,
        decisions=_ends(ends),
        chosen=sorted(request.takes),
        note=recorder.note(str(request.kind), request.note),
    )
    done = Receipt(
        request.stamp.change,
        request.kind,
        applied=tuple(ends),
        not_applied=stuck,
        returned=tuple(item.proposal for item in back),
        backup=image,
        sizes=receipt_sizes(view, reverted.documents),
        digest=digest,
        undoes=(change.id,),
    )
    planned = Change(request.stamp.change, request.kind, done, reverted.documents, before)
    planned = replace(planned, closed=closing, returned=back, rows=(row,), reverts=change.id)
    planned = replace(planned, undoes=(change.id,), restores=restores, silences=silences)
    return recorder.finish(planned, view, request, done)


def _ends(parts: Sequence[Applied]) -> list[dict[str, str]]:
    """Return how items ended as a row holds it."""
    return [{"proposal": item_name(part.id), "decision": str(part.ending)} for part in parts]


def _returning(view: View, closed: Sequence[Decided]) -> tuple[tuple[Returned, ...], tuple[NotApplied, ...]]:
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


def _closing_again(view: View, returned: Sequence[Decided]) -> tuple[Closed, ...]:
    """Return the records a redo closes again: those that an undo had returned and that wait unchanged."""
    closing: list[Closed] = []
    for item in returned:
        waiting = view.waiting.get(item.proposal)
        if waiting is not None and waiting.proposal.digest == item.digest:
            closing.append(Closed(item.proposal, item.digest, item.ending, waiting.raw, item.targets))
    return tuple(closing)


class RollbackPreview(Struct, frozen=True):
    """What a rollback would do.

    Attributes:
        documents: new bytes per document that changes (None: it was absent then and is deleted).
        undoes: changes in force that it takes back, oldest first.
        takebacks: ids of all changes since the backup that are not in force afterwards.
        returned: records that return to the queue.
        notes: what is worth saying before it is done.
        digest: what the decision is bound to.
    """

    documents: Mapping[Target, bytes | None]
    undoes: tuple[PastChange, ...]
    takebacks: tuple[str, ...]
    returned: tuple[Returned, ...]
    notes: tuple[str, ...]
    digest: str


def preview_rollback(view: View, request: Request) -> RollbackPreview:
    """Work out a rollback to ``view.backup`` of the documents the request names (both when it names none)."""
    assert view.backup is not None
    wanted = tuple(target for target in TARGETS if target in (request.targets or TARGETS))
    held = {target: view.backup.files[target] for target in wanted if target in view.backup.files}
    new = {target: raw for target, raw in held.items() if raw != view.snapshot.document(target).raw}
    touching = [change for change in view.later if set(change.after) & set(new)]
    whole = [change for change in touching if set(change.after) <= set(held)]
    # by id, because a change and the redo of it may both be in force and name the same item
    closed = {
        item.proposal: item
        for change in touching
        if change.undone_by is None
        for item in change.closed
        if item.ending in _EFFECTIVE and (not item.targets or set(item.targets) & set(new))
    }
    returned, stuck = _returning(view, tuple(closed.values()))
    digest = digest_of(
        {
            "backup": view.backup.id,
            "documents": {str(target): view.snapshot.document(target).digest for target in wanted},
            "results": {str(target): raw_digest(raw) for target, raw in new.items()},
            "undoes": [change.id for change in touching],
            "returned": [[item.proposal, item.decided.digest] for item in returned],
        }
    )
    return RollbackPreview(
        new,
        tuple(change for change in whole if change.undone_by is None),
        tuple(change.id for change in whole),
        returned,
        (*_rollback_notes(view, wanted, new), *(part.message for part in stuck)),
        digest,
    )


def _rollback_notes(view: View, wanted: Sequence[Target], new: Mapping[Target, bytes | None]) -> list[str]:
    assert view.backup is not None
    notes = [f"the backup does not hold {FILE_NAMES[target]}" for target in wanted if target not in view.backup.files]
    for target, raw in new.items():
        limit, size = view.snapshot.limits.get(target), size_of(parse(target, raw).entries)
        if limit is not None and size > limit:
            notes.append(f"{target} will be over its limit: {size}/{limit}")
    return notes


def plan_rollback(view: View, request: Request) -> Change:
    """Plan a rollback: the exact bytes of a backup return as a new change, which can itself be undone."""
    empty = Change(request.stamp.change, request.kind, Receipt(None, request.kind))
    if view.backup is None:
        return replace(empty, receipt=_no_rollback(request, "unknown", "unknown-backup", "there is no such backup"))
    documents = [view.snapshot.document(target) for target in request.targets or TARGETS]
    blocked = next((document for document in documents if not document.seen), None)
    if blocked is not None:
        message = f"{FILE_NAMES[blocked.target]} cannot be read: {blocked.trouble}"
        return replace(empty, receipt=_no_rollback(request, "unreadable", "document-unreadable", message))
    preview = preview_rollback(view, request)
    if request.shown is not None and request.shown != preview.digest:
        return replace(empty, receipt=Receipt(None, request.kind, digest=preview.digest, moved=True))
    if not preview.documents:
        message = "the documents are as they are in that backup"
        return replace(empty, receipt=_no_rollback(request, "no-change", "no-change", message))
    return _rollback_change(view, request, preview)


def _no_rollback(request: Request, state: str, code: str, message: str) -> Receipt:
    return Receipt(None, request.kind, not_applied=(NotApplied(request.backup or "", state, code, message),))


def _rollback_change(view: View, request: Request, preview: RollbackPreview) -> Change:
    recorder = Recorder(request.stamp)
    before = {target: view.snapshot.document(target).raw for target in preview.documents}
    image = recorder.image(before, view, "before a rollback")
    restores, silences = _force(view, request.stamp.change, preview.takebacks)
    row = new_row(
        request.stamp,
        "rollback",
        restored=request.backup,
        documents=recorder.documents(before, preview.documents),
        backup=image,
        undoes=[change.id for change in preview.undoes],
        decisions=_ends(tuple(Applied(item.proposal, Ending.RETURNED) for item in preview.returned)),
        note=recorder.note("rollback", request.note),
    )
    planned = Change(
        request.stamp.change,
        Kind.ROLLBACK,
        Receipt(None, request.kind),
        documents=preview.documents,
        before=before,
        returned=preview.returned,
        rows=(row,),
        undoes=preview.takebacks,
        restores=restores,
        silences=silences,
    )
    done = Receipt(
        request.stamp.change,
        request.kind,
        applied=(Applied(request.backup or "", Ending.ROLLBACK),),
        returned=tuple(item.proposal for item in preview.returned),
        backup=image,
        sizes=receipt_sizes(view, preview.documents),
        digest=preview.digest,
        undoes=tuple(change.id for change in preview.undoes),
        notes=preview.notes,
    )
    return recorder.finish(planned, view, request, done)
