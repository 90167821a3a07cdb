"""The texts of the editor: what its field begins with, what stands over it, what the version in it would do.

Here: lines. Not here: the field, its checks and its gate (``screens.editing``).
"""

from __future__ import annotations

from curator_tui.core.preflight import State
from curator_tui.curator.looking import Looked
from curator_tui.tui.facts import counted, facts
from curator_tui.tui.page_lines import Look, PageLine
from curator_tui.tui.pages import capped, document_lines, label_prefix
from curator_tui.tui.shown import Line, Shown, lines_of, own, shown

_RAW_SHOWN = 2_000
_TOLD = 8_000
_CHECKED = ("state", "also", "loses", "flags", "room")


def entry_of(looked: Looked, step: int) -> str | None:
    """Return the entry that a step is about: the one picked for it, else the one it was found to mean."""
    return looked.edit.pins.get(step, looked.item.found.proposal.operations[step].pin)


def told_lines(label: Shown, text: str, role: str) -> list[PageLine]:
    """Return a text that stands over the field, the beginning of a long one, which is read whole on other pages."""
    lines = list(lines_of(shown(text[:_TOLD]), role))
    if len(text) > _TOLD:
        lines.append((own("… {}", counted(len(text) - _TOLD, "more character"), role="dim"),))
    return [PageLine(line, label_prefix(Shown("" if at else label))) for at, line in enumerate(lines)]


def proposed_lines(looked: Looked, step: int) -> list[PageLine]:
    """Return the entry as it stands, and what was proposed for it."""
    operation = looked.item.found.proposal.operations[step]
    lines: list[PageLine] = []
    pin = entry_of(looked, step)  # search words are no entry
    standing = ("entry now", pin, "gone") if pin else ("matches", operation.match, "gone")
    told = [standing, ("proposed", operation.content, "new")]
    raw = looked.item.raw
    # what the agent wrote stands in some other field: never lost from sight
    if not operation.content and raw is not None:
        record = raw.decode("utf-8", "backslashreplace")[:_RAW_SHOWN]
        told.append(("record", " ".join(record.split()), "text"))
    for words, text, role in told:
        if text is not None:
            lines += told_lines(Shown(words), text, role)
    return lines


def outcome_lines(looked: Looked, *, marks: bool) -> list[PageLine]:
    """Return what a version would do; for a long one this takes its time, so it runs in the clerk's thread."""
    found = [fact for fact in facts(looked, 0.0) if fact.label in _CHECKED]
    lines = [PageLine(fact.body, label_prefix(fact.label)) for fact in found]
    return lines + capped(document_lines(looked.documents, Look(context=0, marks=marks, key=False)))


def saving_line(save: Shown, looked: Looked, saving: str, *, is_item: bool) -> Line:
    """Say what the key that saves does: of an item whose version stands already that nothing is written."""
    does = Shown("closes it without writing" if is_item and looked.found.state is State.NO_CHANGE else saving)
    return (own("{} {}; tab leaves the text for the other keys", save, does, role="good"),)
