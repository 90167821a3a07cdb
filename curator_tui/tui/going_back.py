"""Going back: what a rollback to one backup would do, complete before it is shown, and the words for all of it.

Here: the preview, read in the clerk's thread, its effects besides the texts, and the question that is asked before it
is done. Not here: what a rollback takes along (``core.rollbacks``), the screen (``screens.history``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from curator_tui.core.changes import PastChange
from curator_tui.core.departing import unkept_notes
from curator_tui.core.documents import TARGETS, Document, Target, parse
from curator_tui.core.preflight import Snapshot
from curator_tui.core.requests import Kind
from curator_tui.core.rollbacks import RollbackPreview
from curator_tui.curator.becoming import Becoming, becoming
from curator_tui.curator.desk import Desk
from curator_tui.curator.effects import aside_effects, outside_words
from curator_tui.curator.history import find_backup, kept_proposals, rollback_preview
from curator_tui.curator.looking import DocumentView, documents_view
from curator_tui.curator.row_subjects import first_of, meant_by
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import counted, file_name, size_words
from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.pages import label_prefix
from curator_tui.tui.shown import Line, Piece, Shown, message, own, say, shown_line
from curator_tui.tui.words import LISTED, Names, change_words, deed_words, item_words, name_of

_SECONDS = 0.15
_NAMED = 6  # questions and items that were deferred


class Preview(Struct, frozen=True):
    """What going back to one backup would do.

    Attributes:
        backup: the backup's id.
        targets: the documents that were asked for; none for both.
        rollback: what the core says of it.
        documents: each document that changes, before and after.
        names: words for the items it is about.
        deeds: what the changes it undoes were that decided no item, by their ids, of so many as are listed.
        waiting: what becomes of the items that wait.
    """

    backup: str
    targets: tuple[Target, ...]
    rollback: RollbackPreview
    documents: tuple[DocumentView, ...]
    names: Names
    deeds: Names
    waiting: Becoming


def difference(desk: Desk, backup: str, targets: tuple[Target, ...]) -> tuple[DocumentView, ...]:
    """Return what a rollback would make of the documents, and nothing else of it: of a long past that takes a moment.

    Raises:
        CuratorError: the backup cannot be used.
    """
    kept, snapshot = find_backup(desk, backup), desk.read_documents()
    now = {target: snapshot.document(target) for target in TARGETS}
    after = {target: parse(target, kept.files[target]) for target in targets or TARGETS if target in kept.files}
    changing = {target: one for target, one in after.items() if one.raw != now[target].raw}
    return documents_view(now, changing, snapshot.limits)


def preview(desk: Desk, backup: str, targets: tuple[Target, ...]) -> Preview:
    """Work out a rollback, read without a lock."""
    found = rollback_preview(desk, backup, targets)
    snapshot = desk.read_documents()
    before = {target: snapshot.document(target) for target in TARGETS}
    after: dict[Target, Document] = {target: parse(target, raw) for target, raw in found.documents.items()}
    others = [change for change in found.undoes if not _decided(change)]
    decided = (item for change in found.undoes for item in change.closed)
    about = kept_proposals(desk, (*decided, *(item.decided for item in found.returned)))
    about |= {part.id: part.waiting.proposal for part in found.closing}
    leaving = {part.id for part in found.closing}
    names = {name: item_words(proposal) for name, proposal in about.items()}
    return Preview(
        backup,
        targets,
        found,
        documents_view(before, after, snapshot.limits),
        names,
        {one.id: deed_words(one, names, meant_by(desk, one), first_of(desk, one)) for one in others[-LISTED:]},
        becoming(desk, Snapshot({**before, **after}, snapshot.limits), frozenset(after), _SECONDS, leaving),
    )


def _decided(change: PastChange) -> bool:
    """Whether a change decided about items: an undo or a redo returns or closes some, and decides about none."""
    return change.kind is Kind.DECIDE and bool(change.closed)


def effect_lines(found: Preview) -> Iterator[PageLine]:
    """Say everything a rollback would do besides the texts, one row for each."""
    yield _line(say("undoes"), (own("{}", _undone(found, 2)),))
    if found.rollback.returned:
        names = [name_of(item.proposal, found.names) for item in found.rollback.returned[:2]]
        number = len(found.rollback.returned)
        yield _line(say("returns"), (own("{} to the queue: {}", number, _some(names, number)),))
    if found.rollback.closing:
        names = [name_of(part.id, found.names) for part in found.rollback.closing[:2]]
        number = len(found.rollback.closing)
        yield _line(say("closes"), (own("{} again: {}", number, _some(names, number)),))
    yield from _notes(found)
    yield from _aside_lines(found)
    if words := _waiting_words(found.waiting):
        yield _line(say("waiting"), words)
    if words := _entries_words(found.documents):
        yield _line(say("entries"), words)
    yield from _always(found)


def _always(found: Preview) -> Iterator[PageLine]:
    yield _line(say("first"), (own("a backup of now is taken, and {} undoes the rollback", key_for("undo")),))
    kept = [file_name(target) for target in TARGETS if target not in {view.target for view in found.documents}]
    if kept:
        standing = say("it is") if len(kept) == 1 else say("they are")
        yield _line(say("keeps"), (own("{} as {} now", Shown(" and ".join(kept)), standing),))
    yield _line(say("agents"), (own("read the documents at their next session"),))


def whole_lines(found: Preview) -> Iterator[PageLine]:
    """Say all of it: every change it undoes, every item that returns, every waiting item that becomes another."""
    yield _line(say("undoes"), (own("{}", _undone(found, 0)),))
    for change in found.rollback.undoes:
        deed = found.deeds.get(change.id) or deed_words(change, found.names)
        yield PageLine((own("{}", deed),), (own("   "),))
    if found.rollback.returned:
        yield _line(say("returns"), (own("{} to the queue:", len(found.rollback.returned)),))
    for item in found.rollback.returned:
        yield PageLine((own("{}", name_of(item.proposal, found.names)),), (own("   "),))
    yield from _closing_lines(found, len(found.rollback.closing))
    yield from _notes(found)
    yield from _aside_lines(found)
    if words := _waiting_words(found.waiting):
        yield _line(say("waiting"), words)
    for one in found.waiting.moved:
        name = item_words(one.proposal)
        yield PageLine((own("{} becomes ", name), Piece(say("{}", one.state), str(one.state))), (own("   "),))
    if words := _entries_words(found.documents):
        yield _line(say("entries"), words)
    yield from _always(found)


def _entries_words(documents: Iterable[DocumentView]) -> Line:
    """Count the entries that leave, come and change; nothing where none does."""
    kinds: Counter[str] = Counter(entry.diff.kind for view in documents for entry in view.entries)
    told = (("removed", "leaves", "leave"), ("added", "comes", "come"), ("changed", "changes", "change"))
    parts = [say("{} {}", n, Shown(one if n == 1 else more)) for kind, one, more in told if (n := kinds[kind])]
    return (own("{}", Shown(", ".join(parts))),) if parts else ()


def _aside_lines(found: Preview) -> Iterator[PageLine]:
    """Say what becomes of deferrals and questions."""
    aside = found.rollback.aside
    told = list(aside_effects(aside))
    for one in told[:_NAMED]:
        yield _line(say("besides"), (own("{} {}", shown_line(one.about, 16), message(one.words)),))
    if len(told) > _NAMED:
        yield _line(say("besides"), (own("and {} more", len(told) - _NAMED, role="warn"),))
    for note in aside.notes:
        yield _line(say("note"), (own("{}", message(note), role="warn"),))


def question_lines(found: Preview, why: Shown) -> Iterator[PageLine]:
    """Say what is about to be done and every item that comes back with it, for the question that takes ``y``."""
    if why:
        yield PageLine((own("{}:", why, role="warn"),), (own(" "),))
    for view in found.documents:
        before = size_words(view.presence, view.outcome.size_before)
        after = say("{}", view.outcome.size_after) if found.rollback.documents[view.target] is not None else say("none")
        yield _line(file_name(view.target), (own("{} -> {} characters", before, after),))
    yield _line(say("undoes"), (own("{}", _undone(found, 0)),))  # what they were about comes next
    returned = found.rollback.returned
    if returned:
        yield _line(say("returns"), (own("{} to the queue:", len(returned)),))
    for item in returned[:LISTED]:
        yield PageLine((own("{}", name_of(item.proposal, found.names)),), (own("   "),))
    if len(returned) > LISTED:
        yield PageLine((own("and {} more", len(returned) - LISTED, role="warn"),), (own("   "),))
    yield from _closing_lines(found, LISTED)
    yield from _notes(found)
    yield from _aside_lines(found)
    if words := _waiting_words(found.waiting):
        yield _line(say("waiting"), words)
    if words := _entries_words(found.documents):
        yield _line(say("entries"), words)


def _closing_lines(found: Preview, most: int) -> Iterator[PageLine]:
    """Name the items that are closed again, ``most`` of them."""
    closing = found.rollback.closing
    if closing:
        yield _line(say("closes"), (own("{} again:", len(closing)),))
    for part in closing[:most]:
        yield PageLine((own("{}", name_of(part.id, found.names)),), (own("   "),))
    if len(closing) > most:
        yield PageLine((own("and {} more", len(closing) - most, role="warn"),), (own("   "),))


def _undone(found: Preview, most: int) -> Shown:
    """Count the changes that are undone, and name ``most`` of those that decided about items."""
    undoes = found.rollback.undoes
    outside = say("")
    if found.rollback.outside.changes:
        outside = say(", and {}", message(outside_words(found.rollback.outside)))
    number = counted(len(undoes), "change") if undoes else say("no change")
    named = [change for change in undoes if _decided(change)][:most]
    if not named:
        return say("{}{}", number, outside)
    words = [change_words(change, found.names) for change in named]
    return say("{}: {}{}", number, _some(words, len(undoes)), outside)


def _some(names: list[Shown], number: int) -> Shown:
    more = number - len(names)
    return Shown("; ".join(names) + (f"; and {more} more" if more else ""))


def _notes(found: Preview) -> Iterator[PageLine]:
    rollback = found.rollback
    for note in (*(stuck.message for stuck in rollback.stuck), *unkept_notes(rollback.closing), *rollback.notes):
        yield _line(say("note"), (own("{}", message(note), role="warn"),))


def _waiting_words(waiting: Becoming) -> Line:
    """Say what becomes of all items that wait, those of the other document too; nothing where none waits."""
    if not waiting.total:
        return ()
    line: list[Piece] = []
    for state in sorted(waiting.states):
        number = waiting.states[state]
        verb = say("becomes") if number == 1 else say("become")
        line += [own("{} {} ", number, verb), Piece(say("{}", state), str(state)), own(", ")]
    others = waiting.total - waiting.unknown - sum(waiting.states.values())
    line.append(own("{} as before", others))
    if waiting.unknown:
        line.append(own("; {} more were not looked at", waiting.unknown, role="warn"))
    return tuple(line)


def _line(label: Shown, body: Line) -> PageLine:
    return PageLine(body, label_prefix(label))
