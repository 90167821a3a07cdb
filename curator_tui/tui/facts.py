"""What is said about an item, most important first: state, losses, findings, room, source, the agent's claim.

Here: the words, as lines of pieces. Not here: where they stand (``pages``, the review screen), whether anything may be
approved (``core.review``). The description of the effect always comes from the outcome; the agent's own summary is
marked as its claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from curator_tui.core import counting
from curator_tui.core.actors import actor_words
from curator_tui.core.documents import FILE_NAMES, Presence, Target, pressure
from curator_tui.core.effects import EFFECT
from curator_tui.core.loss_words import lost_words
from curator_tui.core.losses import text_lines_lost
from curator_tui.core.named_facts import texts_of
from curator_tui.core.operations import Action, Operation
from curator_tui.core.preflight import Located, Preflight, State
from curator_tui.core.proposals import Proposal
from curator_tui.core.questions import Question
from curator_tui.core.requests import OUTSIDE, Actor
from curator_tui.core.scanning import Severity
from curator_tui.core.trust import Trust
from curator_tui.curator.looking import Looked
from curator_tui.curator.queries import OPERATION_LETTERS, operation_name
from curator_tui.tui.actions import key_for
from curator_tui.tui.shown import Line, Piece, Shown, data, highlighted, message, own, say, shown, shown_line
from curator_tui.tui.sources import source_facts
from curator_tui.tui.ways import removal_way

if TYPE_CHECKING:
    from curator_tui.curator.values import Evidence

_EXCERPT = 14
_SUMMARY = 400
_COMPARED = 4_000  # of both texts of a replacement; beyond any limit of an entry
_LEAD, _GONE = 20, 20


class Fact(NamedTuple):
    """One thing worth knowing: a short label and what it says."""

    label: Shown
    body: Line


def counted(number: int, one: str, many: str = "") -> Shown:
    """Return a number with its noun, both our own words, for a line."""
    return Shown(counting.counted(number, one, many))


def age(seconds: float) -> Shown:
    """Return how long ago something was, in one unit; a time from the future counts as now."""
    left = max(int(seconds), 0)
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if left >= size:
            return say("{}{}", left // size, Shown(unit))
    return say("{}s", left)


def age_of(proposal: Proposal, now: float) -> Shown:
    """Return the age of a proposal; ``?`` for one whose record has no usable time."""
    return age(now - proposal.created_at) if proposal.created_at is not None else say("?")


def operation_word(proposal: Proposal) -> Shown:
    """Return the letters of the operation column."""
    return Shown(OPERATION_LETTERS.get(operation_name(proposal), "???"))


def target_word(proposal: Proposal) -> Shown:
    """Return the document a row names; one the record made up is shown as data."""
    if proposal.targets:
        return Shown("+".join(str(target) for target in proposal.targets))
    return shown_line(proposal.target_name or "?", 10)


def summary(proposal: Proposal) -> Shown:
    """Return one line of what an item really does, from its operations, never from the agent's words."""
    if proposal.problem is not None:
        return message(proposal.problem.message)
    if not proposal.operations:
        return say("nothing")
    if len(proposal.operations) == 1:
        return _effect(proposal.operations[0])
    steps = " ; ".join(f"{OPERATION_LETTERS[step.action]} {_effect(step)}" for step in proposal.operations[:4])
    return say("{} steps: {}", len(proposal.operations), Shown(steps))


def question_line(question: Question) -> Shown:
    """Return one line of what is asked."""
    asked = question.challenge
    text = shown_line(asked.entry) if asked.entry is not None else say("(its text is not kept any more)")
    return say("disputed as {}: {}", Shown(asked.why), text)


def quoted_entry(question: Question) -> Shown:
    """Return the first words of the entry of a question, in quotes."""
    return say("'{}'", shown_line(question.challenge.entry or "", 40))


def _effect(operation: Operation) -> Shown:
    standing = operation.pin or operation.match or ""
    if operation.action is Action.ADD:
        return shown_line((operation.content or "")[:_SUMMARY])
    if operation.action is Action.REMOVE:
        return say("remove: {}", shown_line(standing[:_SUMMARY]))
    if standing == operation.content:
        return say("unchanged: {}", shown_line(standing[:_SUMMARY]))
    return _replaced(standing[:_COMPARED], (operation.content or "")[:_COMPARED])


def _replaced(before: str, after: str) -> Shown:
    """Shorten a replacement to what differs, between a few of the words both begin with and what both end with.

    The end tells rows apart that change one word alike; of what goes only the beginning is shown, since what comes has
    to be seen in a narrow list.
    """
    old, new = before.split(" "), after.split(" ")
    head = 0
    while head < min(len(old), len(new)) - 1 and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head - 1 and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    first = head
    while first and head - first < 4 and len(" ".join(old[first - 1 : head])) <= _LEAD:
        first -= 1
    lead = " ".join([*(["…"] if first else []), *old[first:head], ""])
    gone = " ".join(old[head : len(old) - tail])
    came = " ".join(new[head : len(new) - tail])
    rest = " ".join(["", *new[len(new) - tail :]])[:_SUMMARY]
    parts = shown_line(lead), shown_line(gone, _GONE), shown_line(came[:_SUMMARY]), shown_line(rest)
    return say("{}{} -> {}{}", *parts)


def gauge(size: int, limit: int | None, cells: int) -> Line:
    """Return a gauge that rounds down, its numbers, and a word from 80 % of the limit."""
    if limit is None:
        return (own("[?] {}, limit not known", size, role="warn"),)
    full = size >= limit
    filled = cells if full else min(cells - 1, size * cells // limit if limit > 0 else 0)
    word = pressure(size, limit)
    role = {"ok": "text", "high": "warn", "over": "bad"}.get(word, "text")
    said = {"high": "  nearly full", "over": "  OVER"}.get(word, "")
    bar = "#" * filled + "-" * (cells - filled)
    numbers = own("[{}] {}/{} {}%", Shown(bar), size, limit, fullness(size, limit), role=role)
    return (numbers, own("{}", Shown(said), role=role)) if said else (numbers,)


def fullness(size: int, limit: int) -> int:
    """Return the size in percent of the limit, truncated; unlike the number in a prompt it goes beyond 100."""
    return size * 100 // limit if limit > 0 else 0


def state_piece(state: State | None) -> Piece:
    """Return the word of a state, ``…`` while it is not known."""
    return Piece(say("{}", state), str(state)) if state is not None else own("…", role="dim")


def facts(looked: Looked, now: float, evidence: Evidence | None = None, you: Actor = OUTSIDE) -> tuple[Fact, ...]:
    """Return what there is to say about an item, most important first; ``you`` is who looks."""
    return (
        *_whose(looked),
        *_watched(looked),
        *_states(looked),
        *_deferral(looked, you, now),
        *(Fact(say("loses"), highlighted(shown_line(lost), "bad")) for lost in looked.found.lost),
        *_lines_lost(looked),
        *finding_facts(looked.found),
        *_removal(looked),
        *_room(looked),
        *_stale(looked),
        *_group(looked),
        *_by_hand(looked),
        *(Fact(label, body) for label, body in source_facts(evidence, texts_of(looked.found.proposal))),
        *_claims(looked, now),
    )


def _whose(looked: Looked) -> Iterator[Fact]:
    """Say whose memory it is about, at a desk over many people."""
    if looked.whose:
        yield Fact(say("whose"), (own("{}", shown_line(looked.whose), role="strong"),))
    if looked.people > 1:
        key = key_for("plan.open")
        words = own("the same fact is proposed {} times: {} decides for all", looked.people, key, role="note")
        yield Fact(say("alike"), (words,))


def _watched(looked: Looked) -> Iterator[Fact]:
    """Say who else looks at an item; it keeps nobody from deciding."""
    if looked.watched_by:
        words = own("{} is looking at this", shown_line(looked.watched_by, 30), role="warn")
        yield Fact(say("also here"), (words,))


def _states(looked: Looked) -> Iterator[Fact]:
    found = looked.found
    for place, state in enumerate(found.conditions):
        words = why_words(found, state) or say("applies cleanly and fits")
        yield Fact(say("state") if not place else say("also"), (state_piece(state), own(": "), Piece(words)))


def why_words(found: Preflight, state: State) -> Shown:
    """Say why an item is in a state, where the facts that it would lose are listed beside it; nothing where none."""
    if state is State.LOSSY and found.lost:
        return Shown(lost_words(found.lost))
    reason = found.reasons.get(state)
    return message(reason.message) if reason is not None else Shown("")


def _deferral(looked: Looked, you: Actor, now: float) -> Iterator[Fact]:
    """Say until when an item is deferred, or why one that was is back."""
    one = looked.deferral
    if one is None:
        return
    until = say("until {}", shown_line(one.until)) if one.until else say("until you reopen it")
    who = say("by {}, {} ago", shown_line(actor_words(one.actor, you), 30), age(now - one.at))
    if looked.deferred:
        words = own("{}, {}; {} brings it back", until, who, key_for("decide.defer"), role="note")
        yield Fact(say("deferred"), (words,))
    elif looked.item.found.proposal.digest != one.digest:
        words = own("written again while it was deferred {}, {}", until, who, role="warn")
        yield Fact(say("back"), (words,))
    else:
        yield Fact(say("back"), (own("was deferred {}, {}; that day has come", until, who, role="note"),))


def _lines_lost(looked: Looked) -> Iterator[Fact]:
    """Count what a replace does to the lines of an entry that has several."""
    for part in looked.found.outcome.values():
        for before, after in part.changed:
            gone, changed, lines = text_lines_lost(before, after)
            if lines > 1 and gone:
                words = own("{} of {} text lines would be gone, {} changed", gone, lines, changed, role="bad")
                yield Fact(say("lines"), (words,))


def finding_facts(found: Preflight) -> Iterator[Fact]:
    """Return what was found about an item: what a removal takes along, then findings, hard ones first."""
    yield from _along(found)
    for located in sorted(found.findings, key=lambda one: one.finding.severity is not Severity.HARD):
        finding = located.finding
        role = "bad" if finding.severity is Severity.HARD else "warn"
        severity, reason = Shown(str(finding.severity)), message(finding.reason)
        if finding.family == EFFECT:
            yield Fact(say("flags"), (own("{}: {}", severity, reason, role=role),))  # about no place in the text
            continue
        words = own("{}, character {}: {} ", severity, finding.start + 1, reason, role=role)
        yield Fact(say("flags"), (words, *_excerpt(found, located)))


def _along(found: Preflight) -> Iterator[Fact]:
    """Show what a removal means, and every fact that would go with it: it takes the whole entry."""
    for step, taken in found.along.items():
        for fact in taken:
            yield Fact(say("goes too"), highlighted(shown_line(fact), "bad"))
        yield Fact(say("matches"), highlighted(shown_line(found.steps[step].operation.match or ""), "text"))


def _removal(looked: Looked) -> Iterator[Fact]:
    """Say what can be done about a removal that takes more with it than it speaks of."""
    if looked.found.along:
        yield Fact(say("way out"), (own("{}", removal_way(looked)),))


def _excerpt(found: Preflight, located: Located) -> Line:
    """Quote the place of a finding; a secret is not quoted."""
    finding = located.finding
    content = found.proposal.operations[located.operation].content or ""
    if finding.family == "secret" or finding.start >= finding.end:
        return ()
    start, end = max(0, finding.start - _EXCERPT), min(len(content), finding.end + _EXCERPT, finding.start + 60)
    lead, tail = ("…" if start else ""), ("…" if end < len(content) else "")
    quote = shown_line(content[start:end])
    return (own("({}", Shown(lead), role="dim"), *highlighted(quote, "dim"), own("{})", Shown(tail), role="dim"))


def _room(looked: Looked) -> Iterator[Fact]:
    if State.OVER_LIMIT not in looked.found.conditions:
        return
    if looked.item.room:
        names = Shown(", ".join(shown_line(name) for name in looked.item.room))
        yield Fact(
            say("room"),
            (own("approving {} first would make room (or mark them and press {})", names, key_for("plan.open")),),
        )
    else:
        yield Fact(say("room"), (own("no waiting item makes enough room"),))


def _stale(looked: Looked) -> Iterator[Fact]:
    if State.STALE not in looked.found.conditions:
        return
    if looked.item.superseded_by:
        yield Fact(say("gone"), (own("superseded by {}", shown_line(looked.item.superseded_by)),))
    if looked.found.nearest is not None and not looked.nearest:  # else the page shows it
        yield Fact(say("nearest"), highlighted(shown_line(looked.found.nearest), "text"))
    yield Fact(
        say("way out"),
        (own("{} picks the entry it shall take; {} rejects", key_for("decide.approve"), key_for("decide.reject")),),
    )


def _group(looked: Looked) -> Iterator[Fact]:
    others = len(looked.item.members) - 1
    if not others:
        return
    if looked.item.alternatives == 1:
        yield Fact(
            say("repeats"), (own("waits {} times, all with the same outcome; a decision is about all", others + 1),)
        )
        return
    place = looked.item.members.index(looked.id) + 1
    yield Fact(
        say("one of"),
        (own("{} of {}, {} wordings: . and , show them, approving one closes all", place,
             others + 1, looked.item.alternatives),),
    )  # fmt: skip


def _by_hand(looked: Looked) -> Iterator[Fact]:
    if looked.headings:
        words = own("this entry holds {} headings, written by hand: it could be split into entries", looked.headings)
        yield Fact(say("hint"), (words,))
    for target in looked.drifted:
        yield Fact(
            say("hint"), (own("{} was edited by hand: Hermes refuses its own replace there", file_name(target)),)
        )


def _claims(looked: Looked, now: float) -> Iterator[Fact]:
    proposal = looked.found.proposal
    if proposal.agent_says:
        claim = highlighted(shown_line(proposal.agent_says), "dim")
        yield Fact(say("agent says"), (own("(its own claim) ", role="dim"), *claim))
    if proposal.pinned_by == "first sight":
        words = "found by its words at the first look: the record itself names no entry"
        yield Fact(say("entry"), (own("{}", Shown(words), role="dim"),))
    origin = shown_line(proposal.origin or "origin not said", 40)
    ago = age_of(proposal, now)
    record = (data(looked.id, "dim"), own("  {}, {} ago, {} bytes", origin, ago, proposal.size, role="dim"))
    yield Fact(say("record"), record)
    if proposal.author:
        trust = own(", {}", shown_line(proposal.trust, 12), role="text" if proposal.trust == Trust.TRUSTED else "warn")
        author = own("{}", shown_line(proposal.author, 40))
        yield Fact(say("written by"), (author, trust if proposal.trust else own(", not judged yet", role="dim")))


def size_words(presence: Presence, size: int) -> Shown:
    """Return the size of a document in code points; what is not there, or cannot be read, is said and is no number."""
    return say("{}", size) if presence is Presence.PRESENT else say("{}", presence)


def file_name(target: Target) -> Shown:
    """Return the file name of a document, one of two fixed words."""
    return Shown(FILE_NAMES[target])


def raw_text(raw: bytes) -> Shown:
    """Return the bytes of a record as text that can be shown, whatever they are."""
    return shown(raw.decode("utf-8", "backslashreplace"))
