"""Accounts: who reverted whom, and what the tables say of every recorded change beside its texts.

Here: reading that. Not here: whether it agrees with the ledger (``core.accounts``), texts and decisions of one change
(``reading``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from curator_tui.core.accounts import Recorded
from curator_tui.core.endings import Ending
from curator_tui.core.ledger import SealedRow, item_name
from curator_tui.core.requests import Actor
from curator_tui.stores.book import cells
from curator_tui.stores.book.db import Record, with_list
from curator_tui.stores.book.index import DOING_KINDS
from curator_tui.stores.book.reading import BookReader

_HEADS = """
    SELECT id, seq, actor_kind, actor_name, actor_through, kind, effect, reverts, undone_by, backup
    FROM memory_changes WHERE scope = :scope AND seq > :after ORDER BY seq
"""
_TARGETS = "SELECT change_id, target FROM memory_change_documents WHERE scope = :scope"
_TAKEN = "SELECT change_id, undone FROM memory_takebacks WHERE scope = :scope"
_DECISIONS = "SELECT change_id, proposal, verb, ended_by FROM memory_decisions WHERE scope = :scope"
_LATE = "(SELECT id FROM memory_changes WHERE scope = :scope AND seq > :after)"
_REPLACED = """
    SELECT d.change_id, d.proposal FROM memory_decisions d WHERE d.scope = :scope AND d.ended_by = '' AND NOT EXISTS (
        SELECT 1 FROM memory_decisions n WHERE n.scope = :scope AND n.proposal = d.proposal AND n.digest = d.digest
        AND n.change_id <> d.change_id)
"""
_Lists = dict[str, list[Any]]


@cells.as_written
def reverts(book: BookReader) -> dict[str, str]:
    """Return the change that each undo and redo reverted, oldest first."""
    statement = "SELECT id, reverts FROM memory_changes WHERE scope = :scope AND reverts IS NOT NULL ORDER BY seq"
    return {cells.text(row[0]): cells.text(row[1]) for row in book.db.all(statement, scope=book.scope)}


@cells.as_written
def last_doing(book: BookReader, actor: Actor) -> str | None:
    """Return the id of the newest change of this actor behind which no redo reaches, undone or not; None for none."""
    statement = """
        SELECT id FROM memory_changes WHERE scope = :scope AND effect = 1 AND kind IN (:doing)
        AND actor_kind = :actor AND actor_name = :name ORDER BY seq DESC LIMIT 1
    """
    filled, values = with_list(statement, "doing", [str(kind) for kind in DOING_KINDS])
    found = book.db.one(filled, scope=book.scope, actor=str(actor.kind), name=actor.name, **values)
    return None if found is None else cells.text(found[0])


def accounts(book: BookReader, after: int = 0) -> tuple[Sequence[SealedRow], Sequence[Recorded]]:
    """Return the ledger behind a row and what the tables say of its changes, oldest first, both of one moment.

    Behind the first row what the tables say of no change is left out.
    """
    return book.at_once(lambda one: (one.rows(after), tuple(_recorded(one, after))))


@cells.as_written
def _recorded(book: BookReader, after: int) -> list[Recorded]:
    """Return one account for each change that any of the tables names, those that are recorded first."""
    heads = {cells.text(row[0]): row for row in book.db.all(_HEADS, scope=book.scope, after=after)}
    targets, taken = _lists(book, _TARGETS, after), _lists(book, _TAKEN, after)
    replaced, decisions = _lists(book, _REPLACED, after, "d.change_id"), _decisions(book, after)
    return [
        Recorded(
            change=name,
            **(_head(heads[name]) if name in heads else {"seq": None}),
            targets=frozenset(targets[name]),
            takebacks=frozenset(taken[name]),
            decisions=tuple(sorted(decisions[name])),
            replaced=tuple(replaced[name]),
        )
        for name in dict.fromkeys((*heads, *targets, *taken, *decisions))
        if name in heads or not after
    ]


def _head(row: Record) -> dict[str, Any]:
    return {
        "seq": row[1] if isinstance(row[1], int) else None,
        "actor": (cells.text(row[2]), cells.text(row[3]), cells.text(row[4])),
        "kind": cells.text(row[5]),
        "effect": bool(cells.whole(row[6])),
        "reverts": cells.text_or_none(row[7]),
        "undone_by": cells.text_or_none(row[8]),
        "backup": cells.text_or_none(row[9]),
    }


def _lists(book: BookReader, statement: str, after: int, change_id: str = "change_id") -> _Lists:
    """Return what a query of two columns gives: the texts in the second by those in the first, which are changes."""
    found: _Lists = defaultdict(list)
    late, values = (f" AND {change_id} IN {_LATE}", {"after": after}) if after else ("", {})
    for change, value in book.db.all(statement + late, scope=book.scope, **values):
        found[cells.text(change)].append(cells.text(value))
    return found


def _decisions(book: BookReader, after: int) -> _Lists:
    """Return by change the items it decided and those it returned, each by its name in rows."""
    found: _Lists = defaultdict(list)
    either = f" AND (change_id IN {_LATE} OR ended_by IN {_LATE})"
    late, values = (either, {"after": after}) if after else ("", {})
    for change, proposal, verb, ended_by in book.db.all(_DECISIONS + late, scope=book.scope, **values):
        name = item_name(cells.text(proposal))
        found[cells.text(change)].append((name, cells.text(verb)))
        if cells.text_or_none(ended_by):
            found[ended_by].append((name, str(Ending.RETURNED)))
    return found
