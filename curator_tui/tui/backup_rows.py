"""The rows of the backups as the list shows them. Here: layout. Not here: what going back does (``going_back``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curator_tui.core.changes import ActorKind, Kind
from curator_tui.core.documents import TARGETS, Document, Presence, Target, percent
from curator_tui.curator.desk import Desk
from curator_tui.curator.history import BackupRow, kept_proposals
from curator_tui.tui.facts import age, file_name
from curator_tui.tui.shown import Line, Piece, Shown, own, padded, say, shown_line
from curator_tui.tui.words import Names, change_words, item_words

_WHEN, _WHO, _SIZE = 6, 9, 11


class BackupRows:
    """Backups, newest first."""

    def __init__(
        self, rows: Sequence[BackupRow], limits: Mapping[Target, int | None], now: float, names: Names | None = None
    ) -> None:
        """Arrange backups.

        Args:
            rows: the backups, newest first.
            limits: of both documents.
            now: UTC seconds, for the ages.
            names: words for the items that the changes after the backups decided.
        """
        self._rows = rows
        self._limits = limits
        self.now = now
        self._names = names

    def __len__(self) -> int:
        return len(self._rows)

    def selectable(self, index: int) -> bool:
        """Whether there is such a row."""
        return 0 <= index < len(self._rows)

    def row(self, index: int) -> BackupRow | None:
        """Return a backup."""
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def place(self, name: str) -> int:
        """Return where a backup stands; -1 for one that is not there."""
        return next((at for at, row in enumerate(self._rows) if row.backup.id == name), -1)

    def line(self, index: int, width: int) -> Line:
        """Return one backup laid out in columns."""
        row = self._rows[index]
        parts: list[Piece] = []
        documents = row.documents()
        for target in TARGETS:
            parts += padded(
                self._size(documents[target], target) if target in documents else (own("-", role="dim"),), _SIZE
            )
        who, what = _who(row), _what(row, self._names)
        room = max(width - 1 - _WHEN - _WHO - 2 * _SIZE - 2, 4)
        return (
            own(" "),
            *padded((own("{}", age(self.now - row.backup.at)),), _WHEN),
            *padded((own("{}", who, role="warn" if who == "outside" else "dim"),), _WHO),
            *padded((own("{}", what),), room),
            own(" "),
            *parts,
        )

    def _size(self, document: Document, target: Target) -> Line:
        if document.presence is not Presence.PRESENT:
            return (own("{}", document.presence, role="dim"),)
        limit = self._limits.get(target)
        return (own("{} {}%", document.size, percent(document.size, limit) if limit else 0),)


def names_for(desk: Desk, rows: Sequence[BackupRow]) -> Names:
    """Return words for what each backup was taken before: the first item of a change stands for it in a row."""
    first = [row.change.closed[0] for row in rows if row.change is not None and row.change.closed]
    return {name: item_words(proposal) for name, proposal in kept_proposals(desk, first).items()}


def head_line(width: int) -> Line:
    """Return the column headings."""
    room = max(width - 1 - _WHEN - _WHO - 2 * _SIZE - 2, 4)
    words = (
        (say(" WHEN"), 1 + _WHEN),
        (say("WHO"), _WHO),
        (say("TAKEN"), room + 1),
        *((file_name(t), _SIZE) for t in TARGETS),
    )
    return tuple(piece for word, cells in words for piece in padded((own("{}", word, role="label"),), cells))


def _who(row: BackupRow) -> Shown:
    if row.backup.id.endswith("-known"):
        return say("outside")
    if row.change is None or row.backup.id.endswith("-first"):
        return say("-")
    actor = row.change.actor
    return say("outside") if actor.kind is ActorKind.OUTSIDE else shown_line(actor.name, _WHO - 1)


def _what(row: BackupRow, names: Names | None) -> Shown:
    if row.backup.id.endswith("-first"):
        return say("first seen")
    if row.backup.id.endswith("-known"):
        return say("before a change from outside")
    if row.change is None:
        return say("before a change")
    if row.change.kind is Kind.OBSERVE:
        return say("as it was found")
    return say("before: {}", change_words(row.change, names))
