"""Accounts: whether what a store has recorded of its changes, beside texts, is what the ledger says of them.

Here: holding one against the other; who took back whom decides which changes are in force, so that is held against the
rows too. Not here: kept texts (``verification``), what follows from takebacks (``force``), where both are kept (the
stores).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from curator_tui.core.changes import Row
from curator_tui.core.force import put_out, taken_back
from curator_tui.core.ledger import COPIED, GENESIS, SealedRow, chained
from curator_tui.core.operations import Problem
from curator_tui.core.recording import OBSERVED
from curator_tui.core.refused import REFUSED
from curator_tui.core.requests import Kind
from curator_tui.core.text import visible

# Kinds that are the action of their row; the others have a decision or an operation for one.
_NAMED_KINDS = frozenset(map(str, set(Kind) - {Kind.DECIDE, Kind.CORRECT, Kind.OBSERVE}))


class Recorded(Struct, frozen=True):
    """What a store has recorded of one change.

    Attributes:
        change: its id.
        seq: sequence number of its last row; None where only parts of the change are there.
        actor: kind, name and surface of who made it.
        kind: what it was.
        effect: whether there is anything in it that could be taken back (:func:`row_effect`).
        reverts: id of the change it reverted, or None.
        undone_by: id of the change because of which it is not in force, or None.
        backup: id of its image, or None.
        targets: documents it altered.
        takebacks: ids of the changes it took back.
        decisions: the items it decided or returned, by their names in rows, each with how it ended.
        replaced: items whose decision is said to be replaced by a later one that is not there.
    """

    change: str
    seq: int | None
    actor: tuple[str, str, str] = ("", "", "")
    kind: str = ""
    effect: bool = False
    reverts: str | None = None
    undone_by: str | None = None
    backup: str | None = None
    targets: frozenset[str] = frozenset()
    takebacks: frozenset[str] = frozenset()
    decisions: tuple[tuple[str, str], ...] = ()
    replaced: tuple[str, ...] = ()


class _Rows(Struct):
    """The rows of a ledger by their changes: the last number of each change, and its own row where it has one."""

    last: dict[str, int]
    own: dict[str, Row]
    wrong: frozenset[int]


def row_effect(row: Row) -> bool:
    """Whether a change whose own row this is did anything that can be taken back.

    A record of which nothing was kept cannot come back; what others wrote and what was refused is nobody's change.
    """
    if row.get("action") in OBSERVED or row.get("action") == REFUSED:
        return False
    kept = any((part.get("record") or {}).get("kept", True) for part in row.get("decisions", ()))
    return kept or _moves_more(row)


def _moves_more(row: Row) -> bool:
    """Whether a row names anything that its change moved besides records of the queue."""
    return any(bool(row.get(part)) for part in ("documents", "deferrals", "question", "aside"))


def account_problems(
    rows: Iterable[SealedRow], recorded: Sequence[Recorded], start: tuple[int, str] = (0, GENESIS)
) -> Iterator[Problem]:
    """Return where rows and recorded changes do not agree.

    Args:
        rows: the ledger, oldest row first. What is damaged in it is told elsewhere and says nothing here.
        recorded: what the store has recorded of their changes, oldest first.
        start: number and hash of the row in front of them.
    """
    found = _by_change(rows, start)
    by = {one.change: one for one in recorded}
    for name, seq in found.last.items():
        if name not in by or by[name].seq not in {seq, *found.wrong}:
            yield Problem("change-missing", f"row {seq} names a change that is not recorded under it", (seq, name))
    for one in recorded:
        yield from _change_problems(one, found)
    yield from _force_problems(recorded)


def _by_change(rows: Iterable[SealedRow], start: tuple[int, str]) -> _Rows:
    last: dict[str, int] = {}
    own: dict[str, Row] = {}
    wrong: set[int] = set()
    for sealed, problems in chained(rows, start):
        row = sealed.row
        if problems or row is None:
            wrong.add(sealed.seq)
        elif row["action"] != COPIED:
            last[row["change"]] = sealed.seq
            if row["action"] not in OBSERVED and row["action"] != REFUSED:
                own[row["change"]] = row
    return _Rows(last, own, frozenset(wrong))


def _change_problems(one: Recorded, rows: _Rows) -> Iterator[Problem]:
    shown = visible(one.change, newlines=False)
    if one.seq is None:
        yield Problem("change-missing", f"there are parts of change {shown}, which is not recorded", (one.change,))
    elif one.change not in rows.last:
        if one.seq not in rows.wrong:
            yield Problem("row-missing", f"the recorded change {shown} has no row in the ledger", (one.change,))
    elif one.change in rows.own or not rows.wrong:  # else its own row may be a damaged one
        for what in _differences(one, rows.own.get(one.change)):
            last = rows.last[one.change]
            said = f"what is recorded of the {what} of change {shown} is not what row {last} says"
            yield Problem("change-altered", said, (one.change, last))
    for item in one.replaced:
        name = visible(item, newlines=False)
        said = f"the decision of change {shown} about {name} was replaced by none"
        yield Problem("change-altered", said, (one.change,))


def _differences(one: Recorded, row: Row | None) -> Iterator[str]:
    """Return in words the parts of a change of which its own row (None: it has none) says something else."""
    said = _said(one, row or {})
    if said.targets != one.targets:
        yield "documents"
    if said.decisions != one.decisions:
        yield "items"
    named = bool(said.decisions) or _moves_more(row or {})
    if not said.effect <= one.effect <= named:  # a book of version 1 counts what was not kept as well
        yield "effect"
    if row is None:
        return
    if said.actor != one.actor:
        yield "actor"
    if said.kind != one.kind and ({said.kind, one.kind} & _NAMED_KINDS or (said.effect and one.kind == Kind.OBSERVE)):
        yield "kind"
    if said.backup != one.backup:
        yield "backup"
    if said.reverts != one.reverts or not _same_takebacks(one.takebacks, row):
        yield "takebacks"


def _said(one: Recorded, row: Row) -> Recorded:
    """Return what a row says, in the form of what is recorded."""
    actor = row.get("actor", {})
    decisions = [(part["proposal"], part["decision"]) for part in row.get("decisions", ())]
    return Recorded(
        one.change,
        one.seq,
        actor=(actor.get("kind", ""), actor.get("name", ""), actor.get("through", "")),
        kind=row.get("action", ""),
        effect=row_effect(row),
        reverts=row.get("reverts"),
        backup=row.get("backup"),
        targets=frozenset(row.get("documents", ())),
        decisions=tuple(sorted(decisions)),
    )


def _same_takebacks(recorded: frozenset[str], row: Row) -> bool:
    """Whether a row bears out what was taken back; a row without them names what was in force, or was reverted."""
    if "takebacks" in row:
        return recorded == set(row["takebacks"])
    named = {*row.get("undoes", ()), *([row["reverts"]] if "reverts" in row else ())}
    return named <= recorded and bool(named) == bool(recorded)


def _force_problems(recorded: Sequence[Recorded]) -> Iterator[Problem]:
    takers = [(one.change, sorted(one.takebacks)) for one in recorded if one.takebacks and one.seq is not None]
    out = taken_back(takers)
    if any(one.undone_by != out.get(one.change) for one in recorded):  # rare, and dear where takebacks are many
        out = put_out(takers)
    for one in recorded:
        if one.undone_by != out.get(one.change):
            force = "in force" if one.undone_by is None else "not in force"
            shown = visible(one.change, newlines=False)
            said = f"change {shown} is recorded as {force}, and no takeback bears that out"
            yield Problem("force-altered", said, (one.change,))
