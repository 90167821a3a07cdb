"""Where a claim came from, in words: what evidence found, or that it is a guess.

Here: the words about evidence. Not here: finding it (``evidence``), anything else about an item (``facts``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from curator_tui.core.named_facts import NO_FACT, names_fact
from curator_tui.tui.shown import Line, Shown, data, highlighted, message, own, say, shown_line

if TYPE_CHECKING:
    from curator_tui.curator.values import Evidence, Quote

_QUOTED = 400


def source_facts(evidence: Evidence | None, about: Sequence[str]) -> Iterator[tuple[Shown, Line]]:
    """Say who said it and where, as far as is known; a guess is called a guess, and what names no fact says so."""
    if evidence is None:
        return
    if evidence.kind == "none":
        note = message(evidence.note) if evidence.note else say("no session message stands behind it")
        yield say("source"), (own("none found: {}", note, role="dim"),)
        return
    label = say("guess") if evidence.guess else say("said")
    for quote in evidence.quotes[:2]:
        yield label, _quoted(quote, about, guess=evidence.guess)
    if not evidence.quotes:
        yield label, (own("session {}", shown_line(evidence.session, 30)),)
    if evidence.note:
        yield say("source"), (own("{}", message(evidence.note), role="dim"),)


def _quoted(quote: Quote, about: Sequence[str], *, guess: bool) -> Line:
    number = say(", msg {}", quote.message) if quote.message is not None else Shown("")
    where = own("nearest in time, not proved: ") if guess else own("")
    head = own("{}, session {}{}: ", shown_line(quote.role, 12), shown_line(quote.session, 30), number)
    empty = own("") if names_fact(quote.text, about) else own("{}; ", Shown(NO_FACT), role="warn")
    return (empty, where, head, own('"'), *highlighted(shown_line(quote.text[:_QUOTED]), "text"), own('"'))


def source_lines(evidence: Evidence | None) -> list[Line]:
    """Return every quoted message in full, for the source view."""
    if evidence is None:
        return [(own("Nothing was looked up.", role="dim"),)]
    head: Line = (own("Session "), data(evidence.session or "not known", "strong"))
    if evidence.title:
        head = (*head, own("  "), data(evidence.title, "dim"))
    lines = [head]
    if evidence.guess:
        lines.append((own("A guess: only the time fits. Nothing in this session names the item.", role="warn"),))
    if evidence.note:
        lines.append((own("{}", message(evidence.note), role="dim"),))
    return lines
