"""The rows of the documents screen: one for each entry, under its document where they stand in its order.

Here: layout of a row, the words of its columns, notes of a document above its entries. Not here: what is listed
(``curator.holdings``), the text beside the list (``entry_pages``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator_tui.core.actors import actor_words
from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.learned import Source
from curator_tui.core.requests import Actor, ActorKind
from curator_tui.curator.holdings import EntrySort, Held, Holdings
from curator_tui.tui.document_states import document_notes
from curator_tui.tui.facts import age, counted, file_name
from curator_tui.tui.shown import Line, Piece, Shown, own, padded, say, shown_line

_NUMBER, _MARKS, _SIZE, _AGE, _SOURCE, _BY = 4, 4, 6, 6, 8, 9
_WITH_SOURCE, _WITH_BY = 54, 66  # columns of the list from which it has these
_CUT = 400  # characters of an entry that a row may show
_SOURCES = {
    Source.AGENT: "agent",
    Source.REVIEW: "review",
    Source.PERSON: "person",
    Source.PROGRAM: "outside",
    Source.UNKNOWN: "unknown",
}


class EntryRows:
    """Entries in an order, with headings and notes where that is the order of the documents."""

    def __init__(
        self,
        found: Holdings,
        entries: Sequence[Held],
        sort: EntrySort,
        carried: tuple[Target, str] | None = None,
        *,
        whole: bool = True,
        you: Actor | None = None,
    ) -> None:
        """Arrange entries.

        Args:
            found: what they are of.
            entries: those to be listed, in order.
            sort: the order they stand in.
            carried: the entry that is being moved.
            whole: whether all entries are listed; otherwise a document without any stands there without a word.
            you: who looks; None for nobody in particular.
        """
        self._you = you
        self._found = found
        self._carried = carried
        self._rows: list[Held | Line] = []
        if sort is EntrySort.DOCUMENT:
            for target in TARGETS:
                self._rows += self._head(target, whole=whole)
                self._rows += [one for one in entries if one.target is target]
        else:
            for target in TARGETS if whole else ():
                name = own(" {}: ", file_name(target), role="dim")
                self._rows += [(name, *note) for note in document_notes(found, target)]
            self._rows += entries
        self._one = sort is not EntrySort.DOCUMENT

    def _head(self, target: Target, *, whole: bool) -> Iterator[Line]:
        document = self._found.snapshot.document(target)
        yield (own("-- {}: {}", file_name(target), counted(len(document.entries), "entry", "entries"), role="head"),)
        if whole:
            yield from ((own("   "), *note) for note in document_notes(self._found, target))

    def __len__(self) -> int:
        return len(self._rows)

    def selectable(self, index: int) -> bool:
        """Whether an entry stands there."""
        return self.row(index) is not None

    def row(self, index: int) -> Held | None:
        """Return the entry of a row; None for headings and notes."""
        found = self._rows[index] if 0 <= index < len(self._rows) else None
        return found if isinstance(found, Held) else None

    def place(self, key: tuple[Target, str] | None) -> int | None:
        """Return the row of an entry, None where it is not listed."""
        return next((at for at, one in enumerate(self._rows) if isinstance(one, Held) and one.key == key), None)

    def line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        found = self._rows[index]
        if not isinstance(found, Held):
            return found
        lead = own(">" if found.key == self._carried else " ", role="mark")
        number = own("{}", found.number, role="dim")
        document = own("{}", Shown(str(found.target)[0] if self._one else " "), role="dim")
        return (
            lead,
            *padded((number,), _NUMBER - 1, right=True),
            document,
            *padded(_marks(found), _MARKS),
            *padded((own("{}", shown_line(found.text[:_CUT])),), _entry_room(width)),
            own(" "),
            *padded((own("{}", found.learned.size),), _SIZE - 1, right=True),
            own(" "),
            *padded((self._age(found),), _AGE - 1, right=True),
            *self._who(found, width),
        )

    def _age(self, found: Held) -> Piece:
        at = found.learned.at
        if at is None:
            return own("?" if self._found.traced else "…", role="dim")
        mark = say("~") if found.learned.noticed else Shown("")
        return own("{}{}", mark, age(self._found.now - at), role="dim")

    def _who(self, found: Held, width: int) -> Iterator[Piece]:
        if width >= _WITH_SOURCE:
            word = Shown(_SOURCES.get(found.learned.source, "?") if self._found.traced else "…")
            role = "warn" if found.learned.source is Source.PROGRAM else "dim"
            yield from (own(" "), *padded((own("{}", word, role=role),), _SOURCE - 1))
        if width >= _WITH_BY:
            yield from (own(" "), *padded((own("{}", approver(found, self._you), role="dim"),), _BY - 1))


def approver(found: Held, you: Actor | None) -> Shown:
    """Return who let an entry in, ``-`` where nobody did or nobody can tell."""
    actor = found.origin.approver
    if actor is None:
        return say("-")
    if actor.kind is not ActorKind.PERSON:
        return say("{}", actor.kind)
    return shown_line(actor.name if you is None else actor_words(actor, you), _BY - 1)


def _marks(found: Held) -> Line:
    """Return the marks of an entry: seen or not, then what is wrong with it or waits for it."""
    seen = own("." if not found.origin.seen else "*", role="warn" if not found.origin.seen else "dim")
    flagged = own("!" if found.learned.flagged else " ", role="bad")
    if found.questions:
        return (seen, flagged, own("?", role="warn"))
    return (seen, flagged, own("w" if found.waiting else " ", role="note"))


MARKS_TOLD = "S: . never seen by a person  * seen  ! flagged  ? disputed  w waits"


def _entry_room(width: int) -> int:
    taken = 1 + _NUMBER + _MARKS + _SIZE + _AGE
    taken += _SOURCE if width >= _WITH_SOURCE else 0
    taken += _BY if width >= _WITH_BY else 0
    return max(width - taken - 1, 4)


def head_line(width: int) -> Line:
    """Return the column headings."""
    columns = [
        (say("  #"), _NUMBER + 1, False), (say("S"), _MARKS, False), (say("ENTRY"), _entry_room(width), False),
        (say("SIZE"), _SIZE, True), (say("AGE"), _AGE, True),
    ]  # fmt: skip
    if width >= _WITH_SOURCE:
        columns.append((say(" SOURCE"), _SOURCE, False))
    if width >= _WITH_BY:
        columns.append((say(" BY"), _BY, False))
    padding = (padded((own("{}", word, role="label"),), cells, right=right) for word, cells, right in columns)
    return tuple(piece for column in padding for piece in column)
