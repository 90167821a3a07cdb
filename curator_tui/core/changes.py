"""Changes: what a store reads for a request, what it commits, and what it answers.

Here: plain values. A surface makes a request (``requests``); a store reads the :class:`View` it names, calls the pure
``plan(view, request)`` and writes the :class:`Change` that comes back, everything or nothing, answering with a
:class:`Receipt`. Not here: how a change is planned (``plans``, ``reverts``), how it is stored (the stores).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from curator_tui.core.asides import Asides
from curator_tui.core.documents import Standing, Target
from curator_tui.core.endings import Ending
from curator_tui.core.preflight import Snapshot
from curator_tui.core.proposals import Proposal
from curator_tui.core.refused import Refused
from curator_tui.core.requests import OUTSIDE, Actor, Kind, Pinned, Request

if TYPE_CHECKING:
    from curator_tui.core.parcels import Parcel
    from curator_tui.core.tombstones import Tombstone


class Decided(Struct, frozen=True):
    """How a proposal that no longer waits was decided.

    Attributes:
        proposal: item id.
        digest: digest of the record that was decided.
        ending: how.
        change: change id.
        actor: who.
        at: when, UTC seconds.
        raw: the record's bytes as kept for undo, or None when none were kept.
        targets: documents it named.
    """

    proposal: str
    digest: str
    ending: Ending
    change: str
    actor: Actor
    at: float
    raw: bytes | None = None
    targets: tuple[Target, ...] = ()


class Waiting(Struct, frozen=True):
    """One record that a request names, read under the lock: the parsed proposal and its exact bytes.

    The bytes are None where they were not read (``Proposal.unread``), which is not the same as none being there.
    """

    proposal: Proposal
    raw: bytes | None


class PastChange(Struct, frozen=True):
    """One recorded change, with what a revert needs.

    Attributes:
        id: change id.
        seq: sequence number of its (last) ledger row; order comes from here.
        at: clock of the change, UTC seconds.
        actor: who made it.
        kind: what it was.
        before: bytes of each changed document before it (None: missing).
        after: bytes of each changed document after it (None: missing).
        closed: decisions it made, with the bytes kept.
        returned: proposals it returned to the queue.
        reverts: id of the change it reverted, or None.
        undone_by: id of the change because of which this one is not in force, or None.
        backup: id of its image, or None.
        asides: deferrals, challenges and answers it recorded.
    """

    id: str
    seq: int
    at: float
    actor: Actor
    kind: Kind
    before: Mapping[Target, bytes | None] = field(default_factory=dict)
    after: Mapping[Target, bytes | None] = field(default_factory=dict)
    closed: tuple[Decided, ...] = ()
    returned: tuple[Decided, ...] = ()
    reverts: str | None = None
    undone_by: str | None = None
    backup: str | None = None
    asides: Asides = Asides()

    @property
    def maker(self) -> Actor:
        """Who made what it records: what was found when somebody looked was made outside, whoever looked."""
        return OUTSIDE if self.kind is Kind.OBSERVE else self.actor


class Backup(Struct, frozen=True):
    """An image of both documents: bytes per target, None for a document that was absent."""

    id: str
    at: float
    change: str
    files: Mapping[Target, bytes | None]


class View(Struct, frozen=True):
    """What a plan may look at, read inside the store's own transaction.

    Attributes:
        snapshot: both documents and their limits.
        waiting: the named proposals that still wait; for undo, redo and rollback also those that the change to
            revert, or a change since the image, had returned.
        decided: the named proposals that do not wait any more, and those to close again, where the book knows how
            they ended.
        known: last known bytes of each document; a missing key means never seen by us.
        head: sequence number and hash of the newest ledger row; ``(0, "")`` for none.
        reverting: the change to revert, for undo and redo.
        backup: the image to restore, for rollback.
        later: changes made since that image, oldest first, those not in force any more included.
        takebacks: for undo, redo and rollback: every change that took others back, oldest first, with their ids.
        reverts: for undo, redo and rollback: the change that each undo and redo reverted, oldest first.
        standing_for: for rollback: the documents that later reverts without an effect on any are about (see ``force``).
        occupied: item ids among those to return under which something stands in the queue, with its digest.
        live: the decisions of those to return that are the last word on them, by item id and record digest; what has
            none and does not wait had come back before, and others took it away.
        unproven: for rollback: items whose kept record is not what its row was made of, each with what is wrong.
        doubts: for rollback: where what is recorded since that image is not what the ledger says, in words.
        pins: recorded first-sight pins of the named proposals, by item id; only those of the record as it is now.
        deciders: for undo, redo and rollback: the change that decided an item which may be closed again, by item id
            and the change that closed it last (see ``upheld``).
        since: what was decided about documents since the oldest of those and is in force afterwards, oldest first.
        refused: refused attempts whose repeats are counted (see ``refused``).
        asides: all deferrals, challenges and answers that are recorded, in force or not.
        there: for import: how many things the scope holds besides documents and ledger, by what they are called.
        imported: for import: digest of the parcel that was imported before, or empty.
        tombstones: for import: what was forgotten here.
        scope_keys: for import: the keys that recognise it, by their ids.
    """

    snapshot: Snapshot
    waiting: Mapping[str, Waiting] = field(default_factory=dict)
    decided: Mapping[str, Decided] = field(default_factory=dict)
    known: Mapping[Target, bytes | None] = field(default_factory=dict)
    head: tuple[int, str] = (0, "")
    reverting: PastChange | None = None
    backup: Backup | None = None
    later: tuple[PastChange, ...] = ()
    takebacks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    reverts: Mapping[str, str] = field(default_factory=dict)
    standing_for: Mapping[str, frozenset[Target]] = field(default_factory=dict)
    occupied: Mapping[str, str] = field(default_factory=dict)
    live: Mapping[tuple[str, str], Decided] = field(default_factory=dict)
    unproven: Mapping[str, str] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    pins: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    deciders: Mapping[tuple[str, str], PastChange] = field(default_factory=dict)
    since: tuple[PastChange, ...] = ()
    refused: tuple[Refused, ...] = ()
    asides: Asides = Asides()
    there: Mapping[str, int] = field(default_factory=dict)
    imported: str = ""
    tombstones: tuple[Tombstone, ...] = ()
    scope_keys: Mapping[str, bytes] = field(default_factory=dict)


class Closed(Struct, frozen=True):
    """A record that leaves the queue with a change.

    Attributes:
        proposal: item id.
        digest: digest its file must still have when it is unlinked.
        ending: how it ended.
        keep: bytes kept for undo, or None when none may be kept.
        targets: documents it named.
    """

    proposal: str
    digest: str
    ending: Ending
    keep: bytes | None
    targets: tuple[Target, ...] = ()


class Returned(Struct, frozen=True):
    """A record that returns to the queue with a change: its bytes, exactly as they were."""

    proposal: str
    raw: bytes
    decided: Decided


class Image(Struct, frozen=True):
    """An image to be made: bytes per target (None: absent) and the words for ``about.json``."""

    id: str
    files: Mapping[Target, bytes | None]
    reason: str


class KeptText(Struct, frozen=True):
    """A text to be kept in ``texts`` with its own salt.

    A person's words (kind ``note``), the entry that a dispute is about (``entry``), or no words at all: only the salt
    of a commitment in a row (``salt``).
    """

    id: str
    kind: str
    body: bytes
    salt: bytes


Row = dict[str, Any]


class Change(Struct, frozen=True):
    """What a store commits atomically.

    Attributes:
        id: change id.
        kind: what was asked.
        documents: new bytes of each document that changes; None deletes the file.
        before: bytes of the same documents as they stand now (None: missing).
        images: images to be made first.
        closed: records that leave the queue.
        returned: records that return to it.
        asides: deferrals, challenges and answers to record.
        rows: unsealed ledger rows, oldest first; the store gives them sequence numbers and hashes.
        texts: texts to keep.
        pinned: first-sight pins to record.
        known: bytes of each document as they stand after this change, for the last-known record.
        refused: refused attempts whose repeats are counted from now on, in place of those of the view; None to
            leave them.
        reverts: id of the change this one reverts.
        takebacks: ids of all changes that are not in force after it, those included that were not before: kept for
            ``View.takebacks``, and each gets this change as its ``undone_by``.
        restores: ids of changes that are in force again because of it: their ``undone_by`` becomes None.
        silences: ids of changes that are out of force again because of it: their ``undone_by`` becomes this
            change.
        parcel: everything that is imported with it, stored before its own rows: documents, queue, images, book.
        receipt: the answer on success. The store says in it whether an interrupted change was finished first
            (``recovered``), which records could not come back or be removed (out of ``returned``, ``notes``), and that
            an image was removed (``notes``); where a document was given up, all of it says what stands.
    """

    id: str
    kind: Kind
    receipt: Receipt
    documents: Mapping[Target, bytes | None] = field(default_factory=dict)
    before: Mapping[Target, bytes | None] = field(default_factory=dict)
    images: tuple[Image, ...] = ()
    closed: tuple[Closed, ...] = ()
    returned: tuple[Returned, ...] = ()
    asides: Asides = Asides()
    rows: tuple[Row, ...] = ()
    texts: tuple[KeptText, ...] = ()
    pinned: tuple[Pinned, ...] = ()
    known: Mapping[Target, bytes | None] = field(default_factory=dict)
    refused: tuple[Refused, ...] | None = None
    reverts: str | None = None
    takebacks: tuple[str, ...] = ()
    restores: tuple[str, ...] = ()
    silences: tuple[str, ...] = ()
    parcel: Parcel | None = None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to store."""
        whole = self.rows or self.pinned or self.documents or self.closed or self.returned
        return not whole and self.refused is None


class Applied(Struct, frozen=True):
    """One thing that took effect: how it ended, and for ``superseded`` the item that took its place.

    Where it is no item of the queue, ``targets`` names the documents it changed: it has not taken effect where one of
    them was given up (an item knows its document itself).
    """

    id: str
    ending: Ending
    by: str = ""
    targets: tuple[Target, ...] = ()


class NotApplied(Struct, frozen=True):
    """One thing that was asked for and did not happen, with its own reason.

    ``state`` is a preflight state, or ``decided`` (somebody was first), ``waiting`` (it is in the queue
    already), ``unknown`` or ``moved``.
    """

    id: str
    state: str
    code: str
    message: str


class MovedOn(Struct, frozen=True):
    """An entry that changed after the change to be reverted: before, after, and now (None: not there)."""

    pair: int
    target: Target
    before: str | None
    after: str | None
    now: str | None


class Receipt(Struct, frozen=True):
    """The answer to a request.

    Attributes:
        change: id of the change that was stored, or None when nothing was.
        kind: what was asked.
        applied: decisions that took effect.
        not_applied: what did not, each with its reason.
        closed: group members closed along with a decision.
        returned: item ids that are back in the queue.
        backup: id of the image taken before the change, or None.
        sizes: how each document stands afterwards; both, or none where nothing was planned.
        digest: digest of what was planned, to be compared with what was shown.
        moved: True when the outcome differs from the one shown; nothing was written.
        moved_on: entries that need a person's choice before a revert can be made.
        undoes: ids of the changes taken back that were in force.
        unkept: ids among those applied and closed of which nothing was kept, so that they cannot come back.
        notes: things worth saying about how it was done, in words safe to print.
        recovered: True when an interrupted change was finished first.
    """

    change: str | None
    kind: Kind
    applied: tuple[Applied, ...] = ()
    not_applied: tuple[NotApplied, ...] = ()
    closed: tuple[Applied, ...] = ()
    returned: tuple[str, ...] = ()
    backup: str | None = None
    sizes: Mapping[Target, Standing] = field(default_factory=dict)
    digest: str = ""
    moved: bool = False
    moved_on: tuple[MovedOn, ...] = ()
    undoes: tuple[str, ...] = ()
    unkept: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    recovered: bool = False

    @property
    def undoable(self) -> bool:
        """Whether there is anything to take back: documents that changed, or what can return or leave again."""
        moved = {item.id for item in self.closed} - set(self.unkept) | set(self.returned)
        if self.kind not in {Kind.UNDO, Kind.REDO}:  # theirs is what they revert
            moved |= {item.id for item in self.applied} - set(self.unkept)
        return self.change is not None and (self.backup is not None or bool(moved))

    @property
    def done(self) -> bool:
        """Whether everything that was asked for took effect."""
        return not (self.not_applied or self.moved or self.moved_on)

    @property
    def causes(self) -> tuple[NotApplied, ...]:
        """What did not happen for a reason of its own, and not only because the outcome as a whole had moved."""
        return tuple(part for part in self.not_applied if part.code != "moved")


Planner = Callable[[View, Request], Change]
FIRST_IMAGE, KNOWN_IMAGE = "-first", "-known"
"""Suffixes of images of states that others wrote: as first seen, and as last known before another program wrote."""


def image_id(at_text: str, change: str, suffix: str = "") -> str:
    """Return the folder name of an image: UTC stamp, change id, and a suffix where one change makes two."""
    return f"{at_text}-{change}{suffix}"


def image_parts(name: str) -> tuple[str, str]:
    """Return the change that the name of an image says it was made by, and its suffix (see :func:`image_id`)."""
    change = name.partition("-")[2]
    suffix = next((end for end in (FIRST_IMAGE, KNOWN_IMAGE) if change.endswith(end)), "")
    return change.removesuffix(suffix), suffix
