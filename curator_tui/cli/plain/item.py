"""One waiting write in sentences: what it would really do, what speaks against it, where it came from.

Here: everything that has to be printed before anything may be decided about an item. Not here: what can be typed next
(``commands``), the words of documents and entries (``words``), which facts are lost (``core``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from curator_tui.cli.item_words import (
    author_words,
    evidence_lines,
    finding_lines,
    lines_lost,
    named_reason,
    reason_lines,
)
from curator_tui.cli.plain.words import MEANINGS, age_words, changed_lines, labelled, outcome_lines, sentence
from curator_tui.cli.row_words import deed_in_words
from curator_tui.core.changes import Decided, PastChange
from curator_tui.core.counting import counted
from curator_tui.core.documents import FILE_NAMES
from curator_tui.core.keeping import says_secret
from curator_tui.core.named_facts import texts_of
from curator_tui.core.operations import Action, Operation
from curator_tui.core.preflight import Preflight
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Kind
from curator_tui.core.scanning import has_secret, scan
from curator_tui.core.text import one_line, visible
from curator_tui.curator.deeds import deed_with_items
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import kept_proposals
from curator_tui.curator.looking import Looked
from curator_tui.curator.queue_model import Row
from curator_tui.curator.values import Evidence

_ROW_TEXT = 100
_NAME_TEXT = 60
_DOES: Mapping[Action, str] = {
    Action.ADD: "adds an entry to",
    Action.REPLACE: "replaces an entry of",
    Action.REMOVE: "removes an entry of",
}


def what_it_does(proposal: Proposal) -> str:
    """Return what a proposal asks for, in a clause."""
    if not proposal.operations:
        actions = one_line(" and ".join(dict.fromkeys(proposal.actions)), 40)
        if not actions and not proposal.target_name:
            return "holds nothing that could be read"
        actions = actions or "nothing that could be read"
        return f"asks for {actions} in {one_line(proposal.target_name, 40) or 'no document'}"
    if len(proposal.operations) > 1:
        files = " and ".join(FILE_NAMES[target] for target in proposal.targets)
        return f"takes {len(proposal.operations)} steps in {files}"
    only = proposal.operations[0]
    return f"{_DOES[only.action]} {FILE_NAMES[only.target]}"


def item_names(desk: Desk, about: Iterable[Decided]) -> Callable[[str], str]:
    """Return what names an item or a question by its id: its first words where they are kept, the id behind them."""
    waiting = {one.id: one for one in (*desk.queue.deferred(), *desk.queue.proposals())}
    known = {**waiting, **kept_proposals(desk, about)}
    disputed = {one.id: one.challenge.entry or "" for one in desk.asked()}

    def name(item: str) -> str:
        text = first_text(known[item]) if item in known else disputed.get(item, "")
        hidden = says_secret(known[item]) if item in known else has_secret(scan(text))
        words = "holds a secret" if hidden else one_line(text, _NAME_TEXT)
        if item in known and known[item].operations[:1] and known[item].operations[0].action is Action.REMOVE:
            words = f"removal of {words}"
        return f"{words} ({visible(item, newlines=False)})" if text else visible(item, newlines=False)

    return name


def deed_named(desk: Desk, change: PastChange) -> str:
    """Say what a recorded change was, by the first words of its items or of what else it was about."""
    if change.kind is Kind.DECIDE and change.closed:
        return deed_with_items(change, item_names(desk, change.closed))
    return deed_in_words(desk, change)


def first_text(proposal: Proposal) -> str:
    """Return the text of an item that names it best: what it proposes, else what it is about."""
    first = proposal.operations[0] if proposal.operations else None
    return (first.content or first.pin or first.match or "") if first is not None else proposal.agent_says


def row_line(number: int, row: Row, now: float, watcher: str = "") -> str:
    """Return one row of the queue; ``watcher`` is who else looks at it."""
    proposal = row.proposal
    several = f", {len(row.members)} for the same entry" if len(row.members) > 1 else ""
    at = proposal.created_at
    age = f", {age_words(now - at)}" if at is not None else ", at an unknown time" if proposal.operations else ""
    text = first_text(proposal)
    told = f": {one_line(text, _ROW_TEXT)}" if text else ""
    watched = f", {one_line(watcher, 40)} is looking at it" if watcher else ""
    return f"{number}. {row.id}, {row.state}, {what_it_does(proposal)}{age}{several}{watched}{told}"


def item_lines(looked: Looked, others: Sequence[Preflight], now: float, evidence: Evidence | None) -> Iterator[str]:
    """Print an item whole.

    Args:
        looked: the item, and what approving it as it stands or as edited would do.
        others: one preflight for each other outcome that waits for the same entry.
        now: the clock of the desk.
        evidence: where the claim came from.
    """
    found, proposal = looked.found, looked.found.proposal
    yield f"Item {looked.id}, {found.state}: {MEANINGS[found.state]}."
    if looked.watched_by:
        yield f"{one_line(looked.watched_by, 40)} is looking at this."
    if len(found.conditions) > 1:
        yield f"Also: {', '.join(found.conditions[1:])}."
    if not looked.edit.empty:
        yield "This is the item with your change, not as it was proposed."
    yield f"It {what_it_does(proposal)}."
    age = "at an unknown time" if proposal.created_at is None else age_words(now - proposal.created_at)
    author = author_words(proposal, ", written by ")
    yield f"Proposed by {one_line(proposal.origin, 40) or 'an unknown origin'}, {age}{author}."
    if proposal.agent_says:
        yield from labelled("The agent says, its own claim", proposal.agent_says)
    if proposal.pinned_by == "first sight":
        yield "The record names no entry; it was found by its words when it was first seen."
    if looked.edit.empty:
        yield from map(sentence, reason_lines(looked.item))
    else:
        told = [named_reason(state, found.reasons[state]) for state in found.conditions if state in found.reasons]
        yield from map(sentence, told)
    yield from effect_lines(found)
    yield from stake_lines(found)
    yield from _ways_in(looked)
    yield from _other_wordings(looked, others)
    if evidence is not None:
        yield from evidence_lines(evidence, texts_of(proposal))


def effect_lines(found: Preflight) -> Iterator[str]:
    """Show what an item would do to the documents; of one that changes nothing, the text that it is about."""
    for target, part in found.outcome.items():
        yield from outcome_lines(target, part)
    if all(part.before == part.after for part in found.outcome.values()):
        for operation in found.proposal.operations:
            yield from _proposed(operation)


def _proposed(operation: Operation) -> Iterator[str]:
    """Show what an operation says that has no effect as things are."""
    if operation.match is not None:
        yield from labelled("It looks for", operation.match)
    if operation.content is not None:
        yield from labelled("It proposes", operation.content)


def stake_lines(found: Preflight) -> Iterator[str]:
    """Say what is at stake: facts that would be lost, and findings."""
    if found.lost:
        yield from map(sentence, lines_lost(found))
        yield f"{counted(len(found.lost), 'fact')} would be lost."
        for number, text in enumerate(found.lost, 1):
            yield from labelled(f"Lost {number}", text)
    yield from map(sentence, finding_lines(found))
    yield from along_lines(found)


def along_lines(found: Preflight) -> Iterator[str]:
    """Say what a removal means, and every fact that would go with it: it takes the whole entry."""
    for step, taken in found.along.items():
        yield from labelled("It looks for", found.steps[step].operation.match or "")
        for text in taken:
            yield from labelled("Would go with it", text)


def _ways_in(looked: Looked) -> Iterator[str]:
    """Show the entries it could take, and the variant that changes less; of a removal without one, say what is left."""
    found = looked.found
    if found.along and not looked.offers_inside:
        yield "Reject keeps the whole entry, approve takes all of it out."
    matching = len(found.candidates) - found.alike
    for number, text in enumerate(found.candidates, 1):
        what = "Matching entry" if number <= matching else "Entry alike but for typography or case"
        yield from labelled(f"{what} {number}", text)
    if found.nearest is not None:
        yield from labelled("Nearest entry", found.nearest)
        contents = [step.content for step in found.proposal.operations if step.content is not None]
        if contents:
            yield "Taking that entry would change it so:"
            yield from changed_lines(found.nearest, contents[0])
    for index, content in found.inside.items():
        yield "Changed only inside the entry it would be:"
        step = found.steps[index] if index < len(found.steps) else None
        yield from changed_lines(step.before if step is not None and step.before else content, content)


def _other_wordings(looked: Looked, others: Sequence[Preflight]) -> Iterator[str]:
    """Show what else waits for the entry, since approving one closes the others."""
    if len(looked.item.members) > 1:
        number = len(looked.item.members)
        yield f"It is one of {number} items for the same entry, with {counted(looked.item.alternatives, 'outcome')}."
    for other in others:
        name = one_line(other.proposal.id)
        yield f"Another wording, item {name}; approving {one_line(looked.id)} closes it:"
        changes = [pair for part in other.outcome.values() for pair in part.changed]
        for before, after in changes:
            yield from changed_lines(before, after)
        for operation in other.proposal.operations:
            if operation.action is Action.REMOVE:
                yield "  It removes the entry."
            elif not changes:
                yield from _proposed(operation)
