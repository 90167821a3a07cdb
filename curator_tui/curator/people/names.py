"""Names of items on their way between the queue of all people and the desk of the one they are about.

Here: putting the name of the scope in front of every id in an answer, and taking it away from a request. Not here:
which scope a name means (``stores.sql.tenant_store``). Digests are those of the scope: what is bound is the same.
"""

from __future__ import annotations

from msgspec.structs import replace

from curator_tui.core.changes import NotApplied, Receipt
from curator_tui.core.requests import Decision, Kind, Request, Stamp
from curator_tui.curator.items import Item


def _named(short: str, name: str) -> str:
    return f"{short}.{name}"


def _own(name: str) -> str:
    return name.partition(".")[2] or name


def of_all(item: Item, short: str) -> Item:
    """Return an item of one scope under the names that the queue of all people has for it and its group."""
    proposal = replace(item.found.proposal, id=_named(short, item.id))
    return replace(
        item,
        found=replace(item.found, proposal=proposal),
        members=tuple(_named(short, name) for name in item.members),
        room=tuple(_named(short, name) for name in item.room),
        superseded_by=_named(short, item.superseded_by) if item.superseded_by else "",
    )


def in_scope(decision: Decision) -> Decision:
    """Return a decision under the names of the scope it is about."""
    return replace(decision, proposal=_own(decision.proposal), closes=tuple(map(_own, decision.closes)))


def request_in_scope(request: Request, short: str, stamp: Stamp) -> Request:
    """Return the part of a request that is about one scope, under the names there."""

    def ours(name: str) -> bool:
        return name.startswith(f"{short}.") if short else "." not in name

    return replace(
        request,
        stamp=stamp,
        decisions=tuple(in_scope(one) for one in request.decisions if ours(one.proposal)),
        reopen=tuple(_own(name) for name in request.reopen if ours(name)),
        defer=tuple(replace(one, proposal=_own(one.proposal)) for one in request.defer if ours(one.proposal)),
    )


def receipt_of_all(receipt: Receipt, short: str) -> Receipt:
    """Return an answer of one scope under the names of the queue of all people."""
    if not short:
        return receipt
    return replace(
        receipt,
        applied=tuple(replace(one, id=_named(short, one.id)) for one in receipt.applied),
        not_applied=tuple(replace(one, id=_named(short, one.id)) for one in receipt.not_applied),
        closed=tuple(
            replace(one, id=_named(short, one.id), by=_named(short, one.by) if one.by else "") for one in receipt.closed
        ),
        returned=tuple(_named(short, name) for name in receipt.returned),
        unkept=tuple(_named(short, name) for name in receipt.unkept),
    )


def together(receipts: list[Receipt], change: str, kind: Kind, left: tuple[NotApplied, ...]) -> Receipt:
    """Return the answers to the parts of one change as one.

    Args:
        receipts: the answer of each scope.
        change: id of the change, the same in all of them.
        kind: what was asked.
        left: what was not asked for because it was judged before.
    """
    made = [one for one in receipts if one.change is not None]
    return Receipt(
        change if made else None,
        kind,
        applied=tuple(part for one in receipts for part in one.applied),
        not_applied=(*left, *(part for one in receipts for part in one.not_applied)),
        closed=tuple(part for one in receipts for part in one.closed),
        returned=tuple(name for one in receipts for name in one.returned),
        unkept=tuple(name for one in receipts for name in one.unkept),
        notes=tuple(dict.fromkeys(note for one in receipts for note in one.notes)),
    )


def joined(receipts: list[Receipt]) -> Receipt:
    """Return the answers of several scopes as one: a change of each, of which the last one made is named."""
    first, *rest = receipts
    if not rest:
        return first
    made = [one for one in receipts if one.change is not None]
    return Receipt(
        made[-1].change if made else None,
        first.kind,
        applied=tuple(part for one in receipts for part in one.applied),
        not_applied=tuple(part for one in receipts for part in one.not_applied),
        closed=tuple(part for one in receipts for part in one.closed),
        returned=tuple(name for one in receipts for name in one.returned),
        unkept=tuple(name for one in receipts for name in one.unkept),
        notes=(*(note for one in receipts for note in one.notes), f"{len(made)} changes, one for each person"),
    )
