"""The stateful test of the curator on a scope of a database, by the same machine that holds every store to its laws.

Here: the database behind the adapter of ``tests.stateful``, with a second desk that is open on the same scope. Not
here: the rules of deciding and reverting (``tests.stateful``), what only a home can get wrong (``test_stateful_home``).
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from curator_tui.core.asides import Asides
from curator_tui.core.changes import Backup, Decided, PastChange, Receipt
from curator_tui.core.documents import TARGETS, Target
from curator_tui.core.ledger import SealedRow
from curator_tui.core.operations import Operation
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Actor, Request
from curator_tui.curator.desk import Desk
from curator_tui.stores.sql.records import record_bytes
from tests.memory_store import StoreAdapter
from tests.postgres import Server
from tests.stateful import DeskMachine
from tests.stores.ground import Scope
from tests.stores.thinning import rounds
from tests.worlds import PERSON

_MEMORY_DISK = Path("/dev/shm")


class ScopeAdapter(StoreAdapter):
    """A scope of a database of its own, and two desks that are open on it: one at work, one that only looks."""

    limits = MappingProxyType({Target.MEMORY: 60, Target.USER: 40})

    def __init__(self, kind: str, server: Server | None) -> None:
        disk = _MEMORY_DISK if _MEMORY_DISK.is_dir() else None
        self._folder = Path(tempfile.mkdtemp(prefix="stateful-", dir=disk))
        self.home = Scope(kind, self._folder, server)
        self.now: Callable[[], float] = lambda: 0.0
        self._chance = random.Random("of both desks")
        store = self.home.open()
        store.stage([], "nobody")  # the first that happens names the scope
        store.close()
        self.home.place.change("UPDATE memory_scopes SET memory_limit = 60, user_limit = 40")
        self.desks = [self._open(), self._open()]

    def _open(self) -> Desk:
        return Desk(self.home.open(), PERSON, clock=self._clock, entropy=self._chance.randbytes)

    def _clock(self) -> float:
        return self.now()

    @property
    def desk(self) -> Desk:
        return self.desks[0]

    def close(self) -> None:
        for desk in self.desks:
            desk.close()
        shutil.rmtree(self._folder)

    def reopen(self) -> None:
        self.desk.close()
        self.desks[0] = self._open()

    def documents(self) -> dict[Target, bytes | None]:
        found = self.desks[1].store.snapshot()
        rows = self.home.documents()
        # what stands in the table is what the desk reads, and a row that is not there is a document without entries
        assert {t: rows[t] or b"" for t in TARGETS} == {t: found.document(t).raw or b"" for t in TARGETS}
        return {target: found.document(target).raw for target in TARGETS}

    def waiting(self) -> dict[str, bytes]:
        return {name.removesuffix(".json"): raw for name, raw in sorted(self.home.waiting().items())}

    def write_outside(self, target: Target, raw: bytes | None) -> None:
        self.home.write(target, raw)

    def stage(self, name: str, operations: Sequence[Operation], at: float) -> None:
        store = self.home.open()
        assert store.stage([(name, record_bytes(operations, created_at=at))], "an agent") == ()
        store.close()

    def proposals(self) -> dict[str, Proposal]:
        self.desk.refresh()
        return {name: self.desk.item(name).found.proposal for name in self.waiting()}

    def transact(self, request: Request) -> Receipt:
        return self.desk.carry_out(request)

    def dry_run(self, request: Request) -> Receipt:
        return self.desk.dry_run(request).receipt

    def rows(self) -> Sequence[SealedRow]:
        return self.desk.store.book.rows()

    def changes(self) -> Sequence[PastChange]:
        return list(reversed(self.desk.store.book.changes(count=1_000)))

    def backups(self) -> Sequence[Backup]:
        return self.desk.store.backups()[0]

    def decided(self) -> Mapping[str, Decided]:
        names = {item.proposal for change in self.changes() for item in change.closed}
        return self.desk.store.book.decided(sorted(names))

    def asides(self) -> Asides:
        return self.desk.store.book.asides()

    def newest_undoable(self, actor: Actor) -> str | None:
        return self.desk.store.book.newest_undoable(actor)

    def newest_redoable(self, actor: Actor) -> str | None:
        return self.desk.store.book.newest_redoable(actor)


class ScopeMachine(DeskMachine):
    """Everything that any store is held to, and that all parts of a scope agree after every step."""

    store: ScopeAdapter

    def __init__(self) -> None:
        super().__init__()
        self.store.now = lambda: self.clock

    @invariant()
    def all_parts_agree(self) -> None:
        assert self.store.desk.store.check() == []


def _run(kind: str, server: Server | None, examples: int, steps: int) -> None:
    class Machine(ScopeMachine):
        make = staticmethod(partial(ScopeAdapter, kind, server))

    size = settings(settings.default, max_examples=examples, stateful_step_count=steps)
    run_state_machine_as_test(Machine, settings=size)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_scope_under_any_order_of_events(kind: str, request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("server") if kind == "postgres" else None
    _run(kind, server, 6 if kind == "sqlite" else 3, 12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_scope_under_any_order_of_many_events(kind: str, request: pytest.FixtureRequest) -> None:
    thorough = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
    server = request.getfixturevalue("server") if kind == "postgres" else None
    _run(kind, server, 400 if thorough else rounds(kind, 60), 40)
