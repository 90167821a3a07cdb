"""What must hold in a store after a race, whoever won: the oracle of all races.

Here: staged items whose effect can be told from the documents, and every way in which book, ledger, documents, queue
and backups could contradict each other. Not here: the answers (the tests), single commits (``consistency``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator_tui.core.changes import Decided, PastChange
from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.ledger import SealedRow
from curator_tui.curator import ledger_view
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import DatabaseScope, open_desk
from tests import homes
from tests.stores import consistency
from tests.stores.ground import ADA, Scope
from tests.stores.homes import P

LIMIT = 200_000


@dataclass(frozen=True)
class Staged:
    """A waiting write of a race. ``takes`` is the entry that it takes away, ``content`` the one that it brings."""

    id: str
    takes: str | None
    content: str | None

    def record(self) -> Mapping[str, Any]:
        action = "add" if self.takes is None else "remove" if self.content is None else "replace"
        return homes.record(self.id, action, self.content, self.takes, created_at=1_790_000_000.0)


def staged(number: int) -> Staged:
    """Return the item of one round; adds, replaces and removes take turns."""
    base, name = f"base {number} stands", f"{number:08x}"
    if number % 3 == 0:
        return Staged(name, None, f"fact {number} comes")
    return Staged(name, base, f"base {number} was revised" if number % 3 == 1 else None)


def build(path: P, items: Iterable[Staged], *, gate: bool = True) -> P:
    """Make a home, or fill a scope, in which these items wait and the entries that they take stand."""
    items = list(items)
    entries = ["always here", *(item.takes for item in items if item.takes is not None)]
    if isinstance(path, Scope):
        _fill(path, entries, items)
        return path
    config = {"memory_char_limit": LIMIT, "user_char_limit": LIMIT, "write_approval": gate}
    return homes.make_home(
        path,
        memory="\n§\n".join(entries),
        user="a person",
        pending=[item.record() for item in items],
        config=config,
    )


def _fill(scope: Scope, entries: Iterable[str], items: Iterable[Staged]) -> None:
    scope.fill({Target.MEMORY: "\n§\n".join(entries).encode(), Target.USER: b"a person"}, {})
    store = scope.open()
    records = [(item.id, json.dumps(item.record(), ensure_ascii=False, indent=2).encode()) for item in items]
    assert store.stage(records, "an agent") == ()
    store.close()
    scope.place.change(f"UPDATE memory_scopes SET memory_limit = {LIMIT}, user_limit = {LIMIT}")


def told(decided: Decided) -> str:
    """Return the words in which a loser must hear who won and when."""
    when = datetime.fromtimestamp(decided.at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return f"already decided: {decided.ending} by {decided.actor.name} at {when}"


def look(home: Path | Scope) -> Desk:
    """Open a desk that only looks."""
    return open_desk(**where(home), environ={}, through="library")


def where(home: Path | Scope) -> dict[str, Any]:
    """Return what says to the door, and to a worker, which store is meant."""
    if isinstance(home, Scope):
        return {"database": DatabaseScope(home.place.url, ADA.tenant, ADA.user, ADA.agent)}
    return {"home": home}


def problems(home: Path | Scope, items: Iterable[Staged] = (), edits: Mapping[str, str] | None = None) -> list[str]:
    """Return everything that contradicts itself in a home where nothing is under way.

    Args:
        home: the home.
        items: what was staged in it.
        edits: what stands in place of an item's content where it was approved with an edit, by item id.
    """
    found = consistency.check(home)
    desk = look(home)
    try:
        found += [f"ledger: {problem.message}" for problem in ledger_view.verify(desk).problems]
        rows, changes = desk.store.book.rows(), list(reversed(desk.store.book.changes(count=10_000)))
        found += _gaps(rows, changes, desk)
        for item in items:
            found += _item(desk, rows, item, (edits or {}).get(item.id, item.content))
    finally:
        desk.close()
    return found


def _gaps(rows: Iterable[SealedRow], changes: Iterable[PastChange], desk: Desk) -> list[str]:
    """Each change must begin with what the one before it left; where it does not, a row ``outside`` must say so."""
    found: list[str] = []
    observed = {row.row["change"] for row in rows if row.row["action"] in {"outside", "first seen"}}
    last: dict[Target, bytes | None] = {}
    for change in changes:
        for target in change.after:
            if target in last and change.before[target] != last[target] and change.id not in observed:
                found.append(f"change {change.id} does not begin with what stood in {target} before it")
            last[target] = change.after[target]
        if change.after and change.backup is None:
            found.append(f"change {change.id} has no backup")
    known = desk.store.book.known()
    found += [
        f"{target} as last known is not what the last change left"
        for target, raw in last.items()
        if known.get(target) != raw and not observed
    ]
    images = {image.id: image for image in desk.store.backups()[0]}
    for change in changes:
        image = images.get(change.backup or "")
        for target, raw in change.before.items():
            if image is not None and image.files.get(target) != raw:
                found.append(f"the backup of change {change.id} is not what stood in {target} before it")
    return found


def _item(desk: Desk, rows: Iterable[SealedRow], item: Staged, content: str | None) -> list[str]:
    waits = desk.store.queue.get(item.id) is not None
    decided = desk.store.book.decided([item.id]).get(item.id)
    ends: Counter[str] = Counter()
    for row in rows:
        for part in row.row.get("decisions", ()):
            if part["proposal"] == item.id and part["decision"] != "refused":
                ends["returned" if part["decision"] == "returned" else "decided"] += 1
    found: list[str] = []
    if waits == (decided is not None):
        found.append(f"{item.id} is {'both' if waits else 'neither'} waiting and decided")
    if ends["decided"] - ends["returned"] != (0 if waits else 1):
        found.append(f"{item.id}: the ledger has {dict(ends)} and it {'waits' if waits else 'does not wait'}")
    entries = desk.store.snapshot().document(Target.MEMORY).entries
    in_effect = decided is not None and decided.ending in {"approve", "edit"}
    if item.takes is not None and (item.takes in entries) == in_effect:
        found.append(f"{item.id}: {item.takes!r} {'stands' if in_effect else 'is gone'}")
    wanted = content if decided is not None and decided.ending == "edit" else item.content
    for text in {item.content, content} - {None}:
        assert text is not None
        if entries.count(text) != (1 if in_effect and text == wanted else 0):
            found.append(f"{item.id}: {text!r} stands {entries.count(text)} times")
    return found


def entries_of(home: Path | Scope) -> tuple[str, ...]:
    """Return the entries of MEMORY.md as they stand."""
    desk = look(home)
    try:
        return desk.store.snapshot().document(Target.MEMORY).entries
    finally:
        desk.close()


def all_targets_known(home: Path | Scope) -> bool:
    """Whether the last known bytes are those that stand there."""
    desk = look(home)
    try:
        known, snapshot = desk.store.book.known(), desk.store.snapshot()
        return all(known.get(target) == snapshot.document(target).raw for target in TARGETS)
    finally:
        desk.close()
