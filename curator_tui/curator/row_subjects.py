"""What a ledger row is about, in words: the items and entries it names, as far as the book still keeps them.

Here: gathering these texts beside one row. Not here: the row itself, which holds no words and never will
(``core.row_form``), listing rows (``ledger_queries``), drawing. What is pruned, erased or was never kept says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from curator_tui.core.changes import PastChange
from curator_tui.core.diffs import entry_diff
from curator_tui.core.documents import TARGETS, Document, Target, parse
from curator_tui.core.endings import SPLIT, one_deed
from curator_tui.core.keeping import says_secret
from curator_tui.core.ledger import item_name
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Kind
from curator_tui.core.row_form import RowForm
from curator_tui.core.scanning import has_secret, scan
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import kept_proposals, recorded
from curator_tui.curator.ledger_queries import LedgerRow, TextState, listed, row_texts
from curator_tui.curator.ledger_view import named_text, own_row

NOT_KEPT = "words not kept"
HIDDEN = "(holds a secret)"


class Subject(Struct, frozen=True):
    """Something that a row is about.

    Attributes:
        did: what was decided about it, or what became of it, in a word.
        id: the question, or the item by the name it has in the queue; one that the book does not know any more by its
            name in the row. Empty for an entry of a document.
        text: the entry it proposes or is, raw; None where its words are not kept.
        secret: whether these words hold a secret, and are not to be repeated.
        more: how many more steps the item has.
    """

    did: str
    id: str = ""
    text: str | None = None
    secret: bool = False
    more: int = 0


def subjects(desk: Desk, row: LedgerRow) -> tuple[Subject, ...]:
    """Return what a row is about: its items, its question, else the entries it changed, else what it reverts was about.

    Raises:
        Unreadable: the book cannot be read.
    """
    form = row.form
    if form is None:
        return ()
    if form.decisions or form.deferrals:
        return (*_decided(desk, form), *(_deferred(desk, form) if form.deferrals else ()))
    if form.question:
        return (_subject(form.answer or "disputed", form.question, _disputed(desk, form)),)
    found = tuple(_written(row_texts(desk, row)))
    reverted = recorded(desk, form.reverts) if form.reverts and not found else None
    return found if reverted is None else meant_by(desk, reverted)


def first_of(desk: Desk, change: PastChange) -> PastChange:
    """Return the change behind an undo or redo, however often it was taken back and forth; of any other itself."""
    first = change
    while (before := recorded(desk, first.reverts)) is not None and before.seq < first.seq:
        first = before
    return first


def taken_back(desk: Desk, form: RowForm) -> PastChange | None:
    """Return the change behind the row of an undo or redo (see :func:`first_of`); None for any other row."""
    if form.action not in {Kind.UNDO, Kind.REDO} or not form.reverts:
        return None
    found = recorded(desk, form.reverts)
    return first_of(desk, found) if found is not None else None


def meant_by(desk: Desk, change: PastChange) -> tuple[Subject, ...]:
    """Return what a change was about; an undo or redo was about what the change behind it was about.

    Of an entry that was replaced only the text that came is named, of one that was split the whole.

    Raises:
        Unreadable: the book cannot be read.
    """
    first = first_of(desk, change)
    own = own_row(desk, first)
    if own is None:
        return ()
    found = subjects(desk, listed(own.sealed))
    if first.kind is not Kind.CORRECT:
        return found
    if one_deed(own.form.action) == SPLIT and (whole := tuple(_gone(row_texts(desk, listed(own.sealed))))):
        return whole
    return tuple(one for one in found if one.did != "removed") or found


def _subject(did: str, name: str, text: str | None) -> Subject:
    return Subject(did, name, text, text is not None and has_secret(scan(text)))


def _of(did: str, name: str, proposal: Proposal | None) -> Subject:
    steps = proposal.operations if proposal is not None else ()
    if proposal is None or not steps:
        return Subject(did, name)
    first = steps[0]
    text = first.content or first.pin or first.match or ""
    return Subject(did, name, text, says_secret(proposal), len(steps) - 1)


def _decided(desk: Desk, form: RowForm) -> Iterator[Subject]:
    past = desk.store.book.change(form.change)
    about = (*past.closed, *past.returned) if past is not None else ()
    kept, names = kept_proposals(desk, about), {item_name(one.proposal): one.proposal for one in about}
    for part in form.decisions:
        name = names.get(part.proposal, part.proposal)
        yield _of(part.decision, name, kept.get(name))


def _deferred(desk: Desk, form: RowForm) -> Iterator[Subject]:
    """Yield deferred items; a record stays in the queue folder, so its words are those of the very one, or gone."""
    said = {item_name(one.proposal): one for one in desk.store.book.asides().deferrals if one.change == form.change}
    waiting = {one.id: one for one in (*desk.queue.deferred(), *desk.queue.proposals())}
    for part in form.deferrals:
        one = said.get(part.proposal)
        proposal = waiting.get(one.proposal) if one is not None else None
        same = proposal is not None and one is not None and proposal.digest == one.digest
        yield _of(part.decision, one.proposal if one is not None else part.proposal, proposal if same else None)


def _disputed(desk: Desk, form: RowForm) -> str | None:
    if form.entry:
        return named_text(desk, form.entry)
    return next((one.entry for one in desk.store.book.asides().challenges if one.question == form.question), None)


def _written(texts: dict[tuple[Target, str], TextState]) -> Iterator[Subject]:
    """Yield the entries that came, went or changed, where both documents are kept."""
    for target in TARGETS:
        before, after = _document(texts, target, "before"), _document(texts, target, "after")
        if before is None or after is None:
            if (target, "before") in texts:
                yield Subject("changed")
            continue
        parts = entry_diff(before.entries, after.entries)
        moved = {part.before for part in parts if part.kind == "removed"}
        moved &= {part.after for part in parts if part.kind == "added"}
        for part in parts:
            if part.kind == "added" and part.after in moved:
                yield _subject("moved", "", part.after)
            elif part.kind != "same" and not (part.kind == "removed" and part.before in moved):
                yield _subject(part.kind, "", part.after if part.after is not None else part.before)


def _gone(texts: dict[tuple[Target, str], TextState]) -> Iterator[Subject]:
    """Yield the entries that do not stand any more as they did, where both documents are kept."""
    for target in TARGETS:
        before, after = _document(texts, target, "before"), _document(texts, target, "after")
        if before is not None and after is not None:
            yield from (_subject(SPLIT, "", text) for text in before.entries if text not in set(after.entries))


def _document(texts: dict[tuple[Target, str], TextState], target: Target, moment: str) -> Document | None:
    part = texts.get((target, moment))
    if part is None or part.state not in {"kept", "absent"}:
        return None
    found = parse(target, None if part.state == "absent" else part.text.encode("utf-8", "surrogatepass"))
    return found if found.usable else None
