"""Rollbacks: the exact bytes of a backup return, as a new change.

Here: what going back takes along and moves in the queue, and whether it may be done. Not here: taking one change back
entry by entry (``reverts``), images themselves (the stores).

What is shown before and what is done are one function: a preview refuses what the plan refuses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.aside_reverts import AsidesReverted, asides_reverted
from curator_tui.core.changes import (
    Applied,
    Backup,
    Change,
    Decided,
    NotApplied,
    PastChange,
    Receipt,
    Returned,
    Row,
    View,
)
from curator_tui.core.departing import Departing, unkept_ids, unkept_notes
from curator_tui.core.documents import FILE_NAMES, TARGETS, Document, Target, parse, size_of
from curator_tui.core.endings import EFFECTIVE, Ending
from curator_tui.core.force import ForceAfter, force_after
from curator_tui.core.ledger import new_row
from curator_tui.core.outside import OutsideChanges, outside_changes
from curator_tui.core.recording import MOVED, Recorder, receipt_sizes
from curator_tui.core.requests import Kind, Request
from curator_tui.core.reverts import closed_parts, closing_again, coming_back, effect_digest, returned_parts


class RollbackPreview(Struct, frozen=True):
    """What a rollback would do.

    Attributes:
        documents: new bytes per document that changes (None: it was absent then and is deleted).
        undoes: changes in force that it takes back, oldest first.
        takebacks: ids of all changes since the backup that are not in force afterwards.
        returned: records that return to the queue.
        closing: records that are closed again, because a change it takes back had returned them.
        stuck: records that should return or be closed again and cannot, each with its reason.
        notes: what is worth saying before it is done.
        digest: what the decision is bound to.
        refused: why it cannot be done, or None.
        aside: what it does to deferrals and questions.
        force: which other changes come into force and go out of it.
        outside: what others wrote that it takes back.
    """

    documents: Mapping[Target, bytes | None]
    undoes: tuple[PastChange, ...]
    takebacks: tuple[str, ...]
    returned: tuple[Returned, ...]
    stuck: tuple[NotApplied, ...]
    notes: tuple[str, ...]
    digest: str
    refused: NotApplied | None = None
    aside: AsidesReverted = AsidesReverted()
    closing: tuple[Departing, ...] = ()
    force: ForceAfter = ForceAfter()
    outside: OutsideChanges = OutsideChanges()


class _Moves(Struct, frozen=True):
    """Decisions about which a rollback restores what was so at the backup: items to return, and to close again."""

    returning: tuple[Decided, ...]
    closing: tuple[Decided, ...]


def preview_rollback(view: View, request: Request) -> RollbackPreview:
    """Work out a rollback to ``view.backup`` of the documents the request names (both when it names none)."""
    assert view.backup is not None
    wanted = tuple(target for target in TARGETS if target in (request.targets or TARGETS))
    blocked = _blocked(view.backup, [view.snapshot.document(target) for target in wanted])
    if blocked is not None:
        nothing = RollbackPreview({}, (), (), (), (), (), "", blocked)
        return replace(nothing, digest=_digest(view, wanted, (), nothing))
    held = {target: view.backup.files[target] for target in wanted if target in view.backup.files}
    new = {target: raw for target, raw in held.items() if raw != view.snapshot.document(target).raw}
    about = {change.id: set(change.after) or view.standing_for.get(change.id, set()) for change in view.later}
    touching = [change for change in view.later if about[change.id] & set(new)]
    whole = [change for change in touching if about[change.id] <= set(held)]
    takebacks = tuple(change.id for change in whole)
    moves = _moves(view, touching, takebacks, new)
    returned, stuck = coming_back(view, moves.returning)
    closing, left = closing_again(view, new, moves.closing, request.stamp.actor)
    message = "the documents are as they are in that backup"
    force, leaving = force_after(view, request.stamp.change, takebacks), {part.id for part in closing}
    out = (*takebacks, *force.silences)
    aside = asides_reverted(view, request, out, force.restores, returned=returned, leaving=leaving)
    preview = RollbackPreview(
        new,
        tuple(change for change in whole if change.undone_by is None),
        takebacks,
        returned,
        (*stuck, *left),
        tuple(_rollback_notes(view, wanted, new)),
        "",
        None if new else NotApplied(view.backup.id, "no-change", "no-change", message),
        aside if new else AsidesReverted(),
        closing,
        force,
        outside_changes(view, new),
    )
    return replace(preview, digest=_digest(view, wanted, touching, preview))


def _moves(
    view: View, touching: Sequence[PastChange], takebacks: Sequence[str], restored: Collection[Target]
) -> _Moves:
    """Return what has to return and what has to be closed again so that items agree with the documents of the backup.

    The first thing that happened to a record since then tells how it was: what was first decided waited, and what first
    came back was decided. A record that others changed meanwhile is another one.

    Args:
        view: what there is.
        touching: changes since the backup of documents that are restored, oldest first.
        takebacks: ids of those of them that are taken back; of the others only a part is.
        restored: the documents.
    """
    parts = {change.id for change in touching}
    out = {*takebacks, *(change.id for change in view.later if change.undone_by is not None)}
    first: dict[tuple[str, str], Decided | None] = {}
    for change in view.later:
        if change.id not in out and change.id not in parts:
            continue
        for item in change.closed:
            first.setdefault(_record(item), None)
        for item in change.returned:
            if change.id in out or _took_effect(item, restored):
                first.setdefault(_record(item), item)
    # by id, because a change and the redo of it are both in force and name the same item
    returning = {
        item.proposal: item
        for change in touching
        for item in change.closed
        if (change.undone_by is None or _holds(view, item))
        and _took_effect(item, restored)
        and not _shows(first[_record(item)])
    }
    away = {*returning, *view.decided}
    back = {_record(item): first.get(_record(item)) for change in touching for item in change.returned}
    closing = (item for item in back.values() if item is not None and item.proposal not in away)
    return _Moves(tuple(returning.values()), tuple(closing))


def _record(item: Decided) -> tuple[str, str]:
    return item.proposal, item.digest


def _holds(view: View, item: Decided) -> bool:
    """Whether a decision that was taken back is what an item is closed by all the same.

    That is so where a rollback took it back and went to where another decision had closed the item already.
    """
    live = view.live.get(_record(item))
    return live is not None and live.change == item.change


def _shows(stood: Decided | None) -> bool:
    """Whether the documents of the backup show what an item asks for: it was decided so before that."""
    return stood is not None and stood.ending in EFFECTIVE


def _took_effect(item: Decided, documents: Collection[Target]) -> bool:
    """Whether a decision has an effect on one of these documents, or was closed along with one that does."""
    return item.ending in EFFECTIVE and (not item.targets or not set(documents).isdisjoint(item.targets))


def _blocked(backup: Backup, documents: Sequence[Document]) -> NotApplied | None:
    """Return what keeps a document from being restored at all: bytes that cannot be read cannot be imaged first."""
    unseen = next((document for document in documents if not document.seen), None)
    if unseen is None:
        return None
    message = f"{FILE_NAMES[unseen.target]} cannot be read: {unseen.trouble}"
    return NotApplied(backup.id, "unreadable", "document-unreadable", message)


def _digest(view: View, wanted: Sequence[Target], touching: Sequence[PastChange], preview: RollbackPreview) -> str:
    """Return the digest that binds a rollback to what was shown of it."""
    assert view.backup is not None
    return effect_digest(
        {"backup": view.backup.id, "touching": [change.id for change in touching]},
        {target: view.snapshot.document(target) for target in wanted},
        preview.documents,
        takebacks=preview.takebacks,
        returned=preview.returned,
        closing=preview.closing,
        stuck=preview.stuck,
        aside=preview.aside,
    )


def _rollback_notes(view: View, wanted: Sequence[Target], new: Mapping[Target, bytes | None]) -> list[str]:
    assert view.backup is not None
    notes = [f"the backup does not hold {FILE_NAMES[target]}" for target in wanted if target not in view.backup.files]
    for target, raw in new.items():
        limit, size = view.snapshot.limits.get(target), size_of(parse(target, raw).entries)
        if limit is not None and size > limit:
            notes.append(f"{target} will be over its limit: {size}/{limit}")
    if view.doubts:
        more = f" (and {len(view.doubts) - 1} more)" if len(view.doubts) > 1 else ""
        notes.append(f"the queue may not come back as it was: {view.doubts[0]}{more}")
    return notes


def plan_rollback(view: View, request: Request) -> Change:
    """Plan a rollback: the exact bytes of a backup return as a new change, which can itself be undone."""
    if view.backup is None:
        message = "there is no such backup"
        return _nothing(request, NotApplied(request.backup or "", "unknown", "unknown-backup", message))
    preview = preview_rollback(view, request)
    if preview.refused is not None:
        return _nothing(request, preview.refused, preview.digest)
    if request.shown is not None and request.shown != preview.digest:
        return _nothing(request, NotApplied(view.backup.id, "moved", "moved", MOVED), preview.digest, moved=True)
    return _rollback_change(view, request, preview)


def _nothing(request: Request, why: NotApplied, digest: str = "", *, moved: bool = False) -> Change:
    receipt = Receipt(None, request.kind, not_applied=(why,), digest=digest, moved=moved)
    return Change(request.stamp.change, request.kind, receipt)


def _rollback_change(view: View, request: Request, preview: RollbackPreview) -> Change:
    recorder = Recorder(request.stamp)
    before = {target: view.snapshot.document(target).raw for target in preview.documents}
    image = recorder.image(before, view, "before a rollback")
    row = _rollback_row(request, preview, recorder, before, image)
    planned = Change(
        request.stamp.change,
        Kind.ROLLBACK,
        Receipt(None, request.kind),
        documents=preview.documents,
        before=before,
        closed=tuple(part.closed() for part in preview.closing),
        returned=preview.returned,
        rows=(row,),
        takebacks=preview.takebacks,
        restores=preview.force.restores,
        silences=preview.force.silences,
    )
    done = Receipt(
        request.stamp.change,
        request.kind,
        applied=(Applied(request.backup or "", Ending.ROLLBACK, targets=tuple(preview.documents)),),
        not_applied=preview.stuck,
        closed=(*(Applied(part.id, part.ending) for part in preview.closing), *preview.aside.closed),
        returned=(*(item.proposal for item in preview.returned), *preview.aside.returned),
        backup=image,
        sizes=receipt_sizes(view, preview.documents),
        digest=preview.digest,
        undoes=tuple(change.id for change in preview.undoes),
        unkept=unkept_ids(preview.closing),
        notes=(*preview.notes, *unkept_notes(preview.closing), *preview.aside.notes),
    )
    return recorder.finish(planned, view, request, done)


def _rollback_row(
    request: Request,
    preview: RollbackPreview,
    recorder: Recorder,
    before: Mapping[Target, bytes | None],
    image: str,
) -> Row:
    return new_row(
        request.stamp,
        "rollback",
        restored=request.backup,
        documents=recorder.documents(before, preview.documents),
        backup=image,
        undoes=[change.id for change in preview.undoes],
        takebacks=sorted(preview.takebacks),
        decisions=[*returned_parts(preview.returned), *closed_parts(recorder, preview.closing)],
        note=recorder.note("rollback", request.note),
    )
