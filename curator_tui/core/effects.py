"""Findings about what an item does, as others are about its text: soft, shown beside it, stopping nothing.

Here: what is no loss by the lossy rule and worth a look all the same. Not here: the lossy rule itself (``losses``),
what a finding in a text means (``scanning``), where findings are put together (``preflight``).
"""

from __future__ import annotations

from curator_tui.core.counting import counted
from curator_tui.core.losses import facts_outside, shrinks_below_half
from curator_tui.core.operations import Action, Step
from curator_tui.core.scanning import Finding, Severity

EFFECT = "effect"
"""Family of these findings: they are about no place in a text."""


def effect_finding(step: Step) -> Finding | None:
    """Return what is worth a second look in one step, or None.

    That is a replace that leaves under half of an entry, and a remove whose match speaks of one fact of an entry that
    holds more: Hermes removes the whole entry. ``start`` and ``end`` are those of the entry.
    """
    operation = step.operation
    if step.before is None:
        return None
    if operation.action is Action.REPLACE and step.after is not None and shrinks_below_half(step.before, step.after):
        reason = "The new text is under half as long as the entry it takes the place of."
        return _soft("shrinks", step.before, reason)
    if operation.action is Action.REMOVE and operation.match is not None:
        others = facts_outside(step.before, operation.match)
        reason = f"The match speaks of a part of the entry; {counted(others, 'more fact')} would go with it."
        return _soft("removes-more", step.before, reason) if others else None
    return None


def _soft(rule: str, entry: str, reason: str) -> Finding:
    return Finding(rule, EFFECT, Severity.SOFT, 0, len(entry), reason)
