"""Deferrals: items that are deferred until a day or until they are reopened, and bringing items back to the queue.

Here: planning ``defer`` and ``reopen``. Not here: when a deferral holds (``asides``), reading a day (``days``), taking
either back (``reverts``). Memory itself is never touched; on a Hermes home the record stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from curator_tui.core.asides import Asides, Deferral
from curator_tui.core.changes import Applied, Change, NotApplied, Receipt, Returned, Row, View
from curator_tui.core.decisions import why_gone
from curator_tui.core.endings import Ending
from curator_tui.core.ledger import committed, item_name, new_row
from curator_tui.core.preflight import short
from curator_tui.core.recording import Recorder, deferral_salt, receipt_sizes
from curator_tui.core.requests import Request, ToDefer
from curator_tui.core.text import visible


class _Ended(Struct):
    """What becomes of each item that was named."""

    applied: list[Applied] = field(default_factory=list)
    failed: list[NotApplied] = field(default_factory=list)
    returned: list[Returned] = field(default_factory=list)
    deferrals: list[Deferral] = field(default_factory=list)


def plan_defer(view: View, request: Request) -> Change:
    """Plan the deferral of waiting items; one that is deferred just so already is no change."""
    ended = _Ended()
    for asked in {one.proposal: one for one in request.defer}.values():
        _defer(view, request, asked, ended)
    recorder = Recorder(request.stamp)
    return _change(view, request, recorder, ended)


def _defer(view: View, request: Request, asked: ToDefer, ended: _Ended) -> None:
    name, waiting = asked.proposal, view.waiting.get(asked.proposal)
    if waiting is None:
        ended.failed.append(why_gone(view.decided.get(name), name, request.stamp.actor))
        return
    digest, known = waiting.proposal.digest, view.asides.latest().get(name)
    if asked.digest not in {None, digest}:
        ended.failed.append(NotApplied(name, "moved", "record-changed", "its record changed since it was shown"))
    elif known is not None and known.until == asked.until and known.holds(digest, request.today):
        ended.applied.append(Applied(name, Ending.ALREADY))
    else:
        ended.applied.append(Applied(name, Ending.DEFER))
        ended.deferrals.append(_deferral(request, name, digest, until=asked.until))


def plan_reopen(view: View, request: Request) -> Change:
    """Plan the return of decided items to the queue, and of deferred ones before their day."""
    ended = _Ended()
    for name in dict.fromkeys(request.reopen):
        _reopen(view, request, name, ended)
    recorder = Recorder(request.stamp)
    return _change(view, request, recorder, ended)


def _reopen(view: View, request: Request, name: str, ended: _Ended) -> None:
    decided, waiting = view.decided.get(name), view.waiting.get(name)
    digest = waiting.proposal.digest if waiting is not None else decided.digest if decided is not None else ""
    known = view.asides.latest().get(name)
    deferred = known is not None and known.holds(digest, request.today)
    if (waiting is not None or name in view.occupied) and not (waiting is not None and deferred):
        ended.failed.append(NotApplied(name, "waiting", "still-waiting", "it is waiting already"))
    elif waiting is None and decided is None:
        message = f"no decided or deferred item has the id {short(name)}"
        ended.failed.append(NotApplied(name, "unknown", "unknown-item", message))
    elif waiting is None and decided is not None and decided.raw is None:
        message = "its text was not kept, so it cannot come back"
        ended.failed.append(NotApplied(name, "decided", "not-kept", message))
    else:
        ended.applied.append(Applied(name, Ending.REOPEN))
        if waiting is None and decided is not None and decided.raw is not None:
            ended.returned.append(Returned(name, decided.raw, decided))
        if deferred:
            ended.deferrals.append(_deferral(request, name, digest, back=True))


def _deferral(request: Request, name: str, digest: str, *, until: str = "", back: bool = False) -> Deferral:
    return Deferral(name, digest, until, back, request.stamp.change, request.stamp.actor, request.stamp.at)


def _part(recorder: Recorder, deferral: Deferral) -> Row:
    """Return what the row holds of one deferral; which record it is about is bound like a text."""
    name = item_name(deferral.proposal)
    data = deferral.digest.encode("utf-8", "surrogatepass")
    part = {
        "proposal": name,
        "decision": str(Ending.RETURNED if deferral.back else Ending.DEFER),
        "record": committed(recorder.salt(deferral_salt(name)), data, len(data)),
    }
    return {**part, "until": deferral.until} if deferral.until else part


def _change(view: View, request: Request, recorder: Recorder, ended: _Ended) -> Change:
    parts = bool(ended.deferrals or ended.returned)
    row = new_row(
        request.stamp,
        str(request.kind),
        decisions=[{"proposal": item_name(one.proposal), "decision": str(Ending.RETURNED)} for one in ended.returned],
        deferrals=[_part(recorder, one) for one in ended.deferrals],
        note=recorder.note(str(request.kind), request.note) if parts else "",
    )
    change = Change(
        request.stamp.change,
        request.kind,
        Receipt(None, request.kind),
        returned=tuple(ended.returned),
        asides=Asides(tuple(ended.deferrals)),
        rows=(row,) if parts else (),
    )
    done = Receipt(
        request.stamp.change if parts else None,
        request.kind,
        applied=tuple(ended.applied),
        not_applied=tuple(ended.failed),
        returned=tuple(one.id for one in ended.applied if one.ending is Ending.REOPEN),
        sizes=receipt_sizes(view, {}),
    )
    return recorder.finish(change, view, request, done)


def deferred_notes(asides: Asides, returned: Iterable[Returned], today: str) -> tuple[str, ...]:
    """Say which of the items that come back were deferred when they went: they are so again."""
    latest = asides.latest()
    notes: list[str] = []
    for item in returned:
        known = latest.get(item.proposal)
        if known is not None and known.holds(item.decided.digest, today):
            notes.append(f"{visible(item.proposal, newlines=False)} was deferred before and is so again, {when(known)}")
    return tuple(notes)


def when(deferral: Deferral) -> str:
    """Say until when an item is deferred."""
    return f"until {deferral.until}" if deferral.until else "until it is reopened"
