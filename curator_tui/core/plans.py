"""Plans: from a request and a view to one change.

Here: which planner a request goes to, and what is recorded about states others wrote. Not here: decisions about what
waits (``decisions``), putting it off and bringing it back (``deferrals``), a person's own words (``corrections``),
disputed entries (``challenges``), undo (``reverts``), rollback (``rollbacks``), how a change is stored.

``plan`` is pure and may be called again by a store after a serialisation failure.
"""

from __future__ import annotations

from collections.abc import Mapping

from curator_tui.core import challenges, corrections, decisions, deferrals, reverts, rollbacks
from curator_tui.core.changes import Change, Planner, Receipt, View
from curator_tui.core.recording import Recorder, receipt_sizes
from curator_tui.core.requests import Kind, Request


def plan_import(view: View, request: Request) -> Change:
    """Plan an import; see :mod:`importing`, which nothing else needs."""
    from curator_tui.core import importing

    return importing.plan_import(view, request)


def plan_observe(view: View, request: Request) -> Change:
    """Record what others wrote and the pins of what was first seen, without deciding anything."""
    recorder = Recorder(request.stamp)
    change = Change(request.stamp.change, request.kind, Receipt(None, request.kind))
    done = Receipt(None, request.kind, sizes=receipt_sizes(view, {}))
    return recorder.finish(change, view, request, done)


_PLANNERS: Mapping[Kind, Planner] = {
    Kind.DECIDE: decisions.plan_decisions,
    Kind.DEFER: deferrals.plan_defer,
    Kind.REOPEN: deferrals.plan_reopen,
    Kind.CORRECT: corrections.plan_corrections,
    Kind.CHALLENGE: challenges.plan_challenge,
    Kind.ANSWER: challenges.plan_answer,
    Kind.ROLLBACK: rollbacks.plan_rollback,
    Kind.UNDO: reverts.plan_revert,
    Kind.REDO: reverts.plan_revert,
    Kind.OBSERVE: plan_observe,
    Kind.IMPORT: plan_import,
}


def plan(view: View, request: Request) -> Change:
    """Plan any request; where nothing is to be stored the change is ``empty`` and its receipt says why."""
    return _PLANNERS[request.kind](view, request)
