"""The timeline: every recorded change and every backup, newest first, and what there is to say about some of them.

Here: their order, the words and documents of the rows that are looked at, how the documents stood at any of them. Not
here: going back (``history``), which rows a filter means (``timeline_search``), sizes over time (``sizes``).

Of a long past only an index is held: what stands in a row is read when the row is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from curator_tui.core.changes import KNOWN_IMAGE, Backup, Decided, PastChange, image_parts
from curator_tui.core.documents import TARGETS, Document, Target, parse
from curator_tui.core.errors import StoreError, UnknownItem
from curator_tui.core.preflight import preflight
from curator_tui.core.proposals import Proposal
from curator_tui.core.refused import REFUSED
from curator_tui.core.requests import Kind
from curator_tui.core.row_form import RowForm, form_of
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import kept_proposals
from curator_tui.curator.ledger_view import reasons_in
from curator_tui.curator.row_subjects import Subject, first_of, meant_by

_APART = 8  # sequence numbers between two changes that are still read together
_ROWS = 4  # ledger rows a change has at most behind it that name an image of its own
_ABOUT = frozenset(Kind) - {Kind.DECIDE, Kind.OBSERVE, Kind.ROLLBACK}  # kinds named by what they were about
_PLAN = 2  # items decided together that make a plan
MISSING = "its folder is not in memories/backups any more"


class Moment(Struct, frozen=True):
    """One row of the timeline: a change, with the backup taken before it where there is one, or a further backup.

    Attributes:
        seq: sequence number of the change; 0 for one the book does not know.
        change: its id.
        backup: id of the backup; empty where no document changed.
        there: whether the backup is kept.
    """

    seq: int
    change: str
    backup: str = ""
    there: bool = True

    @property
    def id(self) -> str:
        """What tells the row from others."""
        return self.backup or self.change

    @property
    def suffix(self) -> str:
        """Which state that others wrote the backup is of (see ``core.changes.KNOWN_IMAGE``); empty for none."""
        return image_parts(self.backup)[1]

    @property
    def own(self) -> bool:
        """Whether the row stands for the change itself."""
        return bool(self.seq) and not self.suffix


class Told(Struct, frozen=True):
    """What there is to say about one row.

    Attributes:
        moment: the row.
        change: the change without documents and records; None where the book does not know it.
        form: the ledger row of it; None where it cannot be read.
        backup: the backup, None for none or one that cannot be used.
        trouble: why there is a backup and it cannot be used; empty where nothing is wrong.
        items: what it decided or returned, as far as it is kept and holds no secret, by item id.
        reasons: why, by item id: a code and a person's words.
        about: what a change that decided no item was about (see ``row_subjects.meant_by``).
        first: the change that an undo or redo is named by (see ``row_subjects.first_of``); None where that was not
            looked for.
    """

    moment: Moment
    change: PastChange | None = None
    form: RowForm | None = None
    backup: Backup | None = None
    trouble: str = ""
    items: Mapping[str, Proposal] = {}
    reasons: Mapping[str, tuple[str, str]] = {}
    about: tuple[Subject, ...] = ()
    first: PastChange | None = None

    @property
    def at(self) -> float | None:
        """When it was, UTC seconds; None where nothing says so."""
        if self.backup is not None:
            return self.backup.at
        return self.change.at if self.change is not None else None

    @property
    def unreviewed(self) -> bool:
        """Whether another program wrote then, or review was off: nobody had seen it before."""
        return self.moment.suffix == KNOWN_IMAGE

    @property
    def refused(self) -> bool:
        """Whether it was only an attempt: nothing changed."""
        return self.moment.own and self.form is not None and self.form.action == REFUSED

    @property
    def plan(self) -> bool:
        """Whether several items were decided together."""
        return self.moment.own and self.change is not None and len(self.change.closed) >= _PLAN

    def documents(self) -> dict[Target, Document]:
        """Return the documents of the backup."""
        return {} if self.backup is None else {target: parse(target, raw) for target, raw in self.backup.files.items()}


def timeline(desk: Desk) -> tuple[Moment, ...]:
    """Return all changes and backups, newest first; backups of changes the book does not know stand behind all."""
    images: dict[str, list[str]] = {}
    for name in desk.store.backup_names():
        images.setdefault(image_parts(name)[0], []).append(name)
    found: list[Moment] = []
    for change, seq, kind, backup in desk.store.book.index():
        made = images.pop(change, [])
        further = [name for name in made if name != backup]
        if backup or kind is not Kind.OBSERVE or not further:
            found.append(Moment(seq, change, backup, backup in made))
        found.extend(Moment(seq, change, name) for name in reversed(further))
    unknown = [(name, change) for change, names in images.items() for name in names]
    return (*found, *(Moment(0, change, name) for name, change in reversed(unknown)))


def place_of(moments: Sequence[Moment], name: str) -> int | None:
    """Return where a backup or a change stands, by its id; None where it is not there."""
    exact = next((at for at, one in enumerate(moments) if one.backup == name), None)
    return exact if exact is not None else next((at for at, one in enumerate(moments) if one.change == name), None)


def tell(
    desk: Desk, moments: Sequence[Moment], *, whole: bool = False, images: bool = True, words: bool = True
) -> dict[str, Told]:
    """Return what there is to say about some rows, by their ids.

    Args:
        desk: the desk.
        moments: the rows.
        whole: with all items of each; else with the first one, which stands for the others in a list.
        images: with the backups, which have to be read one by one.
        words: with what changes were about that decided no item, which takes the texts of their documents.
    """
    heads: dict[str, PastChange] = {}
    forms: dict[int, RowForm] = {}
    for first, last in _stretches(sorted({one.seq for one in moments if one.seq})):
        heads.update((head.id, head) for head in desk.store.book.heads(first, last))
        start = max(first - 1 - _ROWS, 0)
        rows = desk.store.book.rows(start, last - start)
        forms.update((row.seq, form) for row in rows if (form := form_of(row.body)) is not None)
    wanted = [heads[one.change] for one in moments if one.own and one.change in heads]
    named = ((*head.closed, *head.returned) if whole else head.closed[:1] for head in wanted)
    items = _items(desk, (item for part in named for item in part))
    found: dict[str, Told] = {}
    read: dict[str, tuple[Subject, ...]] = {}
    for one in moments:
        change, form = heads.get(one.change), _form(one, forms)
        backup, trouble = _backup(desk, one) if images else (None, "")
        reasons = reasons_in(desk, change, form) if change is not None and one.own else {}
        origin, about = _about(desk, change, read) if words and change is not None and one.own else (None, ())
        found[one.id] = Told(one, change, form, backup, trouble, _own_items(one, change, items), reasons, about, origin)
    return found


def _about(
    desk: Desk, change: PastChange, read: dict[str, tuple[Subject, ...]]
) -> tuple[PastChange | None, tuple[Subject, ...]]:
    """Return what a change that decided no item is named by, read once for it and all that took it back and forth."""
    if change.kind not in _ABOUT:
        return None, ()
    first = first_of(desk, change)
    if first.id not in read:
        read[first.id] = meant_by(desk, first)
    return first, read[first.id]


def _stretches(seqs: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last number of each stretch without a wide gap."""
    first = last = 0
    for seq in seqs:
        if first and seq > last + _APART:
            yield first, last
            first = seq
        first, last = first or seq, seq
    if first:
        yield first, last


def _items(desk: Desk, closed: Iterable[Decided]) -> dict[str, Proposal]:
    snapshot = desk.snapshot()
    kept = kept_proposals(desk, closed)
    return {name: one for name, one in kept.items() if not preflight(one, snapshot).holds_secret}


def _own_items(moment: Moment, change: PastChange | None, items: Mapping[str, Proposal]) -> dict[str, Proposal]:
    about = (*change.closed, *change.returned) if change is not None and moment.own else ()
    return {one.proposal: items[one.proposal] for one in about if one.proposal in items}


def _backup(desk: Desk, moment: Moment) -> tuple[Backup | None, str]:
    if not moment.backup:
        return None, ""
    try:
        found = desk.store.backup(moment.backup)
    except StoreError as error:
        return None, error.message
    return found, "" if found is not None else MISSING


def _form(moment: Moment, forms: Mapping[int, RowForm]) -> RowForm | None:
    """Return the ledger row of a row of the timeline: the one of the change, or the one that names the backup."""
    near = (forms[seq] for seq in range(moment.seq, max(moment.seq - _ROWS, 0), -1) if seq in forms)
    if moment.own:
        return next((form for form in near if form.change == moment.change), None)
    return next((form for form in near if form.backup == moment.backup), None)


def standing_at(desk: Desk, moments: Sequence[Moment], place: int) -> dict[Target, Document]:
    """Return how the documents stood before the change of a row, or then where it changed none.

    Where no backup was taken they stood as in the next one that was, else as they stand now.

    Raises:
        UnknownItem: the backup that would tell is gone.
        Unreadable: it is damaged.
    """
    found: dict[Target, Document] = {}
    for moment in reversed(moments[: place + 1]):
        if not moment.backup:
            continue
        backup = desk.store.backup(moment.backup)
        if backup is None:
            raise UnknownItem(
                f"The backup {visible(moment.backup, newlines=False)} is gone: {MISSING}.",
                way_out="Compare with another row; what is wrong is listed by: curator-tui doctor",
            )
        for target, raw in backup.files.items():
            found.setdefault(target, parse(target, raw))
        if moment is moments[place] or len(found) == len(TARGETS):
            return found
    now = desk.read_documents()
    return {target: found.get(target, now.document(target)) for target in TARGETS}
