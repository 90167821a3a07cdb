"""The rows of a plan as the list shows them, and the lines about what is left out. Here: layout only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from curator_tui.core.changes import NotApplied
from curator_tui.core.documents import percent
from curator_tui.core.preflight import State
from curator_tui.tui.facts import operation_word, summary, target_word
from curator_tui.tui.pages import PageLine
from curator_tui.tui.plan_model import Plan, PlanRow
from curator_tui.tui.shown import Line, Piece, Shown, message, own, padded, say, shown_line

_HOW = 9
_WORDS = {"approve": "approve", "reject": "REJECT", "already in effect": "close", "edit": "edit"}


class PlanRows:
    """Rows of one plan."""

    def __init__(self, plan: Plan, painted: Collection[str], opened: Collection[str]) -> None:
        self._rows: Sequence[PlanRow] = plan.rows
        self._checks = frozenset(plan.checks)
        self._painted = painted
        self._opened = opened

    def __len__(self) -> int:
        return len(self._rows)

    def selectable(self, index: int) -> bool:
        """Whether there is such a row."""
        return 0 <= index < len(self._rows)

    def row(self, index: int) -> PlanRow | None:
        """Return a row."""
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def place(self, name: str) -> int:
        """Return where an item stands."""
        return next((at for at, row in enumerate(self._rows) if row.row.id == name), 0)

    def ids(self, first: int, last: int) -> Iterable[str]:
        """Return the items of a window of rows."""
        return [row.row.id for row in self._rows[max(first, 0) : last + 1]]

    def line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        row = self._rows[index]
        item = row.row
        mark = "*" if item.id in self._opened else "o" if item.id in self._painted else "."
        check = (
            own(" check ", role="warn") if item.id in self._checks and item.id not in self._opened else own("       ")
        )
        how = _WORDS.get(row.how, row.how)
        lead: Line = (
            own(" {} ", Shown(mark), role="dim"),
            *padded((own("{}", Shown(how), role="bad" if how == "REJECT" else "good"),), _HOW),
            *padded((own("{}", operation_word(item.proposal)),), 4),
            *padded((own("{}", target_word(item.proposal), role="dim"),), 7),
        )
        full = say("{}%", percent(row.size, row.limit)) if row.limit and how not in {"REJECT", "close"} else Shown("")
        tail: Line = (check, *padded((own("{}", full, role="dim"),), 5, right=True))
        room = max(width - 3 - _HOW - 11 - 12, 0)
        return (*lead, *padded((Piece(summary(item)),), room), *tail)


def left_lines(left: Sequence[NotApplied]) -> list[PageLine]:
    """Return one line per item that is left out, with its reason."""
    lines = []
    for one in left:
        role = one.state if one.state in set(State) else "warn"
        word = Shown(one.state)
        words = message(one.message)
        if one.code == "alternatives":
            word, role = say("wordings"), "note"
            words = say("several wordings wait for the same entry: choose one by itself")
        lead = (*padded((own(" {}", word, role=role),), 13), own("{} ", shown_line(one.id, 16), role="dim"))
        lines.append(PageLine((own("{}", words),), lead, cut=True))
    return lines
