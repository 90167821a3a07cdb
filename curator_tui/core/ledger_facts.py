"""What the rows of a ledger say together, and one of them as cells: statistics and the flat form of a row.

Here: counting, and values safe for a table of another program. Not here: which rows (``ledger_filters``), reading them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import median

from msgspec import Struct

from curator_tui.core.endings import WROTE
from curator_tui.core.ledger_filters import painted, seen_percent
from curator_tui.core.recording import OBSERVED
from curator_tui.core.refused import REFUSED
from curator_tui.core.requests import ActorKind, Kind
from curator_tui.core.row_form import DecisionForm, RowForm

_REVERTS = frozenset({str(Kind.UNDO), str(Kind.REDO), str(Kind.ROLLBACK)})
# With one of these in front a spreadsheet takes a cell for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Statistics(Struct, frozen=True):
    """What some rows say together.

    Attributes:
        rows: how many rows.
        by_action: rows by what they are of.
        by_who: rows by who made them, kind and name.
        by_decision: items by how they ended.
        approved: items approved, edited ones included; what comes back by an undo or a redo is approved by neither.
        approved_painted: of these, items that a person approved on something painted, alone or as a row of a plan.
        approved_unseen: of these again, items of which not every change had been on screen.
        unreviewed: rows of what others wrote without a review.
        refused: refused attempts, repeats included.
        overridden: items approved although something spoke against it.
        on_screen_s: median time that an approved item was on screen, seconds; None where no row records it.
        unreadable: rows that cannot be read.
    """

    rows: int
    by_action: Mapping[str, int]
    by_who: Mapping[tuple[str, str], int]
    by_decision: Mapping[str, int]
    approved: int
    approved_painted: int
    approved_unseen: int
    unreviewed: int
    refused: int
    overridden: int
    on_screen_s: float | None
    unreadable: int

    @property
    def unseen_share(self) -> float | None:
        """Share of painted approvals of which not every change had been on screen, 0 to 1; None for none painted."""
        return self.approved_unseen / self.approved_painted if self.approved_painted else None


class Counting:
    """Counts rows one after the other, so that nothing has to hold all of them."""

    def __init__(self) -> None:
        self._approved = self._painted = self._unseen = 0
        self._rows = self._unreviewed = self._refused = self._overridden = self._unreadable = 0
        self._actions: Counter[str] = Counter()
        self._who: Counter[tuple[str, str]] = Counter()
        self._decisions: Counter[str] = Counter()
        self._times: list[int] = []

    def add(self, row: RowForm | None) -> None:
        """Count one row; None stands for one that cannot be read."""
        self._rows += 1
        if row is None:
            self._unreadable += 1
            return
        self._actions[row.action] += 1
        self._who[row.actor.kind, row.actor.name] += 1
        self._unreviewed += row.action in OBSERVED
        if row.action == REFUSED:
            self._refused += row.repeats or max(1, len(row.decisions))
            return
        for part in row.decisions:
            self._decisions[part.decision] += 1
            if part.decision in WROTE and row.action not in _REVERTS:
                self._add_approval(row, part)
        self._decisions.update(part.decision for part in row.deferrals)

    def _add_approval(self, row: RowForm, part: DecisionForm) -> None:
        self._approved += 1
        self._overridden += bool(part.override)
        if part.on_screen_ms:
            self._times.append(part.on_screen_ms)
        if row.actor.kind == ActorKind.PERSON and painted(part.seen):
            self._painted += 1
            number = seen_percent(part.seen)
            self._unseen += number is not None and number < 100

    def result(self) -> Statistics:
        """Return what was counted so far."""
        return Statistics(
            self._rows,
            dict(self._actions.most_common()),
            dict(self._who.most_common()),
            dict(self._decisions.most_common()),
            self._approved,
            self._painted,
            self._unseen,
            self._unreviewed,
            self._refused,
            self._overridden,
            median(self._times) / 1000 if self._times else None,
            self._unreadable,
        )


def statistics(rows: Iterable[RowForm | None]) -> Statistics:
    """Return what some rows say together."""
    counting = Counting()
    for row in rows:
        counting.add(row)
    return counting.result()


COLUMNS = ("seq", "at", "action", "kind", "who", "through", "change", "items", "decisions", "seen", "reasons",
           "documents", "sizes_before", "sizes_after", "backup", "reverts", "hash")  # fmt: skip


def cells(row: RowForm | None, seq: int, digest: str) -> tuple[str, ...]:
    """Return a row as the cells of :data:`COLUMNS`, each harmless in a table; one that cannot be read says so."""
    if row is None:
        found = (str(seq), "", "unreadable", *[""] * (len(COLUMNS) - 4), digest)
    else:
        targets = list(row.documents)
        parts = row.decisions
        named = [(part.proposal, part.decision) for part in parts]
        named += [(part.proposal, part.decision) for part in row.deferrals]
        found = (
            str(row.seq),
            row.at,
            row.action,
            row.actor.kind,
            row.actor.name,
            row.actor.through,
            row.change,
            " ".join(name for name, _ in named),
            "; ".join(decision for _, decision in named),
            " ".join(part.seen for part in parts if part.seen),
            " ".join(dict.fromkeys(reason for reason in (row.reason, *(part.reason for part in parts)) if reason)),
            " ".join(map(str, targets)),
            " ".join(_size(row, str(target), "before") for target in targets),
            " ".join(_size(row, str(target), "after") for target in targets),
            row.backup,
            row.reverts,
            digest,
        )
    return tuple(map(harmless, found))


def _size(row: RowForm, target: str, moment: str) -> str:
    part = next((moments.get(moment) for name, moments in row.documents.items() if name == target), None)
    return "?" if part is None else "absent" if part.absent else str(part.size)


def harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula, not even behind white space; others stay as they are."""
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) or cell.startswith(_FORMULA) else cell
