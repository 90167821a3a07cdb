"""Edits: from the options of ``approve`` to a person's edit of one waiting write."""

from __future__ import annotations

from curator_tui.cli.session import usage
from curator_tui.core.preflight import Preflight
from curator_tui.core.proposals import Edit, editable
from curator_tui.curator.desk import Desk
from curator_tui.curator.naming import find_entry


def edit_of(desk: Desk, name: str, *, content: str | None, inside: bool, entry: str | None, step: int | None) -> Edit:
    """Return the edit that is asked for, empty when none is.

    Args:
        desk: where the item waits.
        name: item id.
        content: new entry text, or None.
        inside: whether to change only the matched words inside the entry.
        entry: the entry it shall take, as a person names it, or None.
        step: which operation of a batch is meant, from 1; None where there is no choice.

    Raises:
        UsageError: it cannot be edited so.
    """
    pins = {} if entry is None else _pins(desk, name, entry, step)
    rebased = desk.edited(name, Edit(pins=pins))
    if inside:
        variants = {index: text for index, text in rebased.inside.items() if step in {None, index + 1}}
        if not variants:
            raise usage(
                f"{name} has no variant that changes only the words inside the entry.",
                f"See what it would do with: curator-tui show {name}",
            )
        return Edit(variants, pins, frozenset(variants))
    if content is not None:
        return Edit({_one(name, editable(rebased.proposal), step, "text that could be reworded"): content}, pins)
    return Edit(pins=pins)


def _pins(desk: Desk, name: str, entry: str, step: int | None) -> dict[int, str]:
    found = desk.edited(name, Edit())
    operations = found.proposal.operations
    choices = _unlocated(found) or tuple(index for index, one in enumerate(operations) if one.destructive)
    index = _one(name, choices, step, "step that takes an entry")
    return {index: find_entry(desk.snapshot(), entry, operations[index].target).text}


def _unlocated(found: Preflight) -> tuple[int, ...]:
    """Return the steps that found no entry, or several."""
    return tuple(index for index, step in enumerate(found.steps) if step.operation.destructive and step.failed)


def _one(name: str, choices: tuple[int, ...], step: int | None, what: str) -> int:
    if step is not None and step - 1 in choices:
        return step - 1
    if step is None and len(choices) == 1:
        return choices[0]
    if not choices:
        raise usage(f"{name} has no {what}.", f"See it with: curator-tui show {name}")
    numbers = ", ".join(str(index + 1) for index in choices)
    raise usage(f"{name} has more than one {what}: {numbers}.", "Name one with --step.")
