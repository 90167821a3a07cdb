"""What helps with an item that cannot be approved as it stands: the keys that really do something with it.

Here: the one sentence that the divider and the status row share, so that neither names a key that the other denies.
Not here: which conditions hold an approval up (``core.review``), what a key does (the screens).
"""

from __future__ import annotations

from curator_tui.core.preflight import State
from curator_tui.core.proposals import editable
from curator_tui.curator.looking import Looked
from curator_tui.tui.actions import key_for
from curator_tui.tui.shown import Shown, say


def whole_only(looked: Looked) -> Shown:
    """Return what a person can press for an item that can be taken as it stands or not at all."""
    knowingly = say("approves it knowingly" if looked.found.along else "approves it as it stands")
    return say("{} rejects it, {} {}", key_for("decide.reject"), key_for("decide.approve"), knowingly)


def removal_way(looked: Looked) -> Shown:
    """Return what a person can press for a removal that takes more with it than it speaks of."""
    if looked.offers_inside:
        return say("{} takes out only what it speaks of; {}", key_for("decide.inside"), whole_only(looked))
    return say("{}: the whole entry goes", whole_only(looked))


def way_out(looked: Looked, state: State) -> Shown:
    """Return what a person can press for an item that is held up by a condition."""
    mends = bool(editable(looked.found.proposal))
    approve, reject, edit = key_for("decide.approve"), key_for("decide.reject"), key_for("decide.edit")
    if state is State.STALE:
        return say("{} picks an entry, {} rejects", approve, reject)
    if state is State.AMBIGUOUS:
        return say("{} picks one, {} rejects", approve, reject)
    if state is State.OVER_LIMIT and looked.item.room:
        plan = key_for("plan.open")
        return say("{} shortens, {} plans it with what makes room, {} rejects", edit, plan, reject)
    if state is State.OVER_LIMIT and mends:
        return say("{} shortens, {} rejects", edit, reject)
    if state is State.INVALID and mends:
        return say("{} edits, {} rejects", edit, reject)
    return say("{} rejects", reject)
