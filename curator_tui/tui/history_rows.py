"""The rows of the past as the list shows them: when, who, what, how large both documents were, and marks.

Here: columns and the few words of a row. Not here: which rows (``curator.timeline``), what going back to one would do
(``going_back``), everything about one row (``moment_pages``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from curator_tui.core.actors import actor_words
from curator_tui.core.changes import FIRST_IMAGE, PastChange
from curator_tui.core.documents import TARGETS, Presence, Target, percent
from curator_tui.core.preflight import Snapshot
from curator_tui.core.reason_words import reason_word
from curator_tui.core.requests import Actor, Kind
from curator_tui.core.row_form import RowForm
from curator_tui.curator.deeds import by_hand, deed_about
from curator_tui.curator.sizes import Sizes
from curator_tui.curator.timeline import Moment, Told
from curator_tui.tui.facts import age, counted, file_name
from curator_tui.tui.ledger_rows import grown_by
from curator_tui.tui.shown import Line, Piece, Shown, fit, own, padded, say, shown_line, width_of
from curator_tui.tui.words import about_names, change_words, item_words

_MARK, _WHEN, _WHO, _SIZE, _SIZE_SHORT = 3, 5, 9, 11, 8
_EDGE = 1  # blank cells between the last column and a scroll bar
_WITH_PERCENT, _WITH_WHO, _WITH_SIZES = 64, 44, 34
_REASON = 40
_ROOMY = 44  # cells of what a change was, in a line that says by whom and when as well


class Ground(NamedTuple):
    """What all rows are held against.

    Attributes:
        snapshot: both documents and their limits as they stand.
        you: who looks.
        now: UTC seconds, for ages.
        sizes: the documents over time, as far as that is read.
        base: id of the row that others are compared with; empty for none.
    """

    snapshot: Snapshot
    you: Actor
    now: float
    sizes: Sizes = Sizes()
    base: str = ""


class HistoryRows:
    """The past, newest first, under a row that says how things stand now; those near the screen are known.

    Args:
        moments: the rows.
        known: what is known of some, by their ids.
        ground: what they are held against.
        whole: whether these are all rows there are; only then the row of now stands above them.
        searching: whether more rows may still be found; a line at the end says so.
    """

    def __init__(
        self,
        moments: Sequence[Moment],
        known: Mapping[str, Told],
        ground: Ground,
        *,
        whole: bool = True,
        searching: bool = False,
    ) -> None:
        self.moments = moments
        self.known = known
        self.ground = ground
        self.whole = whole
        self.searching = searching
        self._above = 1 if whole and moments else 0

    def __len__(self) -> int:
        return len(self.moments) + self._above + self.searching

    def selectable(self, index: int) -> bool:
        """Whether the cursor may stand there: one cannot go back to now."""
        return self.moment(index) is not None

    def moment(self, index: int) -> Moment | None:
        """Return a row of the past."""
        at = index - self._above
        return self.moments[at] if 0 <= at < len(self.moments) else None

    def index(self, place: int) -> int:
        """Return where the row of a place in the timeline stands in the list."""
        return place + self._above

    def told(self, index: int) -> Told | None:
        """Return what is known of a row."""
        moment = self.moment(index)
        return self.known.get(moment.id) if moment is not None else None

    def unknown(self, first: int, last: int) -> list[Moment]:
        """Return the rows between two places of the list of which nothing is known yet."""
        moments = self.moments[max(first - self._above, 0) : max(last + 1 - self._above, 0)]
        return [moment for moment in moments if moment.id not in self.known]

    def having(self, known: Mapping[str, Told], ground: Ground) -> HistoryRows:
        """Return the same rows, of which others are known, held against something else."""
        return HistoryRows(self.moments, known, ground, whole=self.whole, searching=self.searching)

    def line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        moment = self.moment(index)
        if moment is None:
            return self._now(width) if index < self._above else (own("   … looking for more", role="dim"),)
        told = self.known.get(moment.id)
        if told is None:
            return (own("   …", role="dim"),)
        ago = age(self.ground.now - told.at) if told.at is not None else say("?")
        dim = told.change is not None and told.change.undone_by is not None
        name = who(told, self.ground.you)
        return (
            *self._mark(told),
            *padded((own("{}", ago, role="dim" if dim else "text"),), _WHEN),
            *self._name((own("{}", name, role="warn" if told.unreviewed else "dim"),), width),
            *padded(what(told, _room(width), dim=dim), _room(width)),
            *self._sizes(told, width),
            own(" "),
        )

    def _mark(self, told: Told) -> Line:
        if told.moment.id == self.ground.base:
            return padded((own(" =", role="mark"),), _MARK)
        if told.unreviewed:
            return padded((own(" !", role="warn"),), _MARK)
        return padded((Piece(Shown(" B" if told.plan else " "), "note"),), _MARK)

    def _name(self, name: Line, width: int) -> Line:
        return padded(name, _WHO) if width >= _WITH_WHO else ()

    def _now(self, width: int) -> Line:
        sizes: list[Piece] = []
        for target in TARGETS if width >= _WITH_SIZES else ():
            document = self.ground.snapshot.document(target)
            present = document.presence is Presence.PRESENT
            word = self._size(document.size, target, width) if present else own("{}", document.presence, role="warn")
            sizes += padded((word,), _cells(width), right=True)
        return (
            *padded((own("--", role="dim"),), _MARK),  # as a heading: the cursor cannot stand here
            *padded((own("now", role="head"),), _WHEN),
            *self._name((own(" "),), width),
            *padded(self._standing(), _room(width)),
            *sizes,
            own(" "),
        )

    def _standing(self) -> Line:
        """Say how the documents stand now; one that cannot be read is named, since a column may cut the word."""
        documents = [self.ground.snapshot.document(target) for target in TARGETS]
        wrong = next((one for one in documents if not one.usable), None)
        if wrong is not None:
            return (own("{} is {}", file_name(wrong.target), wrong.presence, role="bad"),)
        return (own("as the documents stand", role="dim"),)

    def _sizes(self, told: Told, width: int) -> Line:
        if width < _WITH_SIZES:
            return ()
        documents, parts = told.documents(), list[Piece]()
        for target in TARGETS:
            standing = self.ground.sizes.standing(target, told.moment.seq) if told.moment.seq else None
            word = own("-", role="dim")
            if target in documents and documents[target].presence is not Presence.PRESENT:
                word = own("{}", documents[target].presence, role="dim")
            elif target in documents:
                word = self._size(documents[target].size, target, width)
            elif not told.moment.backup and standing is not None:
                word = self._size(standing, target, width, role="dim")
            parts += padded((word,), _cells(width), right=True)
        return tuple(parts)

    def _size(self, size: int, target: Target, width: int, role: str = "text") -> Piece:
        limit = self.ground.snapshot.limits.get(target)
        if width < _WITH_PERCENT or not limit:
            return own("{}", size, role=role)
        return own("{} {:>3}%", size, percent(size, limit), role="bad" if size > limit else role)


def _cells(width: int) -> int:
    return _SIZE if width >= _WITH_PERCENT else _SIZE_SHORT


def _room(width: int) -> int:
    """Return the cells of the column that says what a row is."""
    sizes = len(TARGETS) * _cells(width) if width >= _WITH_SIZES else 0
    return max(width - _MARK - _WHEN - (_WHO if width >= _WITH_WHO else 0) - sizes - _EDGE, 4)


def head_line(width: int) -> Line:
    """Return the column headings."""
    heads: list[Piece] = [
        *padded((own(" ", role="label"),), _MARK),
        *padded((own("WHEN", role="label"),), _WHEN),
        *(padded((own("WHO", role="label"),), _WHO) if width >= _WITH_WHO else ()),
        *padded((own("WHAT (sizes: before it)", role="label"),), _room(width)),
    ]
    for target in TARGETS if width >= _WITH_SIZES else ():
        name = file_name(target) if width >= _WITH_PERCENT else say("{}", target)
        heads += padded((own("{}", name, role="label"),), _cells(width), right=True)
    return tuple(heads)


def who(told: Told, you: Actor) -> Shown:
    """Name who made a row."""
    if told.unreviewed or told.moment.suffix:
        return say("outside")
    if told.change is None:
        return say("-")
    return shown_line(actor_words(told.change.maker, you), _WHO - 1)


def what(told: Told, room: int, *, dim: bool = False) -> Line:
    """Say in a few words what a row is.

    Args:
        told: the row.
        room: cells there are for it; that it was undone keeps its place at the end.
        dim: whether it was undone.
    """
    role = "dim" if dim else "text"
    undone = own("  undone", role="dim") if dim else own("")
    room -= width_of((undone,))
    if told.trouble:
        word = say("backup missing") if not told.moment.there else say("backup damaged")
        line: Line = (own("{}: ", word, role="bad"), own("{}", words_of_row(told), role=role))
    else:
        line = (own("{}", words_of_row(told, room), role=role), *_why(told))
    return (*fit(line, room), undone)


def words_of_row(told: Told, room: int = _ROOMY) -> Shown:
    """Say what a row is of: a state that was found, or what a change did, in so many cells where words can be cut."""
    if told.moment.suffix == FIRST_IMAGE:
        return say("first seen")
    if told.unreviewed:
        return say("before a change from outside")
    if told.change is None:
        return say("a change the book does not know")
    return _change_words(told, told.change, room)


def _change_words(told: Told, change: PastChange, room: int) -> Shown:
    if told.refused:
        return say("a refused attempt: nothing changed")
    if change.kind is Kind.OBSERVE:
        return say("as it was found")
    if names := about_names(told.about):
        action = told.form.action if told.form is not None else ""
        around = deed_about(change, ("''", *names[1:]), action, first=told.first)
        names = about_names(told.about, room - width_of((Piece(Shown(around)),)))
        return Shown(deed_about(change, names, action, first=told.first))
    if change.kind is Kind.CORRECT and told.form is not None:
        return _by_hand(told.form)
    if told.first is not None:
        return Shown(deed_about(change, (), first=told.first))
    return change_words(change, {name: item_words(proposal) for name, proposal in told.items.items()})


def _by_hand(form: RowForm) -> Shown:
    """Say what a person changed by hand: how, in which document, by how many characters."""
    files = Shown(" and ".join(file_name(target) for target in form.documents))
    return say("{}{}{}", Shown(by_hand(form.action)), say(" in {}", files) if files else files, _longer(form))


def _longer(form: RowForm) -> Shown:
    """Say by how much the documents grew, in words: a number with a sign beside a cut text is what was cut off."""
    grown = grown_by(form)
    if not form.documents or grown is None:
        return Shown("")
    return say(", {} {}", counted(abs(grown), "character"), say("fewer" if grown < 0 else "more"))


def _why(told: Told) -> Line:
    first = next((item.proposal for item in told.change.closed), "") if told.change is not None else ""
    code, note = told.reasons.get(first, ("", ""))
    parts = [part for part in (shown_line(reason_word(code), 16), shown_line(note, _REASON)) if part]
    return (own(" ({})", Shown(": ".join(parts)), role="dim"),) if parts else ()
