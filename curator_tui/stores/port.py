"""The port: what the door may ask of a store. One mutating call, everything else only looks.

Here: protocols and the small values that reading returns. Not here: rules (``core``), a way to store anything.
Reading writes nothing: no folder, no lock, no row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from curator_tui.core.asides import Asides
from curator_tui.core.changes import Backup, Decided, PastChange, Planner, Receipt, Row, View, Waiting
from curator_tui.core.documents import Target
from curator_tui.core.ledger import SealedRow
from curator_tui.core.operations import Problem
from curator_tui.core.preflight import Snapshot
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Actor, Kind, Request, Stamp

if TYPE_CHECKING:
    from curator_tui.core.parcels import Parcel
    from curator_tui.core.skills import SkillListing, SkillWrite, Standing
    from curator_tui.core.tracing import Trace
    from curator_tui.core.unbound import RawAside
    from curator_tui.core.verification import Held


class Facts(Struct, frozen=True):
    """What is known about a bound store besides its documents and queue.

    Attributes:
        label: where it is, in words safe to print (the home's path on a home).
        scope: name of the bound scope (the profile on a home).
        kind: what such a scope is called.
        gate: True when writes wait for review, False when they go straight in, None when not known.
        gate_command: the command that turns the gate on, or empty.
        enabled: per target whether the agent uses that document, None when not known.
        provider: name of an external memory provider beside the documents, or empty.
        profiles: the other scopes a person could switch to.
        skills_waiting: number of waiting skill writes (listed elsewhere, not counted here); None when not known.
        notes: what could not be honoured of the store's configuration, in words safe to print.
        warnings: those of the notes that whoever opens it should see before anything is decided.
    """

    label: str
    scope: str
    gate: bool | None
    gate_command: str = ""
    enabled: Mapping[Target, bool | None] = field(default_factory=dict)
    provider: str = ""
    profiles: tuple[str, ...] = ()
    skills_waiting: int | None = 0
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    kind: str = "profile"


class QueueReader(Protocol):
    """The waiting proposals of one scope, in the queue's order (oldest first)."""

    def peek(self, count: int) -> tuple[Sequence[Proposal], int]:
        """Read about the ``count`` oldest waiting proposals and return them with the number that waits.

        For the first screenful of a long queue: the order among all is only known to :meth:`proposals`. A queue that
        is no longer than ``count`` is read whole, as :meth:`refresh` does.
        """
        ...

    def refresh(self, *, thorough: bool = False) -> bool:
        """Look again; True when something came, went or changed.

        Args:
            thorough: look at every waiting record, not only at whether any came or went.
        """
        ...

    def proposals(self) -> Sequence[Proposal]:
        """Return all waiting proposals as last read, oldest first; unpinned as the records are."""
        ...

    def parse(self, name: str, raw: bytes) -> Proposal:
        """Read the kept bytes of a record as they were read while it waited under that id."""
        ...

    def author(self, name: str, digest: str) -> str:
        """Return who wrote a record that was decided, by authentication; empty where the store knows nobody."""
        ...

    def get(self, name: str) -> Waiting | None:
        """Read one waiting proposal afresh, so that an in-place edit cannot slip through; None when it is gone."""
        ...


class BookReader(Protocol):
    """What our own tables say; every method returns empty when the store has none yet."""

    def head(self) -> tuple[int, str]:
        """Return sequence number and hash of the newest ledger row, ``(0, "")`` for none."""
        ...

    def chain(self) -> str:
        """Return the random id of this chain, empty when there is none yet."""
        ...

    def rows(self, after: int = 0, count: int | None = None) -> Sequence[SealedRow]:
        """Return ledger rows behind sequence number ``after``, oldest first."""
        ...

    def text(self, name: str) -> bytes | None:
        """Return a kept text by id, or None when it is gone."""
        ...

    def salt(self, name: str) -> bytes | None:
        """Return the salt kept under an id, or None when it is gone."""
        ...

    def pins(self, names: Mapping[str, str]) -> Mapping[str, Mapping[int, str]]:
        """Return recorded first-sight pins for item id -> record digest."""
        ...

    def decided(self, proposals: Iterable[str] | None = None) -> Mapping[str, Decided]:
        """Return how the named items ended, or all of them, newest ending of each."""
        ...

    def asides(self) -> Asides:
        """Return all deferrals, challenges and answers that are recorded, in force or not, each oldest first."""
        ...

    def raw_asides(self) -> Sequence[RawAside]:
        """Return the same as it stands there, for checking; also what belongs to no change."""
        ...

    def changes(self, count: int = 100, before: int | None = None) -> Sequence[PastChange]:
        """Return recorded changes, newest first, optionally only those older than sequence number ``before``."""
        ...

    def index(self) -> Sequence[tuple[str, int, Kind, str]]:
        """Return id, sequence number, kind and backup (empty for none) of every recorded change, newest first."""
        ...

    def heads(self, first: int = 0, last: int = 2**62) -> Sequence[PastChange]:
        """Return recorded changes of these sequence numbers, newest first, without documents and bytes of records."""
        ...

    def change(self, name: str) -> PastChange | None:
        """Return one recorded change."""
        ...

    def takebacks(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return every change that took others back, oldest first, each with the ids of those."""
        ...

    def undone_among(self, names: Iterable[str]) -> frozenset[str]:
        """Return those of some changes, by id, that are not in force: they were undone, by whatever was done since."""
        ...

    def newest_undoable(self, actor: Actor) -> str | None:
        """Return the id of the newest change of this person (kind and name) that is not undone and can be."""
        ...

    def newest_redoable(self, actor: Actor) -> str | None:
        """Return the id of the newest undo of this person that nothing came after."""
        ...

    def known(self) -> Mapping[Target, bytes | None]:
        """Return the last known bytes of each document we ever saw."""
        ...

    def receipt(self, operation: str) -> Receipt | None:
        """Return the answer an operation id got before, or None when it had no effect yet."""
        ...

    def recovery_pending(self) -> bool:
        """Whether an interrupted change waits to be finished by the next writing start."""
        ...


class SkillReader(Protocol):
    """The skills of an agent, which this product shows and never changes."""

    def installed(self) -> SkillListing:
        """Return the installed skills of all scopes a person could switch to; what cannot be read is a note."""
        ...

    def waiting(self) -> tuple[Sequence[SkillWrite], int]:
        """Return the skill writes that wait in this scope, oldest first, and how many more were not read.

        Raises:
            Unreadable: they cannot be listed.
        """
        ...

    def standing(self, write: SkillWrite) -> Standing:
        """Return how the file of a waiting write stands now."""
        ...


class Interrupted(StrEnum):
    """What became of an interrupted change."""

    FINISHED = "finished"
    UNDONE = "undone"
    DROPPED = "dropped"


class Mended(Struct, frozen=True):
    """What :meth:`Store.recover` did.

    Attributes:
        interrupted: what became of an interrupted change; None when there was none. It is dropped in a copy of a
            store: it belongs to the original.
        leftovers: how many files and folders that dead processes left behind were removed.
    """

    interrupted: Interrupted | None = None
    leftovers: int = 0


class Claims(Protocol):
    """Who looks at which waiting item just now, where several curators share a queue.

    A claim is help and nothing else: it keeps nobody from reading or deciding, and ends by itself after a while.
    """

    def held(self) -> Mapping[str, str]:
        """Return who else looks at what, by item id."""
        ...

    def take(self, item: str, holder: str) -> bool:
        """Take an item, or go on holding it, and let go of any other; False where somebody else holds it.

        Raises:
            StoreError: nobody can be asked now.
        """
        ...

    def take_first(self, items: Sequence[str], holder: str) -> str | None:
        """Take the first of some items that still waits and is free, and let go of any other; None where none is.

        Raises:
            StoreError: nobody can be asked now.
        """
        ...

    def release(self) -> None:
        """Let go of what is held.

        Raises:
            StoreError: nobody can be asked now.
        """
        ...


class Store(Protocol):
    """A store bound to one scope."""

    def bound(self) -> Facts:
        """Return where and whose it is, without reading anything; everything else is given as not known."""
        ...

    def facts(self) -> Facts:
        """Return what the title line and ``status`` show."""
        ...

    def snapshot(self) -> Snapshot:
        """Read both documents and their limits."""
        ...

    @property
    def queue(self) -> QueueReader:
        """The waiting proposals."""
        ...

    def refresh(self) -> None:
        """Look again whether there is a book; within what is done between two such moments it is one and the same."""
        ...

    @property
    def book(self) -> BookReader:
        """Our own tables, opened for reading; those that were there at the last :meth:`refresh` or change."""
        ...

    def backups(self) -> tuple[Sequence[Backup], Sequence[Problem]]:
        """Return the images, oldest first, and what is wrong with those that cannot be used."""
        ...

    def backup_names(self) -> Sequence[str]:
        """Return the ids of all images, oldest first, those that cannot be used included."""
        ...

    def backup(self, name: str) -> Backup | None:
        """Return one image."""
        ...

    def peek(self, request: Request) -> View:
        """Return the view a request would get, read without any lock: for previews, never for a change."""
        ...

    def transact(self, request: Request, plan: Planner) -> Receipt:
        """Carry out a request: the one call that changes memory (``design``: architecture).

        Raises:
            Locked: somebody else holds the store for longer than we wait.
            WriteFailed: nothing was changed.
            Unfinished: the change is past its commit point; the next start finishes it.
        """
        ...

    def parcel(self) -> tuple[Parcel, tuple[str, ...]]:
        """Return everything the scope holds, and in words safe to print what of it cannot be carried.

        Raises:
            Unreadable: something of it cannot be read, or no other store could take it.
        """
        ...

    def keeps(self, parcel: Parcel) -> Parcel:
        """Return what of a parcel this kind of store has a place for.

        Raises:
            WriteFailed: it has none for something that must not be lost.
        """
        ...

    def recover(self, stamp: Stamp) -> Mended:
        """Finish or undo an interrupted change and remove what dead processes left behind.

        Args:
            stamp: who asks; a copy of a store begins a chain of its own when something of the original is dropped.
        """
        ...

    def traces(self) -> Sequence[Trace]:
        """Return every ledger row about documents with what is still kept of them, oldest first."""
        ...

    def held(self, row: Row) -> Held:
        """Return what is still kept of the texts that a ledger row names."""
        ...

    def account_problems(self) -> Sequence[Problem]:
        """Return where the ledger and what is recorded of its changes beside texts do not agree (``core.accounts``)."""
        ...

    def unknown_backups(self) -> Sequence[str]:
        """Return the ids of the images of changes that the book does not know, oldest first by their names."""
        ...

    def check(self) -> Sequence[Problem]:
        """Compare book, queue, images and ledger with each other, the ledger by ``core.verification``.

        Returns:
            What does not agree; a check that cannot be made is among it and hides none of the others.
        """
        ...

    def probe(self) -> Sequence[str]:
        """Return what an operator should know of the place it is kept in and is no disagreement, safe to print."""
        ...

    @property
    def claims(self) -> Claims | None:
        """Who looks at what; None where a store has one curator at a time."""
        ...

    @property
    def skills(self) -> SkillReader | None:
        """The skills kept beside the memory; None where this kind of store has none."""
        ...

    def cancel(self) -> None:
        """Give up every change that is not stored yet, from any thread and for good; see ``errors.Cancelled``."""
        ...

    def close(self) -> None:
        """Release what is open."""
        ...
