"""Findings about what an item does, as others are about its text: soft, shown beside it, stopping nothing.

Here: what is no loss by the lossy rule and worth a look all the same. Not here: the lossy rule itself (``losses``),
what a finding in a text means (``scanning``), where findings are put together (``preflight``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from curator_tui.core.counting import counted
from curator_tui.core.losses import facts_outside, meant_only, shrinks_below_half
from curator_tui.core.operations import Action, Step
from curator_tui.core.scanning import Finding, Severity

EFFECT = "effect"
"""Family of these findings: they are about no place in a text."""


def effect_finding(step: Step, along: Sequence[str]) -> Finding | None:
    """Return what is worth a second look in one step, or None.

    That is a replace that leaves under half of an entry, and a remove whose match speaks of one fact of an entry that
    holds more: Hermes removes the whole entry. ``along`` is what a remove takes besides. ``start`` and ``end`` are
    those of the entry.
    """
    operation = step.operation
    if step.before is None:
        return None
    if operation.action is Action.REPLACE and step.after is not None and shrinks_below_half(step.before, step.after):
        reason = "The new text is under half as long as the entry it takes the place of."
        return _soft("shrinks", step.before, reason)
    if along:
        reason = f"The match speaks of a part of the entry; {counted(len(along), 'more fact')} would go with it."
        return _soft("removes-more", step.before, reason)
    return None


def taken_along(steps: Sequence[Step]) -> dict[int, tuple[str, ...]]:
    """Return, per remove that means a part of its entry, the other facts of that entry: they go with it."""
    contents = tuple(step.operation.content for step in steps if step.operation.content is not None)
    found = {
        index: facts_outside(step.before, step.operation.match, contents)
        for index, step in enumerate(steps)
        if step.operation.action is Action.REMOVE and step.before is not None and step.operation.match is not None
    }
    return {index: taken for index, taken in found.items() if taken}


def left_of(steps: Sequence[Step], along: Iterable[int]) -> dict[int, str]:
    """Return what each of these removes would leave of its entry if it took only what it means, where that is clear."""
    left: dict[int, str] = {}
    for index in along:
        step = steps[index]
        assert step.before is not None
        assert step.operation.match is not None
        rest = meant_only(step.before, step.operation.match)
        if rest is not None:
            left[index] = rest
    return left


def _soft(rule: str, entry: str, reason: str) -> Finding:
    return Finding(rule, EFFECT, Severity.SOFT, 0, len(entry), reason)
