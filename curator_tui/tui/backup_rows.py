"""The rows of the backups as the list shows them, and the lines about what a rollback does. Here: layout only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from curator_tui.core.changes import ActorKind, Kind
from curator_tui.core.documents import TARGETS, Document, Presence, Target, percent
from curator_tui.core.rollbacks import RollbackPreview
from curator_tui.curator.history import BackupRow
from curator_tui.tui.facts import age, file_name
from curator_tui.tui.looking import DocumentView
from curator_tui.tui.pages import PageLine, label_prefix
from curator_tui.tui.shown import Line, Piece, Shown, message, own, padded, say, shown_line
from curator_tui.tui.words import change_words

_WHEN, _WHO, _SIZE = 6, 9, 11


class BackupRows:
    """Backups, newest first."""

    def __init__(self, rows: Sequence[BackupRow], limits: Mapping[Target, int | None], now: float) -> None:
        self._rows = rows
        self._limits = limits
        self._now = now

    def __len__(self) -> int:
        return len(self._rows)

    def selectable(self, index: int) -> bool:
        """Whether there is such a row."""
        return 0 <= index < len(self._rows)

    def row(self, index: int) -> BackupRow | None:
        """Return a backup."""
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def line(self, index: int, width: int) -> Line:
        """Return one backup laid out in columns."""
        row = self._rows[index]
        parts: list[Piece] = []
        documents = row.documents()
        for target in TARGETS:
            parts += padded(
                self._size(documents[target], target) if target in documents else (own("-", role="dim"),), _SIZE
            )
        who, what = _who(row), _what(row)
        room = max(width - 1 - _WHEN - _WHO - 2 * _SIZE - 2, 4)
        return (
            own(" "),
            *padded((own("{}", age(self._now - row.backup.at)),), _WHEN),
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


def _what(row: BackupRow) -> Shown:
    if row.backup.id.endswith("-first"):
        return say("first seen")
    if row.backup.id.endswith("-known"):
        return say("before a change from outside")
    if row.change is None:
        return say("before a change")
    if row.change.kind is Kind.OBSERVE:
        return say("as it was found")
    return say("before: {}", change_words(row.change))


def effect_lines(found: RollbackPreview, documents: Sequence[DocumentView]) -> Iterator[PageLine]:
    """Say everything a rollback would do besides the texts."""
    decisions = [change for change in found.undoes if change.closed]
    if decisions:
        names = Shown("; ".join(change_words(change) for change in decisions[:4]))
        yield _line(say("undoes"), own("{}: {}", len(decisions), names))
    else:
        yield _line(say("undoes"), own("no decision"))
    if found.returned:
        names = Shown(", ".join(shown_line(item.proposal, 16) for item in found.returned[:6]))
        yield _line(say("returns"), own("{} to the queue: {}", len(found.returned), names))
    kept = [file_name(target) for target in TARGETS if target not in {view.target for view in documents}]
    if kept:
        yield _line(say("keeps"), own("{} as it is now", Shown(" and ".join(kept))))
    yield _line(say("first"), own("a backup of now is taken, and u undoes the rollback"))
    for stuck in found.stuck:
        yield _line(say("note"), own("{}", message(stuck.message), role="warn"))
    for note in found.notes:
        yield _line(say("note"), own("{}", message(note), role="warn"))
    yield _line(say("agents"), own("read the documents at their next session"))


def _line(label: Shown, piece: Piece) -> PageLine:
    return PageLine((piece,), label_prefix(label))
