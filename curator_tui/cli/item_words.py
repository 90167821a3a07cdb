"""Item words: how one waiting write is said in the text form, in a list and in full.

Here: previews, outcome, reasons, and the command that fits what can be done. Not here: JSON (``shapes``), the
general words of documents and receipts (``words``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from curator_tui.cli.ages import age
from curator_tui.cli.tables import block
from curator_tui.cli.words import changed_lines, diff_lines
from curator_tui.core.changes import NotApplied
from curator_tui.core.counting import characters_at
from curator_tui.core.diffs import entry_diff
from curator_tui.core.documents import FILE_NAMES
from curator_tui.core.effects import EFFECT
from curator_tui.core.keeping import says_secret
from curator_tui.core.losses import text_lines_lost
from curator_tui.core.named_facts import NO_FACT, names_fact, texts_of
from curator_tui.core.operations import Action, Operation, Problem
from curator_tui.core.preflight import Preflight, State
from curator_tui.core.proposals import Proposal, Unread, editable
from curator_tui.core.text import code_point, one_line, visible
from curator_tui.core.times import utc_words
from curator_tui.curator.desk import Desk
from curator_tui.curator.items import Item
from curator_tui.curator.values import Evidence

_WORDS = 60
_ACTIONS = len("+".join(Action))  # every kind of step, whole
_WITH_WAYS = 3
_SIGNS = {Action.ADD: "+", Action.REPLACE: "~", Action.REMOVE: "-"}


def actions_of(proposal: Proposal) -> str:
    """Return its actions as written, for one cell."""
    return one_line("+".join(dict.fromkeys(proposal.actions)) or "?", _ACTIONS)


def preview(proposal: Proposal, width: int) -> str:
    """Return a beginning of what it proposes on one line, with how much is hidden."""
    operations = proposal.operations
    if not operations:
        said = proposal.agent_says
        return f"agent says: {one_line(said, max(8, width - len('agent says: ')))}" if said else ""
    first = operations[0]
    text = _text_of(first)
    head = f"{_SIGNS[first.action]} " if len(operations) == 1 else f"{len(operations)} steps: {_SIGNS[first.action]} "
    return head + one_line(text, max(8, width - len(head)))


def waiting_words(desk: Desk, names: Iterable[str]) -> dict[str, str]:
    """Return the words of waiting items by id, to be said beside it when they wait no longer."""
    waiting = {name: desk.queue.proposal(name) for name in names}
    return {name: short_words(proposal) for name, proposal in waiting.items() if proposal is not None}


def short_words(proposal: Proposal) -> str:
    """Return a few words of an item; a secret it holds or is about is not repeated where nobody asked to see it."""
    return "(holds a secret)" if says_secret(proposal) else preview(proposal, _WORDS)


def _text_of(operation: Operation) -> str:
    if operation.content is not None:
        return operation.content
    return operation.pin or operation.match or ""


def author_words(proposal: Proposal, lead: str) -> str:
    """Return who wrote a proposal, by authentication, and how far they are trusted; empty where nobody knows."""
    trust = one_line(proposal.trust, 12) or "not judged yet"
    return f"{lead}{one_line(proposal.author, 40)} ({trust})" if proposal.author else ""


def item_lines(item: Item, now: float) -> Iterator[str]:
    """Show one waiting write in full: its claim, its effect, what speaks against it, what can be done."""
    found, proposal = item.found, item.found.proposal
    when = "at an unknown time"
    if proposal.created_at is not None:
        when = f"{age(now - proposal.created_at)} ago" if now >= proposal.created_at else "in the future"
    origin = one_line(proposal.origin, 40) or "an unknown origin"
    yield f"{item.id}  {found.state}  {actions_of(proposal)} in {one_line(proposal.target_name, 40) or '?'}"
    yield f"  from {origin}, {when}{author_words(proposal, ', written by ')}"
    if proposal.agent_says:
        yield from block(proposal.agent_says, "  agent says: ")
    if proposal.pinned_by == "first sight":
        yield "  the record names no entry; it was pinned when it was first seen"
    yield from reason_lines(item)
    yield from outcome_lines(found)
    yield from _details(found)
    if item.evidence is not None:
        yield from evidence_lines(item.evidence, texts_of(proposal))
    yield f"  digest {item.plain_digest}"
    yield from _ways(item)


def named_reason(state: State, reason: Problem) -> str:
    """Return a state with its reason; a reason that begins with the state's own word says it once."""
    return reason.message if reason.message.startswith(str(state)) else f"{state}: {reason.message}"


def reason_lines(item: Item) -> Iterator[str]:
    """Say why each condition holds, and what has to do with other items."""
    for state in item.found.conditions:
        if (reason := item.found.reasons.get(state)) is not None:
            yield f"  {named_reason(state, reason)}"
    if item.superseded_by:
        yield f"  superseded by {item.superseded_by}, which took that entry"
    if item.room:
        yield f"  these would make room: {' '.join(item.room)}"
    if item.others:
        yield f"  waits for the same entry as {' '.join(item.others)}"


def outcome_lines(found: Preflight) -> Iterator[str]:
    """Show what becomes of each document: its size, and the entries that change."""
    for target, part in found.outcome.items():
        limit = "?" if part.limit is None else part.limit
        if part.before == part.after:
            yield f"{FILE_NAMES[target]} stays as it is: {part.size_before}/{limit}"
            continue
        yield f"{FILE_NAMES[target]} {part.size_before}/{limit} -> {part.size_after}/{limit}"
        yield from diff_lines(entry_diff(part.before, part.after, part.changed))
    if all(part.before == part.after for part in found.outcome.values()):
        for operation in found.proposal.operations:
            yield from _proposed(operation)


def _proposed(operation: Operation) -> Iterator[str]:
    """Show what an operation says that has no effect as things are."""
    if operation.match is not None:
        yield from block(operation.match, "  looks for: ")
    if operation.content is not None:
        yield from block(operation.content, "  proposes:  ")


def _details(found: Preflight) -> Iterator[str]:
    if found.lost:
        yield from lines_lost(found)
        yield "Facts that would be lost:"
        for text in found.lost:
            yield from block(text, "  - ")
    matching = len(found.candidates) - found.alike
    for number, text in enumerate(found.candidates, 1):
        yield from block(text, "  matches: " if number <= matching else "  alike:   ")
    if found.nearest is not None:
        yield from block(found.nearest, "  nearest entry: ")
        contents = [operation.content for operation in found.proposal.operations if operation.content is not None]
        if contents:
            yield "  taking that entry would change it so:"
            yield from changed_lines(found.nearest, contents[0])
    for index, content in found.inside.items():
        yield "Changed only inside the entry it would be:"
        step = found.steps[index] if index < len(found.steps) else None
        yield from changed_lines(step.before if step and step.before else content, content)
    yield from finding_lines(found)
    yield from along_lines(found)


def finding_lines(found: Preflight) -> Iterator[str]:
    """Say what the scanners saw and where, code points spelled out that nobody would see."""
    for located in found.findings:
        finding = located.finding
        said = f"  {finding.severity} finding {finding.rule}: {finding.reason}"
        if finding.family == EFFECT:
            yield said  # about no place in the text
            continue
        where = characters_at(finding.start, finding.end) + _points(
            found, located.operation, finding.start, finding.end
        )
        yield f"{said.rstrip('.')} ({where})"


def along_lines(found: Preflight) -> Iterator[str]:
    """Show what a removal means, and every fact that would go with it: it takes the whole entry."""
    for step, taken in found.along.items():
        yield from block(found.steps[step].operation.match or "", "  looks for: ")
        for text in taken:
            yield from block(text, "  goes too:  ")


def lines_lost(found: Preflight) -> Iterator[str]:
    """Count what a replace does to the lines of an entry that has several."""
    for part in found.outcome.values():
        for before, after in part.changed:
            gone, changed, lines = text_lines_lost(before, after)
            if lines > 1:
                yield f"  {gone} of {lines} text lines would be gone, {changed} changed"


def _points(found: Preflight, operation: int, start: int, end: int) -> str:
    """Spell out the code points of a short finding that would not be seen."""
    content = found.proposal.operations[operation].content or ""
    seen = content[start:end]
    if not seen or len(seen) > 8 or visible(seen, newlines=False) == seen:
        return ""
    return ": " + " ".join(code_point(char) for char in seen)


def evidence_lines(evidence: Evidence, about: Sequence[str]) -> Iterator[str]:
    """Show the messages behind a claim; a guess says that it is one, and a message that names no fact likewise.

    Args:
        evidence: what was found.
        about: the texts that it is to stand behind.
    """
    if evidence.session:
        label = "perhaps session" if evidence.guess else "session"
        title = f", {one_line(evidence.title, 60)}" if evidence.title else ""
        yield f"Evidence: {label} {visible(evidence.session, newlines=False)}{title}"
    else:
        yield "Evidence: none found"
    if evidence.note:
        yield f"  {evidence.note}"
    for quote in evidence.quotes:
        when = utc_words(quote.at) if quote.at is not None else "?"
        if not names_fact(quote.text, about):
            yield f"  {NO_FACT}: the message holds no word of what the item would write"
        yield from block(quote.text, f"  {when}  {one_line(quote.role, 12)}: ", "    ")


def ways_out(desk: Desk, failed: Sequence[NotApplied]) -> Iterator[str]:
    """Name the commands that fit the first items that were asked for and still wait, as ``show`` does."""
    waiting = [one.id for one in failed if one.state in set(State) and desk.queue.proposal(one.id) is not None]
    for name in waiting[:_WITH_WAYS]:
        yield f"{visible(name)}:"
        yield from _ways(desk.item(name))
    if len(waiting) > _WITH_WAYS:
        yield f"What can be done about the other {len(waiting) - _WITH_WAYS}: curator-tui show ID"


def _ways(item: Item) -> Iterator[str]:
    """Name the commands that fit the state."""
    conditions = set(item.found.conditions)
    approve = f"curator-tui approve {item.id}"
    if State.READY in conditions or State.NO_CHANGE in conditions:
        yield f"  to {'apply' if State.READY in conditions else 'close'}: {approve}"
    elif conditions & {State.STALE, State.AMBIGUOUS}:
        yield f"  to take another entry: {approve} --entry ENTRY"
    elif State.UNREADABLE in conditions:
        if item.raw is not None:
            yield f"  to see its bytes: curator-tui show {item.id} --raw"
    elif conditions & {State.INVALID, State.OVER_LIMIT}:
        if editable(item.found.proposal):
            yield f"  to reword: {approve} --content-file FILE"
    else:
        yield f"  to apply knowingly: {approve} --override REASON"
    if item.found.inside:
        yield f"  to change only inside the entry: {approve} --inside"
    if item.found.proposal.unread is not Unread.FAILED:
        yield f"  to reject: curator-tui reject {item.id} --reason REASON"
