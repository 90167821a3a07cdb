"""Looking: the queue, one item whole, its record, and where things stand. Nothing here decides.

Here: what these commands print, and that an item counts as shown once it was printed whole. Not here: the words of an
item (``item``), deciding (``deciding``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator_tui.cli.plain.item import item_lines, row_line
from curator_tui.cli.plain.talk import Shown, Talk
from curator_tui.cli.plain.words import age_words, labelled, snapshot_lines
from curator_tui.cli.status import gate_words
from curator_tui.core.counting import counted
from curator_tui.core.errors import CuratorError, UnknownItem, UsageError
from curator_tui.core.proposals import Edit
from curator_tui.core.text import one_line, visible
from curator_tui.curator.looking import Looked, look
from curator_tui.curator.queries import Query
from curator_tui.curator.queue_model import Row

PAGE = 20
"""Rows printed at a time: a queue of thousands is not read aloud to its end."""


# -- where things stand ----------------------------------------------------------------------------------------------


def begin(talk: Talk) -> None:
    """Say where one is and how to go on; first sights are recorded, as the application does when it opens."""
    if not talk.desk.read_only:
        with talk.writing():
            _record_first_sights(talk)
    talk.say("Review, line by line. Looking decides nothing. Type help for what can be typed, quit to leave.")
    status(talk, "")


def _record_first_sights(talk: Talk) -> None:
    try:
        receipt = talk.desk.observe()
    except CuratorError as error:
        talk.say(f"First sights could not be recorded: {error.message}", "Looking goes on.")
        return
    talk.say(*(f"Note: {note}" for note in receipt.notes))
    if receipt.recovered:
        talk.say("An interrupted change was finished first.")


def status(talk: Talk, _: str) -> None:
    """Say what is bound, what waits, and how full the documents are."""
    talk.desk.refresh()
    facts = talk.desk.facts()
    talk.say(f"Bound: {facts.label}, {facts.kind} {facts.scope}{', for looking only' if talk.desk.read_only else ''}.")
    talk.say(f"The gate is {gate_words(facts)}.")
    talk.say(*_waiting(talk), *snapshot_lines(talk.desk.snapshot()))
    if found := len(talk.desk.asked()):
        talk.say(f"Disputed: {counted(found, 'question')} to answer; questions lists them.")
    if away := len(talk.desk.deferred()):
        talk.say(f"Deferred: {counted(away, 'item')}; deferred lists them.")
    if facts.skills_waiting:
        talk.say(f"Waiting skill writes: {facts.skills_waiting}; skills lists them.")
    if talk.desk.recovery_pending():
        talk.say("An interrupted change waits to be finished by the next decision.")
    talk.say(*(f"Note: {note}" for note in facts.notes))


def _waiting(talk: Talk) -> Iterator[str]:
    queue = talk.desk.queue
    queue.advance(float("inf"))
    states = ", ".join(f"{count} {state}" for state, count in (queue.counts() or {}).items())
    times = [proposal.created_at for proposal in queue.proposals() if proposal.created_at is not None]
    oldest = f", the oldest from {age_words(talk.desk.now() - min(times))}" if times else ""
    yield f"{len(queue)} waiting: {states}{oldest}." if len(queue) else "Nothing waits for a decision."
    yield from (f"Note: {note}" for note in queue.deferrals.notes)


# -- the queue -------------------------------------------------------------------------------------------------------


def names_of(talk: Talk) -> tuple[str, ...]:
    """Return the first item of each row of the queue that the filter lets through, skipped ones last."""
    talk.desk.queue.advance(float("inf"))
    return talk.desk.listings.ids(Query(talk.place.words, skipped=frozenset(talk.place.skipped)))


def _row(talk: Talk, name: str) -> Row:
    queue = talk.desk.queue
    proposal = queue.proposal(name)
    assert proposal is not None, "it is in the list that was made just now"
    return Row(proposal, queue.group(name), queue.conditions(name))


def list_queue(talk: Talk, _: str) -> None:
    """Print the first page of the queue."""
    talk.desk.refresh()
    talk.place.from_row = 0
    more(talk, "")


def more(talk: Talk, _: str) -> None:
    """Print the next page of the queue; a number opens the item that had it."""
    names = names_of(talk)
    start = talk.place.from_row
    page = names[start : start + PAGE]
    if not start:
        talk.place.numbers = {}
    if not page:
        talk.say("Nothing more in the list." if start else nothing_waits(talk))
        return
    talk.place.shown = None
    held = talk.desk.claims.look()
    if not start:
        talk.say(f"{counted(len(names), 'row')}{filtered_words(talk)}, by state, the oldest first in each.")
    talk.place.list_of = "the queue: a number opens that item"
    for number, name in enumerate(page, start + 1):
        talk.place.numbers[number] = f"open {name}"
        row = _row(talk, name)
        watcher = next((held[member] for member in row.members if member in held), "")
        talk.say(row_line(number, row, talk.desk.now(), watcher))
    talk.place.from_row = start + len(page)
    left = len(names) - talk.place.from_row
    talk.say(f"{left} more; more prints them. A number opens an item." if left else "A number opens an item.")


def nothing_waits(talk: Talk) -> str:
    """Say that nothing waits, or nothing under the filter that holds."""
    if talk.place.words:
        return f"Nothing waits{filtered_words(talk)}. filter alone shows everything again."
    return "Nothing waits for a decision."


def filtered_words(talk: Talk) -> str:
    """Return what the queue is filtered by, to be put behind what it is said of; empty for no filter."""
    return f", filtered by {one_line(talk.place.words, 40)}" if talk.place.words else ""


def filter_queue(talk: Talk, rest: str) -> None:
    """Filter the queue as the screens do; by nothing for everything."""
    talk.place.words = rest.strip()
    list_queue(talk, "")


# -- one item --------------------------------------------------------------------------------------------------------


def open_item(talk: Talk, rest: str) -> None:
    """Open an item by its id, or by an unambiguous beginning of it."""
    talk.desk.refresh()
    show(talk, _named(talk, rest.strip()))


def _named(talk: Talk, name: str) -> str:
    if not name:
        raise UsageError("Which item?", way_out="Type open and its id, or a number of the list.")
    known = [proposal.id for proposal in talk.desk.queue.proposals()]
    row = talk.row(name)
    if name not in known and row.startswith("open "):
        name = row.removeprefix("open ")
    found = [name] if name in known else [one for one in known if one.startswith(name)]
    if len(found) == 1:
        return found[0]
    what = "No waiting item has" if not found else f"{len(found)} waiting items begin with"
    raise UnknownItem(f"{what} the id {visible(name, newlines=False)}.", way_out="Type list for what waits.")


def show(talk: Talk, name: str, edit: Edit | None = None) -> None:
    """Print an item whole; from here on it is the one in hand."""
    talk.desk.claims.look()
    shown = read(talk, name, edit)
    talk.desk.claims.take(name)
    talk.place.shown = shown
    talk.forget_list()
    talk.say(*shown.lines)
    tell_ways(talk)


def read(talk: Talk, name: str, edit: Edit | None = None) -> Shown:
    """Read an item afresh, with everything that has to be printed of it."""
    looked = look(talk.desk, name, edit)
    evidence = talk.desk.item(name, with_evidence=True).evidence
    others = [talk.desk.queue.found(names[0]) for names in looked.wordings]
    return Shown(looked, tuple(item_lines(looked, others, talk.desk.now(), evidence)), evidence)


def tell_ways(talk: Talk) -> None:
    """Say what can be typed about the item in hand."""
    from curator_tui.cli.plain.commands import offer

    shown = talk.place.shown
    assert shown is not None
    talk.say(offer(talk))
    if not talk.answers.typed:
        talk.say(f"What decides about it must end with the code {shown.code}.")


def in_hand(talk: Talk) -> Shown:
    """Return the item in hand.

    Raises:
        UsageError: there is none.
    """
    if talk.place.shown is None:
        raise UsageError("No item is open.", way_out="Type next, or list and a number.")
    return talk.place.shown


def again(talk: Talk, _: str) -> None:
    """Print the item in hand again, as it is now."""
    shown = in_hand(talk)
    talk.desk.refresh()
    show(talk, shown.looked.id, shown.looked.edit)


def record(talk: Talk, _: str) -> None:
    """Print the bytes of the record of the item in hand."""
    raw = in_hand(talk).looked.item.raw
    if raw is None:
        talk.say("The bytes of the record were not read.")
        return
    talk.say(f"The record has {len(raw)} bytes.", *labelled("Record", raw.decode("utf-8", "surrogateescape")))


def next_item(talk: Talk, _: str) -> None:
    """Open the item behind the one in hand, or the first."""
    _step(talk, 1)


def previous_item(talk: Talk, _: str) -> None:
    """Open the item before the one in hand."""
    _step(talk, -1)


def _step(talk: Talk, by: int) -> None:
    talk.desk.refresh()
    names = names_of(talk)
    at = _at(talk, names)
    place = at + by if at is not None else 0
    if 0 <= place < len(names):
        show(talk, _free(talk, names[place : place + PAGE]) if by > 0 else names[place])
    else:
        end = "That was the last one." if by > 0 else "That was the first one."
        talk.say(end if names else nothing_waits(talk))


def _free(talk: Talk, names: Sequence[str]) -> str:
    """Return the first item that nobody else looks at, and say what is passed over; the first where none is free."""
    held = talk.desk.claims.look()
    free = talk.desk.claims.first_free(names)
    if free is None:
        return names[0]
    for name in names[: names.index(free)]:
        talk.say(f"Passed over {one_line(name)}: {one_line(held.get(name, 'somebody'), 40)} is looking at it.")
    return free


def _at(talk: Talk, names: Sequence[str]) -> int | None:
    """Return where the item in hand stands; a group stands where its first member does."""
    shown = talk.place.shown
    first = talk.desk.queue.group(shown.looked.id)[0] if shown is not None else None
    return names.index(first) if first in names else None


def skip(talk: Talk, _: str) -> None:
    """Put the item in hand to the end for this run and open the next; nothing is stored."""
    name = in_hand(talk).looked.id
    names = names_of(talk)
    at = _at(talk, names)
    following = names[at + 1] if at is not None and at + 1 < len(names) else name
    talk.place.skipped[talk.desk.queue.group(name)[0]] = None
    talk.say(f"Skipped {one_line(name)}: it waits at the end of the list for this run.")
    talk.place.shown = None
    if following != name:
        show(talk, following)


def differences(before: Shown, after: Shown) -> Iterator[str]:
    """Say what of an item reads otherwise than it was printed."""
    old, new = set(before.lines), set(after.lines)
    gone = [line for line in before.lines if line not in new]
    came = [line for line in after.lines if line not in old]
    yield from (f"No longer: {line.strip()}" for line in gone)
    yield from (f"Now: {line.strip()}" for line in came)
    if not (gone or came):
        yield "It reads as before; the record or a document was written anew."


def moved(talk: Talk, name: str, edit: Edit) -> None:
    """Print what differs of an item that changed since it was printed; it counts as shown once that was printed."""
    before = in_hand(talk)
    talk.say("Moved: it changed since it was printed; nothing was written. This differs:")
    talk.place.shown = after = read(talk, name, edit)
    talk.say(*differences(before, after))
    tell_ways(talk)


def item_is(looked: Looked) -> str:
    """Return an item's name for a sentence."""
    return one_line(looked.id)
