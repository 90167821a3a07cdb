"""Reverts: undo or redo of one change, with everything that goes with it.

Here: whether a revert may be made, which records return with it and which are closed again. Not here: what becomes of
the entries (``entry_reverts``), which changes are in force (``force``), going back to a backup (``rollbacks``), which
change is meant when none is named (the book knows the order), how it is stored.

What is shown before and what is done are one function: a preview refuses what the plan refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.aside_reverts import AsidesReverted, asides_reverted, moves_asides
from curator_tui.core.changes import Applied, Change, Decided, NotApplied, PastChange, Receipt, Returned, Row, View
from curator_tui.core.departing import Departing, decided_words, departing, unkept_ids, unkept_notes
from curator_tui.core.documents import FILE_NAMES, TARGETS, Document, Target, parse, raw_digest
from curator_tui.core.endings import Ending
from curator_tui.core.entry_reverts import Reverted, revert_documents
from curator_tui.core.force import ForceAfter, force_after, going_along, still_out
from curator_tui.core.ledger import digest_of, item_name, new_row
from curator_tui.core.recording import MOVED, Recorder, receipt_sizes, refused_change
from curator_tui.core.requests import Actor, Request
from curator_tui.core.text import visible
from curator_tui.core.upheld import lacking

EFFECT_ABSENT = "effect-absent"
"""Code of a decision that is in force, or would be, while a document does not show what it did."""


class UndoPreview(Struct, frozen=True):
    """What an undo or redo would do.

    Attributes:
        change: the change it reverts.
        reverted: the documents afterwards, and the entries that need a choice first.
        digest: what the decision is bound to.
        takebacks: ids of the changes that are not in force afterwards.
        returned: records that return to the queue.
        closing: records that are closed again.
        stuck: records that should return or be closed again and cannot, each with its reason.
        aside: what it does to deferrals and questions.
        refused: why it cannot be done, or None.
        force: which other changes come into force and go out of it.
    """

    change: PastChange
    reverted: Reverted
    digest: str
    takebacks: tuple[str, ...] = ()
    returned: tuple[Returned, ...] = ()
    closing: tuple[Departing, ...] = ()
    stuck: tuple[NotApplied, ...] = ()
    refused: NotApplied | None = None
    aside: AsidesReverted = AsidesReverted()
    force: ForceAfter = ForceAfter()


def preview_revert(view: View, request: Request) -> UndoPreview | None:
    """Work out undo or redo of the change the request names; None when there is no such change."""
    change = view.reverting
    if change is None:
        return None
    documents = {target: view.snapshot.document(target) for target in TARGETS}
    takebacks = going_along(view, change.id)
    blocked = _blocked(view, change, documents) or still_out(view, request.stamp.change, change, takebacks)
    if blocked is not None:
        nothing = UndoPreview(change, Reverted({}, ()), "", refused=blocked)
        return replace(nothing, digest=_digest(documents, nothing))
    reverted = revert_documents(change, documents, view.snapshot.limits, request.takes)
    refused = None
    if not reverted.moved_on and reverted.problem is not None:
        state, problem = reverted.problem
        refused = NotApplied(change.id, str(state), problem.code, problem.message)
    back, stuck = coming_back(view, change.closed)
    closing, left = closing_again(view, reverted.documents, change.returned, request.stamp.actor)
    force = force_after(view, request.stamp.change, takebacks)
    out, leaving_again = (*takebacks, *force.silences), {part.id for part in closing}
    aside = asides_reverted(view, request, out, force.restores, returned=back, leaving=leaving_again)
    preview = UndoPreview(change, reverted, "", takebacks, back, closing, (*stuck, *left), refused, aside, force)
    if refused is None and not reverted.moved_on:
        preview = replace(preview, refused=_without_effect(request, preview))
    return replace(preview, digest=_digest(documents, preview))


def _without_effect(request: Request, preview: UndoPreview) -> NotApplied | None:
    """Return why a revert is refused of which nothing would be left, because the effect of what it closes is gone."""
    gone = {one.id for one in preview.stuck if one.code == EFFECT_ABSENT}
    # what is not closed is not put aside in its stead either
    aside = preview.aside.returned or any(one.id not in gone for one in preview.aside.closed)
    if not gone or preview.reverted.documents or preview.returned or preview.closing or aside:
        return None
    cause = "what was decided about its items does not stand in the documents any more"
    message = f"there is nothing to {request.kind}: {cause}; they wait, so decide them again"
    return NotApplied(preview.change.id, "no-change", EFFECT_ABSENT, message)


def _digest(documents: Mapping[Target, Document], preview: UndoPreview) -> str:
    """Return the digest that binds a revert to what was shown of it."""
    change, reverted = preview.change, preview.reverted
    own = {"reverts": change.id, "moved": [[part.pair, part.now] for part in reverted.moved_on]}
    before = {target: documents[target] for target in change.after}
    return effect_digest(
        own,
        before,
        reverted.documents,
        takebacks=preview.takebacks,
        returned=preview.returned,
        closing=preview.closing,
        stuck=preview.stuck,
        aside=preview.aside,
    )


def effect_digest(
    own: Mapping[str, Any],
    documents: Mapping[Target, Document],
    results: Mapping[Target, bytes | None],
    *,
    takebacks: Sequence[str],
    returned: Sequence[Returned],
    closing: Sequence[Departing],
    stuck: Sequence[NotApplied],
    aside: AsidesReverted,
) -> str:
    """Return what a revert or a rollback is bound to: everything that a person is told of it before it is done.

    Args:
        own: what only the one or the other has.
        documents: those it is about, as they are now.
        results: new bytes of those that change.
        takebacks: ids of the changes that are not in force afterwards.
        returned: records that return to the queue.
        closing: records that are closed again.
        stuck: records that cannot be returned or closed again.
        aside: what moves besides.
    """
    return digest_of(
        {
            **own,
            "documents": {str(target): document.digest for target, document in documents.items()},
            "results": {str(target): raw_digest(raw) for target, raw in results.items()},
            "takebacks": sorted(takebacks),
            "returned": [[item.proposal, item.decided.digest] for item in returned],
            "closed": [
                [part.id, part.waiting.proposal.digest, str(part.ending), part.unkept is None] for part in closing
            ],
            "stuck": [[one.id, one.code] for one in stuck],
            "aside": aside.bound(),
        }
    )


def plan_revert(view: View, request: Request) -> Change:
    """Plan undo or redo of one recorded change."""
    found = preview_revert(view, request)
    if found is None:
        nothing = NotApplied(request.reverts or "", "unknown", "nothing-to-revert", f"nothing to {request.kind}")
        return _nothing(request, Receipt(None, request.kind, not_applied=(nothing,)))
    name = found.change.id
    if found.refused is not None:
        receipt = Receipt(None, request.kind, not_applied=(found.refused, *found.stuck), digest=found.digest)
        return refused_change(view, request, receipt)
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


def _blocked(view: View, change: PastChange, documents: Mapping[Target, Document]) -> NotApplied | None:
    """Return what keeps a change from being reverted at all."""
    if change.undone_by is not None:
        return NotApplied(change.id, "decided", "already-undone", "that change is undone already")
    if not (change.after or change.returned or moves_asides(view, change) or any(_kept(view, change.closed))):
        code, cause = ("not-kept", ": nothing of its records was kept") if change.closed else ("no-effect", "")
        return NotApplied(change.id, "no-change", code, f"there is nothing to take back in that change{cause}")
    unusable = [documents[target] for target in change.after if not documents[target].usable]
    if unusable:
        name, trouble = FILE_NAMES[unusable[0].target], unusable[0].trouble
        return NotApplied(change.id, "unreadable", "document-unreadable", f"{name} cannot be read: {trouble}")
    return None


def _kept(view: View, closed: Sequence[Decided]) -> Iterator[bool]:
    """Tell of each record whether anything of it is kept, with that decision or with the last word on it."""
    for item in closed:
        live = view.live.get((item.proposal, item.digest), item)
        yield item.raw is not None or live.raw is not None


def _revert_change(view: View, request: Request, found: UndoPreview) -> Change:
    change, new = found.change, found.reverted.documents
    recorder = Recorder(request.stamp)
    before = {target: view.snapshot.document(target).raw for target in new}
    image = recorder.image(before, view, f"before {request.kind}") if before else None
    row = _revert_row(request, found, recorder, before, image)
    done = Receipt(
        request.stamp.change,
        request.kind,
        applied=(Applied(change.id, Ending(request.kind), targets=tuple(new)),),
        not_applied=found.stuck,
        closed=(*(Applied(part.id, part.ending) for part in found.closing), *found.aside.closed),
        returned=(*(item.proposal for item in found.returned), *found.aside.returned),
        backup=image,
        sizes=receipt_sizes(view, new),
        digest=found.digest,
        undoes=found.takebacks,
        unkept=unkept_ids(found.closing),
        notes=(*unkept_notes(found.closing), *found.aside.notes),
    )
    planned = Change(request.stamp.change, request.kind, done, new, before, rows=(row,), reverts=change.id)
    planned = replace(
        planned,
        closed=tuple(part.closed() for part in found.closing),
        returned=found.returned,
        takebacks=found.takebacks,
        restores=found.force.restores,
        silences=found.force.silences,
    )
    return recorder.finish(planned, view, request, done)


def _revert_row(
    request: Request,
    found: UndoPreview,
    recorder: Recorder,
    before: Mapping[Target, bytes | None],
    image: str | None,
) -> Row:
    return new_row(
        request.stamp,
        str(request.kind),
        reverts=found.change.id,
        takebacks=sorted(found.takebacks),
        documents=recorder.documents(before, found.reverted.documents),
        backup=image,
        decisions=[*returned_parts(found.returned), *closed_parts(recorder, found.closing)],
        aside=True if found.aside.moves else None,
        chosen=sorted(found.reverted.chosen),
        note=recorder.note(str(request.kind), request.note),
    )


def returned_parts(returned: Sequence[Returned]) -> list[Row]:
    """Return the records that come back as a row holds them."""
    return [{"proposal": item_name(item.proposal), "decision": str(Ending.RETURNED)} for item in returned]


def closed_parts(recorder: Recorder, closing: Sequence[Departing]) -> list[Row]:
    """Return the records that are closed again as a row holds them."""
    return [
        {"proposal": item_name(part.id), "decision": str(part.ending), "record": part.record_part(recorder)}
        for part in closing
    ]


def coming_back(view: View, closed: Sequence[Decided]) -> tuple[tuple[Returned, ...], tuple[NotApplied, ...]]:
    """Return the records that come back to the queue, and why others cannot.

    One that waits as it was when it was decided is back already. What comes back is the record of the decision that
    is the last word on it: a redo may have kept nothing where the decision it redid did.
    """
    back: list[Returned] = []
    stuck: list[NotApplied] = []
    for item in closed:
        name, standing = item.proposal, _standing(view, item.proposal)
        live = view.live.get((name, item.digest))
        if standing is not None:
            if standing != item.digest:
                stuck.append(_stuck(name, "waiting", "still-waiting", "a record waits under that id"))
        elif live is None:
            cause = "it was in the queue again, and another program took it out"
            stuck.append(_stuck(name, "unknown", "taken-away", cause))
        elif name in view.unproven:
            stuck.append(_stuck(name, "decided", "not-proven", view.unproven[name]))
        elif live.raw is None:
            stuck.append(_stuck(name, "decided", "not-kept", "nothing of it was kept"))
        else:
            back.append(Returned(name, live.raw, live))
    return tuple(back), tuple(stuck)


def _standing(view: View, name: str) -> str | None:
    """Return the digest of what stands in the queue under an id, None for nothing."""
    waiting = view.waiting.get(name)
    return waiting.proposal.digest if waiting is not None else view.occupied.get(name)


def _stuck(name: str, state: str, code: str, cause: str) -> NotApplied:
    return NotApplied(name, state, code, f"{visible(name, newlines=False)} cannot come back: {cause}")


def closing_again(
    view: View, documents: Mapping[Target, bytes | None], returned: Sequence[Decided], you: Actor
) -> tuple[tuple[Departing, ...], tuple[NotApplied, ...]]:
    """Return the records that are closed again, and why not others.

    Those are what a change that is taken back had returned and what waits unchanged; what had taken effect is closed
    only where the documents show that it did.

    Args:
        view: what there is.
        documents: new bytes of the documents that change.
        returned: the decisions that were taken back.
        you: who asks.
    """
    closing: list[Departing] = []
    left: list[NotApplied] = []
    after = (parse(target, raw).entries for target, raw in documents.items())
    standing = tuple(entry for entries in (*view.snapshot.entries().values(), *after) for entry in entries)
    unseen = lacking(view, documents, returned)
    for item in returned:
        waiting = view.waiting.get(item.proposal)
        same = waiting is not None and waiting.proposal.digest == item.digest
        if same and item.proposal in unseen:
            left.append(_unseen(item.proposal, unseen[item.proposal]))
        elif waiting is not None and same:
            closing.append(departing(waiting, item.targets, item.ending, standing))
        else:
            decided = None if waiting is not None else view.decided.get(item.proposal)
            left.append(_left(item.proposal, you, changed=waiting is not None, decided=decided))
    return tuple(closing), tuple(left)


def _unseen(name: str, targets: Sequence[Target]) -> NotApplied:
    """Say that a record is not closed again because no document would show why."""
    files = " and ".join(FILE_NAMES[target] for target in targets)
    cause = f"{visible(name, newlines=False)} was not closed again: what was decided about it does not stand in {files}"
    return NotApplied(name, "waiting", EFFECT_ABSENT, f"{cause}; it waits, so decide it again")


def _left(name: str, you: Actor, *, changed: bool, decided: Decided | None) -> NotApplied:
    """Say why a record is not closed again."""
    said = f"{visible(name, newlines=False)} was not closed again"
    if changed:
        return NotApplied(name, "moved", "record-changed", f"{said}: its record changed since it came back")
    if decided is not None:
        return NotApplied(name, "decided", "already-decided", f"{said}: {decided_words(decided, you)}")
    return NotApplied(name, "unknown", "taken-away", f"{said}: another program took it out of the queue")
