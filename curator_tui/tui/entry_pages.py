"""The text beside the list of entries: one entry whole, where it came from, what waits for it, what helps.

Here: these pages, the prompt block, what stands there when no entry does. Not here: the list (``entry_rows``), where
entries come from (``core.origins``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from curator_tui.core.actors import actor_words
from curator_tui.core.documents import Target
from curator_tui.core.effects import EFFECT
from curator_tui.core.gains import Gain, room_in
from curator_tui.core.origins import Origin
from curator_tui.core.requests import Actor
from curator_tui.core.scanning import Severity
from curator_tui.core.splitting import splits
from curator_tui.curator.holdings import Held, Holdings
from curator_tui.tui.actions import key_for, key_out
from curator_tui.tui.facts import Fact, age, counted, file_name
from curator_tui.tui.origin_words import earlier_lines, origin_lines
from curator_tui.tui.page_lines import BLANK_LINE, Page, PageLine, rule
from curator_tui.tui.pages import fact_lines
from curator_tui.tui.shown import Line, Shown, highlighted, lines_of, message, own, say, shown, shown_line
from curator_tui.tui.wanted import quoted
from curator_tui.tui.words import item_words

if TYPE_CHECKING:
    from curator_tui.curator.values import Evidence

_LISTED = 3
_BLANKED = "[BLOCKED:"


def entry_page(found: Holdings, held: Held, you: Actor, origin: Origin, evidence: Evidence | None = None) -> Page:
    """Return everything about one entry.

    Args:
        found: both documents.
        held: the entry.
        you: who looks.
        origin: where it came from; it may know more than the list does.
        evidence: the session behind it, where it was looked up: then its messages and the texts before are shown whole.
    """
    lines = [PageLine(line, (own("  "),)) for line in lines_of(shown(held.text), "text")]
    lines += [BLANK_LINE, *fact_lines(_facts(found, held, you))]
    if found.traced:
        lines += origin_lines(origin, you, found.now, evidence)
        lines += earlier_lines(origin)
    else:
        lines += fact_lines([Fact(say("source"), (own("being looked up…", role="dim"),))])
    if held.journey:
        lines += fact_lines([Fact(say("Hermes"), (own("calls it {}", shown_line(held.journey, 40), role="dim"),))])
    return Page(held.learned.id, "", tuple(lines))


def _facts(found: Holdings, held: Held, you: Actor) -> Iterator[Fact]:
    yield from _questions(found, held, you)
    yield from _waiting(held)
    for finding in held.learned.findings:
        role = "bad" if finding.severity is Severity.HARD else "warn"
        where = say("") if finding.family == EFFECT else say(", character {}", finding.start + 1)
        severity = Shown(str(finding.severity))
        yield Fact(say("flags"), (own("{}{}: {}", severity, where, message(finding.reason), role=role),))
    for gain in found.gains.get(held.target, ()):
        if held.text in {gain.drop, gain.keep}:
            yield Fact(say("room"), gain_line(found, held.target, gain, held))
    if len(ways := splits(held.text)) > 0:
        most = max(len(one.parts) for one in ways)
        yield Fact(say("hint"), (own("it could be split into up to {} entries ({})", most, key_for("entry.split")),))


def _questions(found: Holdings, held: Held, you: Actor) -> Iterator[Fact]:
    for one in held.questions:
        asked = one.challenge
        ago = age(found.now - asked.at)
        who = shown_line(actor_words(asked.actor, you), 16)
        note: Line = (own(": "), *highlighted(shown_line(asked.note), "text")) if asked.note else ()
        yield Fact(say("disputed"), (own("{}, by {}, {} ago", Shown(asked.why), who, ago, role="warn"), *note))


def _waiting(held: Held) -> Iterator[Fact]:
    if held.waiting:
        names = Shown("; ".join(item_words(proposal) for proposal in held.waiting[:_LISTED]))
        more = say("; and {} more", len(held.waiting) - _LISTED) if len(held.waiting) > _LISTED else Shown("")
        count, key = len(held.waiting), key_for("go.proposals")
        yield Fact(say("waits"), (own("{} for this entry ({}): {}{}", count, key, names, more, role="note"),))


def gain_line(found: Holdings, target: Target, gain: Gain, held: Held | None = None) -> Line:
    """Return what a pair of entries may free, as seen from one of them where one is at hand."""
    entries, key = found.snapshot.document(target).entries, key_for("entry.merge")
    drop, keep = entries.index(gain.drop) + 1, entries.index(gain.keep) + 1
    other = keep if held is not None and held.text == gain.drop else drop
    pair = say("with entry {}", other) if held is not None else say("entries {} and {}", drop, keep)
    if gain.certain:
        how, role = say("{}, merging frees {} ({})", gain.likeness, gain.saved, key), "good"
    else:
        sides = " / ".join(shown_line(" ".join(side), 24) or "-" for side in gain.differ)
        how, role = say("{}: {}; which holds? ({})", gain.likeness, Shown(sides), key), "warn"
    return (own("{}: {}", pair, how, role=role),)


def gains_title(found: Holdings) -> Line:
    """Return the words over the suggestions."""
    certain = sum(room_in(pairs) for pairs in found.gains.values())
    count = sum(map(len, found.gains.values()))
    if not count:
        return ()
    pairs = counted(count, "pair")
    return (own("room to gain: {} in {} that are alike ({})", certain, pairs, key_for("entry.merge"), role="head"),)


def gains_page(found: Holdings) -> Page:
    """Return all suggestions, one line each."""
    lines = []
    for target, pairs in found.gains.items():
        for gain in pairs:
            name = own("{} ", file_name(target), role="dim")
            texts = own("  {}", quoted(gain.drop), role="dim")
            lines.append(PageLine((name, *gain_line(found, target, gain), texts), (own("  "),), cut=True))
    return Page("gains", "", tuple(lines))


def nothing_page(found: Holdings, *, filtered: bool) -> Page:
    """Return what stands in the place of an entry when none is listed: never nothing, and always a next step."""
    if filtered:
        lines: list[Line] = [(own("No entry is meant by this filter."),), (own("{} clears it.", key_out()),)]
    elif any(not found.snapshot.document(target).usable for target in found.snapshot.documents):
        lines = [(own("There is a document that cannot be read; the list says why and what helps."),)]
    else:
        lines = [(own("Nothing is remembered yet."),)]
        ways = {"entry.add": "adds an entry", "go.review": "what waits", "go.history": "what stood there before"}
        lines += [(), *((own("{}  ", key_for(name), role="key"), own("{}", Shown(ways[name]))) for name in ways)]
    return Page("", "", tuple(PageLine(line, (own("  "),)) for line in lines))


def prompt_page(text: str, unused: tuple[Shown, ...]) -> Page:
    """Return exactly what the model gets, with what Hermes blanks in it marked.

    Args:
        text: the blocks as Hermes renders them.
        unused: documents that the agent does not use.
    """
    blanked = sum(line.startswith(_BLANKED) for line in text.split("\n"))
    head: list[Line] = [(own("Exactly what the model gets of memory, as Hermes renders it."),)]
    head.append((own("The agent reads this at its next session; a running one keeps what it began with.", role="dim"),))
    if blanked:
        count = own("{} blanked by Hermes, because a pattern of its own fits: the model gets the line marked", blanked)
        head.append((count._replace(role="bad"),))
    head += [(own("{} is switched off: it is not in it", name, role="warn"),) for name in unused]
    lines = [PageLine(line, (own("  "),)) for line in head]
    lines += [rule(say("from here it is the text itself"))]
    if not text:
        lines.append(PageLine((own("nothing: there is no entry", role="dim"),), (own("  "),)))
    for raw in text.split("\n") if text else ():
        role = "bad" if raw.startswith(_BLANKED) else "text"
        lines += [PageLine(line) for line in lines_of(shown(raw), role)]
    return Page("", "", tuple(lines))
