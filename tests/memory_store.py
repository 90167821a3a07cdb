"""A store in memory: the smallest thing that carries out a planned change, and the model real stores are held to.

:class:`StoreAdapter` is the little that the stateful test needs of a store; the test of a real store subclasses it.
No rules live here: the store reads what a request names, calls the planner and writes what comes back.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from curator_tui.core.accounts import row_effect
from curator_tui.core.asides import Asides, line_of
from curator_tui.core.changes import Backup, Change, Decided, PastChange, Receipt, View, Waiting
from curator_tui.core.documents import TARGETS, Target, parse
from curator_tui.core.force import standing_for
from curator_tui.core.ledger import SealedRow, canonical, seal
from curator_tui.core.operations import Action, Operation, normalise
from curator_tui.core.plans import plan
from curator_tui.core.preflight import Snapshot
from curator_tui.core.proposals import Proposal
from curator_tui.core.refused import Refused
from curator_tui.core.requests import REVERTING, Actor, Kind, Request
from curator_tui.core.upheld import deciders, since_deciders
from tests.worlds import chain_problems

UNDOABLE = frozenset(Kind) - {Kind.UNDO, Kind.REDO, Kind.OBSERVE}


class StoreAdapter:
    """What the stateful test asks of a store; every method is plain and says what is there now."""

    limits: Mapping[Target, int | None]

    def documents(self) -> dict[Target, bytes | None]:
        """Return the bytes of both documents (None: missing)."""
        raise NotImplementedError

    def waiting(self) -> dict[str, bytes]:
        """Return the bytes of every waiting record by item id."""
        raise NotImplementedError

    def proposals(self) -> dict[str, Proposal]:
        """Return every waiting proposal as its record is read, unpinned where the record is."""
        raise NotImplementedError

    def write_outside(self, target: Target, raw: bytes | None) -> None:
        """Let another program write or delete a document."""
        raise NotImplementedError

    def stage(self, name: str, operations: Sequence[Operation], at: float) -> None:
        """Let the agent stage a record."""
        raise NotImplementedError

    def transact(self, request: Request) -> Receipt:
        """Carry out a request with the real planner."""
        raise NotImplementedError

    def dry_run(self, request: Request) -> Receipt:
        """Return what a request would be answered now, change and backup aside; nothing is stored."""
        raise NotImplementedError

    def rows(self) -> Sequence[SealedRow]:
        """Return the ledger, oldest row first."""
        raise NotImplementedError

    def changes(self) -> Sequence[PastChange]:
        """Return the recorded changes, oldest first."""
        raise NotImplementedError

    def backups(self) -> Sequence[Backup]:
        """Return the images, oldest first."""
        raise NotImplementedError

    def decided(self) -> Mapping[str, Decided]:
        """Return the newest ending of every item that is decided and was not returned since."""
        raise NotImplementedError

    def asides(self) -> Asides:
        """Return everything recorded beside documents and queue, in force or not."""
        raise NotImplementedError

    def newest_undoable(self, actor: Actor) -> str | None:
        """Return the change that undo without an argument means."""
        raise NotImplementedError

    def newest_redoable(self, actor: Actor) -> str | None:
        """Return the undo that redo means."""
        raise NotImplementedError

    def reopen(self) -> None:
        """Close the store and open it again, as a restart does."""

    def snapshot(self) -> Snapshot:
        """Return both documents as the core reads them."""
        raws = self.documents()
        return Snapshot({target: parse(target, raw) for target, raw in raws.items()}, self.limits)


@dataclass
class _Ending:
    """One decision about one item; ``open`` until the item returns to the queue."""

    decided: Decided
    open: bool = True


@dataclass
class MemoryStore(StoreAdapter):
    """The executable model of a store."""

    limits: Mapping[Target, int | None] = field(default_factory=lambda: {Target.MEMORY: 60, Target.USER: 40})
    files: dict[Target, bytes | None] = field(default_factory=lambda: dict.fromkeys(TARGETS))
    queue: dict[str, bytes] = field(default_factory=dict)
    ledger: list[SealedRow] = field(default_factory=list)
    past: list[PastChange] = field(default_factory=list)
    endings: list[_Ending] = field(default_factory=list)
    images: list[tuple[int, Backup]] = field(default_factory=list)
    pins: dict[tuple[str, str], Mapping[int, str]] = field(default_factory=dict)
    known: dict[Target, bytes | None] = field(default_factory=dict)
    salts: dict[str, bytes] = field(default_factory=dict)
    takebacks: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    refused: tuple[Refused, ...] = ()
    said: list[Asides] = field(default_factory=list)
    answers: dict[str, Receipt] = field(default_factory=dict)

    # -- reading ---------------------------------------------------------------------------------------------------

    def documents(self) -> dict[Target, bytes | None]:
        return dict(self.files)

    def waiting(self) -> dict[str, bytes]:
        return dict(self.queue)

    def proposals(self) -> dict[str, Proposal]:
        return {name: _read(name, raw) for name, raw in self.queue.items()}

    def rows(self) -> Sequence[SealedRow]:
        return tuple(self.ledger)

    def changes(self) -> Sequence[PastChange]:
        return tuple(self.past)

    def backups(self) -> Sequence[Backup]:
        return tuple(backup for _, backup in self.images)

    def decided(self) -> Mapping[str, Decided]:
        return {ending.decided.proposal: ending.decided for ending in self.endings if ending.open}

    def asides(self) -> Asides:
        out = {change.id for change in self.past if change.undone_by is not None}
        together = Asides(
            tuple(one for said in self.said for one in said.deferrals),
            tuple(one for said in self.said for one in said.challenges),
            tuple(one for said in self.said for one in said.answers),
        )
        return together.after(out, ())

    def newest_undoable(self, actor: Actor) -> str | None:
        standing = [change for change in self._effective(actor) if change.undone_by is None]
        found = [change.id for change in standing if change.kind in UNDOABLE]
        return found[-1] if found else None

    def newest_redoable(self, actor: Actor) -> str | None:
        mine = self._effective(actor)
        undone = [n for n, change in enumerate(mine) if change.kind is Kind.UNDO and change.undone_by is None]
        followed = undone and any(change.kind in UNDOABLE for change in mine[undone[-1] :])
        return mine[undone[-1]].id if undone and not followed else None

    def _effective(self, actor: Actor) -> list[PastChange]:
        """Return the changes of an actor in which there is anything to take back or to redo, oldest first."""
        done = {row.row["change"] for row in self.ledger if row.row is not None and row_effect(row.row)}
        return [change for change in self.past if change.actor == actor and change.id in done]

    # -- writing ---------------------------------------------------------------------------------------------------

    def write_outside(self, target: Target, raw: bytes | None) -> None:
        self.files[target] = raw

    def stage(self, name: str, operations: Sequence[Operation], at: float) -> None:
        self.queue[name] = _record(operations, at)

    def transact(self, request: Request) -> Receipt:
        if request.stamp.operation in self.answers:
            return self.answers[request.stamp.operation]
        found = self._view(request)
        change = plan(found, request)
        assert plan(found, request) == change, "a store may call the planner again"
        if not change.empty:
            self._commit(request, change)
        return change.receipt

    def dry_run(self, request: Request) -> Receipt:
        return replace(plan(self._view(request), request).receipt, change=None, backup=None)

    def _view(self, request: Request) -> View:
        past = {change.id: change for change in self.past}
        reverting = past.get(request.reverts or "")
        backup = next(((at, found) for at, found in self.images if found.id == request.backup), None)
        later = tuple(self.past[backup[0] :]) if backup else ()
        named = {*request.proposals}
        coming: set[str] = set()
        if reverting is not None:
            named |= {item.proposal for item in reverting.returned}
            coming |= {item.proposal for item in reverting.closed}
        named |= {item.proposal for change in later for item in change.returned}
        coming |= {item.proposal for change in later for item in change.closed}
        proposals, asides = self.proposals(), self.asides()
        line = line_of(self.takebacks, request.reverts or "")
        named |= {one.proposal for one in asides.deferrals if one.change in line}
        moving = [*([reverting] if reverting else []), *later]
        returned = (item for change in moving for item in change.returned)
        deciding = deciders(returned, past.get, self.takebacks, self._decided_before)
        return View(
            self.snapshot(),
            waiting={name: Waiting(proposals[name], self.queue[name]) for name in named if name in proposals},
            decided={name: found for name, found in self.decided().items() if name in named},
            known=dict(self.known),
            head=(self.ledger[-1].seq, self.ledger[-1].hash) if self.ledger else (0, ""),
            reverting=reverting,
            backup=backup[1] if backup else None,
            later=later,
            takebacks=tuple(self.takebacks),
            standing_for=standing_for(later, past.get, self.takebacks),
            reverts={change.id: change.reverts for change in self.past if change.reverts is not None},
            occupied={name: _digest(self.queue[name]) for name in coming & set(self.queue)},
            live={(end.decided.proposal, end.decided.digest): end.decided for end in self.endings if end.open},
            deciders=deciding,
            since=since_deciders(deciding.values(), self._changes_since, moving),
            refused=self.refused,
            asides=asides,
            pins={
                name: self.pins[name, proposals[name].digest]
                for name in named
                if name in proposals and (name, proposals[name].digest) in self.pins
            },
        )

    def _decided_before(self, item: Decided, change: str) -> list[str]:
        names = [one.id for one in self.past]
        before = reversed(self.past[: names.index(change)])
        record = (item.proposal, item.digest)
        return [
            one.id
            for one in before
            if one.kind not in REVERTING and record in {(part.proposal, part.digest) for part in one.closed}
        ]

    def _changes_since(self, name: str) -> list[PastChange]:
        changes = self.changes()
        return list(changes[next(n for n, one in enumerate(changes) if one.id == name) :])

    def _commit(self, request: Request, change: Change) -> None:
        assert all(self.files[target] == raw for target, raw in change.before.items())
        assert set(change.before) == set(change.documents)
        for image in change.images:
            backup = Backup(image.id, request.stamp.at, change.id, dict(image.files))
            assert all(found.id != image.id for _, found in self.images)
            self.images.append((len(self.past), backup))
        self.files.update(change.documents)
        closed = self._close(request, change)
        self._return(change)
        head = (self.ledger[-1].seq, self.ledger[-1].hash) if self.ledger else (0, "")
        self.ledger.extend(seal(change.rows, head))
        self.salts.update({text.id: text.salt for text in change.texts})
        self.pins.update({(pinned.proposal, pinned.digest): pinned.pins for pinned in change.pinned})
        self.known.update(change.known)
        self.refused = self.refused if change.refused is None else change.refused
        self.answers[request.stamp.operation] = change.receipt
        if change.receipt.change is not None:
            self._record_change(request, change, closed)
            self.said.append(change.asides)

    def _close(self, request: Request, change: Change) -> tuple[Decided, ...]:
        closed: list[Decided] = []
        for item in change.closed:
            raw = self.queue.pop(item.proposal)
            assert _digest(raw) == item.digest
            decided = Decided(
                item.proposal,
                item.digest,
                item.ending,
                change.id,
                request.stamp.actor,
                request.stamp.at,
                item.keep,
                item.targets,
            )
            self._end(item.proposal, item.digest)  # the same bytes may have come back by another hand
            self.endings.append(_Ending(decided))
            closed.append(decided)
        return tuple(closed)

    def _return(self, change: Change) -> None:
        for item in change.returned:
            assert item.proposal not in self.queue
            self.queue[item.proposal] = item.raw
            self._end(item.proposal, item.decided.digest)

    def _end(self, name: str, digest: str) -> None:
        for ending in self.endings:
            if (ending.decided.proposal, ending.decided.digest) == (name, digest):
                ending.open = False

    def _record_change(self, request: Request, change: Change, closed: tuple[Decided, ...]) -> None:
        self.past.append(
            PastChange(
                change.id,
                self.ledger[-1].seq,
                request.stamp.at,
                request.stamp.actor,
                change.kind,
                dict(change.before),
                dict(change.documents),
                closed,
                tuple(item.decided for item in change.returned),
                change.reverts,
                None,
                change.receipt.backup,
            )
        )
        if change.takebacks:
            self.takebacks.append((change.id, change.takebacks))
        marks: dict[str, str | None] = dict.fromkeys((*change.takebacks, *change.silences), change.id)
        marks.update(dict.fromkeys(change.restores))
        self.past = [replace(old, undone_by=marks.get(old.id, old.undone_by)) for old in self.past]

    def check(self) -> None:
        """Hold rows, texts and images against each other."""
        assert chain_problems(self.ledger) == []


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _record(operations: Sequence[Operation], at: float) -> bytes:
    steps = [[str(step.action), str(step.target), step.match, step.content, step.pin] for step in operations]
    return canonical({"steps": steps, "at": str(at)}).encode()


def _read(name: str, raw: bytes) -> Proposal:
    parsed: dict[str, Any] = json.loads(raw)
    steps = tuple(
        Operation(Action(action), Target(target), _plain(match), _plain(content), pin)
        for action, target, match, content, pin in parsed["steps"]
    )
    return Proposal(name, _digest(raw), steps, created_at=float(parsed["at"]))


def _plain(text: str | None) -> str | None:
    return None if text is None else normalise(text)
