"""The stateful test of the curator on a real Hermes home: two desks, an agent, and programs that write without asking.

Here: the home behind the adapter of ``tests.stateful``, what only a home has (files, a second desk, records that others
edit or delete, rows about what others wrote) and what must hold in it after every step. Not here: the rules of deciding
and reverting, which any store is held to (``tests.stateful``).

A small size runs always. The full one is marked slow; ``HYPOTHESIS_PROFILE=thorough`` makes it larger still.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from curator_tui.core.asides import Asides
from curator_tui.core.changes import Backup, Decided, PastChange, Receipt
from curator_tui.core.documents import FILE_NAMES, TARGETS, Target, render
from curator_tui.core.ledger import SealedRow
from curator_tui.core.operations import Action, Operation
from curator_tui.core.preflight import preflight
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Actor, Decision, Kind, Request, Verb
from curator_tui.curator import history, ledger_view
from curator_tui.curator.desk import Desk
from curator_tui.stores.hermes.home import Binding
from curator_tui.stores.hermes.store import HermesStore
from tests import homes
from tests.memory_store import StoreAdapter
from tests.stateful import DeskMachine
from tests.stores.consistency import leftovers
from tests.worlds import MEMORY, PERSON, USER

_LIMITS = {Target.MEMORY: 60, Target.USER: 40}
_TEXTS = ("tea", "cup", "x", "one more thing")
_meanwhile = st.sampled_from(["nothing", "add", "reject", "outside"])
# the machine makes many small homes and waits for every sync of each
_MEMORY_DISK = Path("/dev/shm")
# what the curator and Hermes may touch below a home; everything else has to stay as it is
_OURS = ("curator-tui/", "memories/backups/")
_SHARED = {".", "memories", "curator-tui", "pending/memory", "memories/backups"}


class HomeAdapter(StoreAdapter):
    """A Hermes home in a temporary folder and two desks that are open on it, as two programs have them.

    Attributes:
        path: the home.
        now: the clock that both desks stamp with.
        desks: both; the first of them is the one at work.
    """

    limits = _LIMITS

    def __init__(self) -> None:
        disk = _MEMORY_DISK if _MEMORY_DISK.is_dir() else None
        self._folder = Path(tempfile.mkdtemp(prefix="stateful-", dir=disk))
        config = {"memory_char_limit": _LIMITS[Target.MEMORY], "user_char_limit": _LIMITS[Target.USER]}
        self.path = homes.make_home(self._folder / "home", config={**config, "write_approval": True})
        # a neighbour of everything the curator touches
        homes.write(self.path / "SOUL.md", b"be kind")
        homes.write(self.path / "memories" / "notes.txt", b"not a document")
        homes.write(self.path / "pending" / "memory" / "README", b"not a record")
        self.now: Callable[[], float] = lambda: 0.0
        self._chance = random.Random("of both desks")
        self._writes = 0
        self.desks = [self._open(), self._open()]

    def _open(self) -> Desk:
        store = HermesStore(Binding(self.path, self.path, "default", str(self.path)), {})
        return Desk(store, PERSON, clock=self._clock, entropy=self._chance.randbytes)

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

    # -- what is there, read without the curator ---------------------------------------------------------------------

    def _file(self, target: Target) -> Path:
        return self.path / "memories" / FILE_NAMES[target]

    def documents(self) -> dict[Target, bytes | None]:
        files = {target: self._file(target) for target in TARGETS}
        return {target: file.read_bytes() if file.exists() else None for target, file in files.items()}

    def waiting(self) -> dict[str, bytes]:
        folder = self.path / "pending" / "memory"
        return {file.stem: file.read_bytes() for file in sorted(folder.glob("*.json"))}

    def picture(self) -> dict[str, tuple[str, bytes, int]]:
        """Return kind, bytes and mode of every file and folder of the home."""
        return {name: found[:3] for name, found in homes.picture(self.path).items()}

    # -- what others do ----------------------------------------------------------------------------------------------

    def write_outside(self, target: Target, raw: bytes | None) -> None:
        """Write by turns as Hermes does (another file takes the place) and as a simple editor does (in place)."""
        file = self._file(target)
        self._writes += 1
        if raw is None:
            file.unlink(missing_ok=True)
        elif self._writes % 2 or not file.exists():
            fresh = file.with_name("editor-copy")
            homes.write(fresh, raw)
            os.replace(fresh, file)
        else:
            file.write_bytes(raw)

    def stage(self, name: str, operations: Sequence[Operation], at: float) -> None:
        fresh = self.path / "pending" / "memory" / f"{name}.json.tmp"
        homes.write(fresh, _record(name, operations, at))
        os.replace(fresh, fresh.with_suffix(""))

    def edit_record(self, name: str, operations: Sequence[Operation], at: float) -> None:
        """Let somebody edit a record in place: neither its file nor the folder is another one."""
        (self.path / "pending" / "memory" / f"{name}.json").write_bytes(_record(name, operations, at))

    def delete_record(self, name: str) -> None:
        (self.path / "pending" / "memory" / f"{name}.json").unlink()

    # -- what the curator says and does ------------------------------------------------------------------------------

    def proposals(self) -> dict[str, Proposal]:
        """Return what waits as the desk at work sees it, with the pins that count."""
        self.desk.refresh()
        return {name: self.desk.item(name).found.proposal for name in self.waiting()}

    def transact(self, request: Request) -> Receipt:
        return self.desk.carry_out(request)

    def dry_run(self, request: Request) -> Receipt:
        before = self.picture()
        receipt = self.desk.dry_run(request).receipt
        assert self.picture() == before
        return receipt

    def rows(self) -> Sequence[SealedRow]:
        return self.desk.store.book.rows()

    def changes(self) -> Sequence[PastChange]:
        return list(reversed(self.desk.store.book.changes(count=None)))

    def backups(self) -> Sequence[Backup]:
        found, problems = self.desk.store.backups()
        assert problems == [] or problems == ()
        return found

    def decided(self) -> Mapping[str, Decided]:
        names = {item.proposal for change in self.changes() for item in change.closed}
        return self.desk.store.book.decided(sorted(names))

    def asides(self) -> Asides:
        return self.desk.store.book.asides()

    def newest_undoable(self, actor: Actor) -> str | None:
        return self.desk.store.book.newest_undoable(actor)

    def newest_redoable(self, actor: Actor) -> str | None:
        return self.desk.store.book.newest_redoable(actor)


def _record(name: str, operations: Sequence[Operation], at: float) -> bytes:
    """Return a record as Hermes 0.19 writes it."""
    steps = [{"action": str(op.action), "content": op.content, "old_text": op.match} for op in operations]
    target = str(operations[0].target)
    payload: dict[str, Any] = {"target": target, **steps[0]}
    if len(steps) > 1:
        payload = {"action": "batch", "target": target, "operations": steps}
    record = {"id": name, "subsystem": "memory", "action": payload["action"], "summary": "", "origin": "assistant_tool"}
    return json.dumps({**record, "created_at": at, "payload": payload}, ensure_ascii=False, indent=2).encode()


class HomeMachine(DeskMachine):
    """Everything that any store is held to, and what only a home can get wrong."""

    make = HomeAdapter
    store: HomeAdapter

    def __init__(self) -> None:
        super().__init__()
        self.store.now = lambda: self.clock
        self.gone: set[str] = set()
        self.neighbours = _neighbours(self.store.picture())

    # -- every request, whoever makes it -----------------------------------------------------------------------------

    def ask(self, kind: Kind, **parts: Any) -> Receipt:
        watch = _Watch(self.store)
        receipt = super().ask(kind, **parts)
        watch.check(self.store, kind, receipt)
        return receipt

    def _here(self, act: Callable[[], Receipt], kind: Kind) -> Receipt:
        """Do something through the desk's own verbs and hold it against the same accounts."""
        watch = _Watch(self.store)
        receipt = act()
        watch.check(self.store, kind, receipt)
        for part in (*receipt.applied, *receipt.closed):
            self.brought.setdefault(part.id, {})[""] = False  # nobody noted what it brought, so nothing is owed
        return receipt

    # -- rules: others -----------------------------------------------------------------------------------------------

    @precondition(lambda self: self.store.waiting())
    @rule(data=st.data(), target_name=st.sampled_from(Target))
    def others_edit_a_record(self, data: st.DataObject, target_name: Target) -> None:
        """A record is edited in place; what is decided next is what stands there now."""
        name = self._some(data)[0]
        self.store.edit_record(name, [self._operation(data, target_name)], 1_790_000_000.0)
        assert self.store.desk.item(name).raw == self.store.waiting()[name]

    @precondition(lambda self: self.store.waiting())
    @rule(data=st.data())
    def others_delete_a_record(self, data: st.DataObject) -> None:
        """Hermes or a person takes a record away; a decision about it says that nothing is known of it."""
        name = self._some(data)[0]
        self.store.delete_record(name)
        self.gone.add(name)
        receipt = self.ask(Kind.DECIDE, decisions=(Decision(name, Verb.APPROVE),))
        assert [part.state for part in receipt.not_applied] == ["unknown"]

    @rule()
    def the_other_desk_takes_over(self) -> None:
        """The desk that was open all the time and saw nothing of what happened goes on."""
        self.store.desks.reverse()

    # -- rules: looking ----------------------------------------------------------------------------------------------

    @rule()
    def looking_writes_nothing(self) -> None:
        """Everything that only looks leaves every byte of the home alone."""
        before = self.store.picture()
        desk = self.store.desk
        desk.refresh()
        for name in self.store.waiting():
            desk.item(name)
        for backup in self.store.backups():
            history.rollback_preview(desk, backup.id)
        history.undo_preview(desk)
        history.undo_preview(desk, redo=True)
        desk.store.check()
        ledger_view.verify(desk)
        # the index of SQLite's log holds what its readers are at; it is no file of ours
        assert _without_index(self.store.picture()) == _without_index(before)

    # -- rules: two desks --------------------------------------------------------------------------------------------

    @precondition(lambda self: self.store.waiting())
    @rule(data=st.data(), verb=st.sampled_from(Verb), meanwhile=_meanwhile)
    def decide_while_others_act(self, data: st.DataObject, verb: Verb, meanwhile: str) -> None:
        """What is bound to the screen moves at most once: shown anew, it is decided."""
        name = self._some(data)[0]
        decision, shown = self._looked(name, verb)
        touched = self.store.desk.item(name).found.proposal.targets
        before = self.store.documents()
        other = self._meanwhile(name, meanwhile)
        receipt = self._here(lambda: self.store.desk.decide([decision], shown=shown), Kind.DECIDE)
        if name not in self.store.waiting() and receipt.change is None:
            assert [part.state for part in receipt.not_applied] == ["decided"]
            assert " by you at " in receipt.not_applied[0].message
            return
        moved = any(self.store.documents()[target] != before[target] for target in touched)
        if receipt.change is None and receipt.moved:
            assert moved or other == "pins", receipt
            decision, shown = self._looked(name, verb)
            receipt = self._here(lambda: self.store.desk.decide([decision], shown=shown), Kind.DECIDE)
        assert not receipt.moved, "nothing moved since it was shown"
        assert verb is Verb.APPROVE or receipt.done

    def _looked(self, name: str, verb: Verb) -> tuple[Decision, str]:
        self.store.desk.refresh()
        decision = Decision(name, verb, digest=self.store.desk.item(name).found.proposal.digest)
        return decision, self.store.desk.preview([decision]).digest

    def _meanwhile(self, name: str, what: str) -> str:
        """Let the other desk or another program do something; say what may have changed by it."""
        other = self.store.desks[1]
        if what == "outside":
            self.store.write_outside(Target.MEMORY, render(["written", "by others"]))
        elif what == "add":
            operation = Operation(Action.ADD, Target.MEMORY, content=_TEXTS[self.count % len(_TEXTS)])
            self._here(lambda: other.correct([operation]), Kind.CORRECT)
        elif what == "reject":
            self._here(lambda: other.decide([Decision(name, Verb.REJECT)]), Kind.DECIDE)
        # whatever the other desk stored recorded what it saw first, too
        return "pins" if what in {"add", "reject"} else ""

    @precondition(lambda self: self.store.newest_undoable(PERSON) is not None)
    @rule()
    def undo_what_the_other_desk_undid(self) -> None:
        """Two desks undo the same change: the second is told so."""
        change = self.store.newest_undoable(PERSON)
        first = self._here(lambda: self.store.desks[1].undo(change), Kind.UNDO)
        second = self._here(lambda: self.store.desk.undo(change), Kind.UNDO)
        if first.change is not None:
            assert [part.code for part in second.not_applied] == ["already-undone"]

    # -- invariants --------------------------------------------------------------------------------------------------

    @invariant()
    def no_item_is_lost_and_none_is_in_two_places(self) -> None:
        """Each item ever staged waits, is decided, or was taken away by others; never two of these."""
        waiting, decided = set(self.store.waiting()), set(self.store.decided())
        assert self.staged - waiting - decided <= self.gone
        assert waiting | decided <= self.staged
        assert not waiting & decided

    @invariant()
    def everything_agrees(self) -> None:
        """Store, book, queue, images and ledger agree, also by the commitments of every row."""
        for desk in self.store.desks:
            assert list(desk.store.check()) == []
            assert ledger_view.verify(desk).problems == ()
            assert not desk.store.book.recovery_pending()

    @invariant()
    def backups_are_in_the_order_in_which_they_were_made(self) -> None:
        """Whatever the clock says."""
        places = {change.id: change.seq for change in self.store.changes()}
        order = [places[image.change] for image in self.store.backups()]
        assert order == sorted(order)
        named = Counter(row.row["backup"] for row in self.store.rows() if "backup" in row.row)
        assert named == Counter(image.id for image in self.store.backups())

    @invariant()
    def the_desk_at_work_sees_what_is_there(self) -> None:
        """A desk that looks again shows the queue and the states that a fresh look gives.

        The other one does not look, so that it still has old news when it takes over.
        """
        waiting, desk = self.store.waiting(), self.store.desk
        desk.refresh()
        deferred, questions = self.put_aside()
        assert {proposal.id for proposal in desk.queue.proposals()} == set(waiting) - set(deferred)
        assert {one.id: one.deferral.until for one in desk.deferred()} == deferred
        assert {one.id for one in desk.questions()} == questions
        snapshot = desk.store.snapshot()
        assert {target: snapshot.document(target).raw for target in TARGETS} == self.store.documents()
        for name, raw in waiting.items():
            item = desk.item(name)
            assert item.raw == raw
            assert item.found.conditions == preflight(item.found.proposal, snapshot).conditions

    @invariant()
    def nothing_else_is_touched_and_nothing_is_left(self) -> None:
        """Beside documents, queue, backups and book there is nothing new, and nothing old has changed."""
        assert leftovers(self.store.path) == []
        assert _neighbours(self.store.picture()) == self.neighbours


class _Watch:
    """The accounts of one request: rows, backups and last known bytes before it, held against those after it."""

    def __init__(self, store: HomeAdapter) -> None:
        self.documents = store.documents()
        self.known = dict(store.desk.store.book.known())
        self.rows = len(store.rows())
        self.backups = [image.id for image in store.backups()]

    def check(self, store: HomeAdapter, kind: Kind, receipt: Receipt) -> None:
        rows = [row.row for row in store.rows()[self.rows :]]
        actions = [row["action"] for row in rows]
        after, known = store.documents(), store.desk.store.book.known()
        strange = any(self.known.get(target) != raw for target, raw in self.documents.items())
        observed = [row for row in rows if row["action"] in {"outside", "first seen"}]
        own = [action for action in actions if action not in {"outside", "first seen", "refused"}]
        assert len(own) == (0 if receipt.change is None else 1), actions
        assert len(observed) == (1 if strange and (rows or kind is Kind.OBSERVE) else 0), actions
        if rows or kind is Kind.OBSERVE:
            assert all(known.get(target) == after[target] for target in TARGETS)
        else:
            assert known == self.known
        images = {image.id: image for image in store.backups()}
        assert [name for name in images if name in set(self.backups)] == self.backups
        changed = after != self.documents
        assert len(images) - len(self.backups) == len(observed) + (1 if changed else 0)
        for row in observed:
            # what stood there before others wrote can be restored; at first contact that is what stands there now
            files = images[row["backup"]].files
            assert files == {target: self.known.get(target, self.documents[target]) for target in files}
            assert set(files) == set(TARGETS)
        if changed:
            assert images[receipt.backup or ""].files == self.documents


def _neighbours(picture: Mapping[str, tuple[str, bytes, int]]) -> dict[str, tuple[str, bytes, int]]:
    """Return what nobody in this test has any business to change."""
    documents = {f"memories/{name}{suffix}" for name in FILE_NAMES.values() for suffix in ("", ".lock")}
    return {
        name: found
        for name, found in picture.items()
        if name.removesuffix("/.") not in _SHARED
        and not name.startswith(_OURS)
        and name not in documents
        and not (name.startswith("pending/memory/") and name.endswith(".json"))
    }


def _without_index(picture: Mapping[str, tuple[str, bytes, int]]) -> dict[str, tuple[str, bytes, int]]:
    return {name: found for name, found in picture.items() if not name.endswith("-shm")}


def test_what_one_document_held_moves_to_the_other() -> None:
    """Found by the machine: equal bytes are kept once, and what MEMORY.md had left behind USER.md still needed."""
    store = HomeAdapter()
    try:
        for first, second in ((MEMORY, USER), (USER, MEMORY)):
            store.write_outside(first, b"moves over")
            store.write_outside(second, b"will be lost")
            store.desk.observe()
            store.write_outside(first, b"comes anew")
            store.write_outside(second, b"moves over")
            store.desk.observe()
            assert store.desk.store.book.known() == store.documents()
            store.write_outside(second, b"written over")
            store.desk.observe()
            assert store.backups()[-1].files == {first: b"comes anew", second: b"moves over"}
    finally:
        store.close()


def test_what_others_took_out_of_the_queue_stays_out() -> None:
    """Found by the machine: a rollback brought back an item that had returned before and that Hermes had dropped."""
    store = HomeAdapter()
    item = "00000001"
    try:
        store.stage(item, [Operation(Action.ADD, MEMORY, content="tea")], 1.0)
        approved = store.desk.decide([Decision(item, Verb.APPROVE)])
        assert approved.done
        assert store.desk.reopen([item]).done
        store.delete_record(item)
        before = store.documents(), store.waiting()
        rolled = history.rollback(store.desk, approved.backup or "")
        assert rolled.change is not None
        assert rolled.returned == ()
        assert [(one.id, one.code) for one in rolled.not_applied] == [(item, "taken-away")]
        assert "another program took it out" in rolled.not_applied[0].message
        assert store.waiting() == {}
        assert store.desk.undo().done
        assert (store.documents(), store.waiting()) == before
        undone = store.desk.undo(approved.change)
        assert [part.code for part in undone.not_applied] == ["taken-away"]
        assert (store.documents()[MEMORY], store.waiting()) == (None, {})
    finally:
        store.close()


def _size(examples: int, steps: int) -> settings:
    return settings(settings.default, max_examples=examples, stateful_step_count=steps)


def test_a_home_under_any_order_of_events() -> None:
    run_state_machine_as_test(HomeMachine, settings=_size(12, 15))


@pytest.mark.slow
def test_a_home_under_any_order_of_many_events() -> None:
    thorough = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
    run_state_machine_as_test(HomeMachine, settings=_size(400 if thorough else 50, 40))
