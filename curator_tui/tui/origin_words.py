"""Where an entry came from, in words: the trail of the ledger, the session behind it, the texts before it.

Here: lines about one origin, for every screen that shows entries. Not here: finding an origin (``curator.origins``).
What is not known says so; what a record claims of itself is called its claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from curator_tui.core.actors import actor_words
from curator_tui.core.named_facts import NO_FACT, names_fact
from curator_tui.core.origins import Claim, Origin
from curator_tui.core.requests import Actor
from curator_tui.core.times import utc_words
from curator_tui.tui.facts import age
from curator_tui.tui.page_lines import BLANK_LINE, PageLine, rule
from curator_tui.tui.pages import label_prefix, text_lines
from curator_tui.tui.shown import Line, Piece, Shown, data, own, say, shown_line
from curator_tui.tui.sources import source_lines

if TYPE_CHECKING:
    from curator_tui.curator.values import Evidence


def origin_lines(origin: Origin, you: Actor, now: float, evidence: Evidence | None = None) -> Iterator[PageLine]:
    """Say everything that is known of where an entry came from.

    Args:
        origin: the origin.
        you: who looks.
        now: UTC seconds, for the age.
        evidence: the session behind it, where it was looked up.
    """
    if origin.known:
        yield _line(say("source"), (own("{}", origin.proposer), *_claimed(origin)))
        if origin.author:
            yield _line(say("written by"), (own("{}", shown_line(origin.author, 40)),))
        yield _line(say("since"), (own("{}", _since(origin, now)),))
        role = "dim" if origin.claim is Claim.UNKNOWN else "text"
        yield _line(say("rests on"), (own("{}", _claim(origin), role=role),))
        yield _line(say("let in by"), _approver(origin, you))
    else:
        words = "unknown origin: it stood there before anything was recorded, and nothing tells who wrote it"
        yield _line(say("source"), (own("{}", Shown(words), role="warn"),))
    yield _line(say("seen"), _seen(origin))
    if origin.seq is not None:
        yield _line(say("ledger"), (own("row {}, change {}", origin.seq, shown_line(origin.change, 20)),))
    if origin.item:
        yield _line(say("item"), (data(origin.item), *_staged(origin, now)))
    if origin.session:
        number = say(", message {}", origin.message) if origin.message is not None else Shown("")
        yield _line(say("session"), (own("{}{}", shown_line(origin.session, 40), number),))
    yield _line(say("entry id"), (own("{}", shown_line(origin.id), role="dim"),))
    if evidence is not None:
        yield from evidence_lines(evidence, (origin.text,))


def earlier_lines(origin: Origin) -> Iterator[PageLine]:
    """Show the texts that stood in its place before, newest first."""
    for number, text in enumerate(origin.earlier, 1):
        yield BLANK_LINE
        yield rule(say("before this: {}", number))
        yield from text_lines(text, "same")


def evidence_lines(evidence: Evidence, about: Sequence[str]) -> Iterator[PageLine]:
    """Show the messages behind a claim in full; ``about`` are the texts that they are to stand behind."""
    yield BLANK_LINE
    yield rule(say("the session behind it"))
    yield from (PageLine(line) for line in source_lines(evidence))
    for quote in evidence.quotes:
        number = say("{}", quote.message) if quote.message is not None else Shown("?")
        yield PageLine((own("{}, message {}", shown_line(quote.role, 20), number, role="head"),))
        if not names_fact(quote.text, about):
            yield PageLine((own("{}: no word of it stands in this message", Shown(NO_FACT), role="warn"),))
        yield from text_lines(quote.text)


def _line(label: Shown, body: Line) -> PageLine:
    return PageLine(body, label_prefix(label))


def _claimed(origin: Origin) -> tuple[Piece, ...]:
    if not origin.claimed:
        return ()
    return (own("  (its record says: {})", shown_line(origin.claimed, 40), role="dim"),)


def _since(origin: Origin, now: float) -> Shown:
    if origin.at is None:
        return say("unknown")
    lead = say("some time before ") if origin.noticed else Shown("")
    return say("{}{}, {} ago", lead, shown_line(utc_words(origin.at)), age(now - origin.at))


def _claim(origin: Origin) -> Shown:
    if origin.claim is Claim.UNKNOWN:
        return say("unknown: nothing tells whether it was said, told by a tool, or inferred")
    return say("{}", origin.claim)


def _approver(origin: Origin, you: Actor) -> Line:
    by = origin.approver
    if by is None:
        if origin.known:
            return (own("nobody: it was written without review", role="warn"),)
        return (own("unknown", role="warn"),)
    name = shown_line(actor_words(by, you), 40)
    through = say(" through {}", shown_line(by.through, 12)) if by.through else Shown("")
    how = say(", {}", origin.ending) if origin.ending is not None else Shown("")
    if origin.inside:
        how = say(", approve, inside only")
    return (own("{}{}{}", name, through, how),)


def _seen(origin: Origin) -> Line:
    if not origin.seen:
        return (own("no person has approved, corrected or added exactly this text", role="warn"),)
    screen = say(" ({} of it on screen)", shown_line(origin.screen, 8)) if origin.screen else Shown("")
    return (own("by a person{}", screen, role="good"),)


def _staged(origin: Origin, now: float) -> tuple[Piece, ...]:
    if origin.proposed_at is None:
        return ()
    return (own("  staged {} ago by its own word", age(now - origin.proposed_at), role="dim"),)
