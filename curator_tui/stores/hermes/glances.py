"""Glances: how one profile stands, from a light read of its folder. Nothing is written, locked or kept open.

Here: the value and the reading, each part by itself, so that one that cannot be read hides no other. Not here: which
profiles there are (``home``), everything a desk needs (``store``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from curator_tui.core.asides import Deferral
from curator_tui.core.documents import TARGETS, Standing, Target, standing
from curator_tui.core.errors import StoreError
from curator_tui.core.proposals import Proposal
from curator_tui.stores.book.book import open_existing
from curator_tui.stores.hermes.config import read_settings
from curator_tui.stores.hermes.home import bind
from curator_tui.stores.hermes.queue import Queue
from curator_tui.stores.hermes.reading import read_documents
from curator_tui.stores.safe_files import Folder

PEEKED = 64
"""Records of a queue that are read for its oldest one; the longest waiting files come first."""


class Glance(Struct, frozen=True):
    """How one profile stands. Ids are unique within a profile only, so whatever has one names its profile beside it.

    Attributes:
        profile: its name.
        waiting: memory writes that wait, without those that are deferred; None when not known.
        deferred: memory writes that are deferred, and in no other count.
        disputed: open questions about disputed entries, and in no other count; None when not known.
        oldest_at: when the oldest of them says it was staged, UTC seconds; None when none says.
        unreadable: documents and looked-at records that cannot be read.
        skills_waiting: skill writes that wait; None when not known.
        documents: how each document stands; a missing key means not known.
        gate: whether writes wait for review; None when not known.
        decided_at: when somebody last decided or changed something here, UTC seconds; None for never or not known.
        trouble: what could not be read, in words safe to print; empty for nothing.
    """

    profile: str
    waiting: int | None = None
    oldest_at: float | None = None
    unreadable: int = 0
    skills_waiting: int | None = None
    documents: Mapping[Target, Standing] = field(default_factory=dict)
    gate: bool | None = None
    decided_at: float | None = None
    trouble: str = ""
    deferred: int = 0
    disputed: int | None = None


def glance(root: Path, profile: str, environ: Mapping[str, str], today: str) -> Glance:
    """Look at one profile of a root; whatever cannot be read is told in the answer and raises nothing.

    Args:
        root: the root.
        profile: name of the profile.
        environ: variables that the configuration may name.
        today: the day where the person is, as ``2026-12-24``: what is deferred until a later one does not wait.
    """
    try:
        binding = bind(root, profile, {}, uid_home=root)
        with binding.open() as home:
            return _looked(home, profile, environ, today)
    except StoreError as error:
        return Glance(profile, trouble=error.message)


def _looked(home: Folder, profile: str, environ: Mapping[str, str], today: str) -> Glance:
    troubles: list[str] = []
    settings = read_settings(home, environ)
    documents = read_documents(home)
    found = {target: standing(documents[target], settings.limits.get(target)) for target in TARGETS}
    noted = _noted(home, today, troubles)
    queued = _queue(home, noted.deferrals, troubles)
    return Glance(
        profile,
        queued.waiting,
        queued.oldest,
        queued.unreadable + sum(not documents[target].usable for target in TARGETS),
        queued.skills,
        found,
        settings.gate,
        noted.decided_at,
        "; ".join([*troubles, *(part.trouble for part in found.values() if part.trouble)]),
        queued.deferred,
        noted.disputed,
    )


class _Queued(Struct, frozen=True):
    """What a queue holds; see :class:`Glance`."""

    waiting: int | None
    deferred: int
    oldest: float | None
    unreadable: int
    skills: int | None


def _queue(home: Folder, deferrals: Mapping[str, Deferral], troubles: list[str]) -> _Queued:
    queue = Queue(home)
    waiting: int | None = None
    skills: int | None = None
    proposals: Sequence[Proposal] = ()
    deferred: set[str] = set()
    try:
        proposals, number = queue.peek(PEEKED)
        deferred = _still_deferred(queue, proposals, deferrals)
        waiting = max(number - len(deferred), 0)
    except StoreError as error:
        troubles.append(error.message)
    try:
        skills = queue.skills_waiting()
    except StoreError as error:
        troubles.append(error.message)
    wait = [one for one in proposals if one.id not in deferred]
    times = [one.created_at for one in wait if one.created_at is not None]
    unreadable = sum(one.unreadable for one in wait)
    return _Queued(waiting, len(deferred), min(times, default=None), unreadable, skills)


def _still_deferred(queue: Queue, proposals: Sequence[Proposal], deferrals: Mapping[str, Deferral]) -> set[str]:
    """Return the items whose record is the very one that was deferred; of these few each record is read."""
    digests = {one.id: one.digest for one in proposals}
    found: set[str] = set()
    for name, deferral in deferrals.items():
        if name not in digests and (waiting := queue.get(name)) is not None:
            digests[name] = waiting.proposal.digest
        if digests.get(name) == deferral.digest:
            found.add(name)
    return found


class _Noted(Struct, frozen=True):
    """What the book says: when somebody last decided, by item what holds it back still, how many questions are open."""

    decided_at: float | None = None
    deferrals: Mapping[str, Deferral] = field(default_factory=dict)
    disputed: int | None = None


def _noted(home: Folder, today: str, troubles: list[str]) -> _Noted:
    try:
        book = open_existing(home)
        if book is None:
            return _Noted(disputed=0)
        try:
            decided_at = book.decided_at()
            asides = book.asides()
        finally:
            book.close()
    except StoreError as error:
        troubles.append(error.message)
        return _Noted()
    deferrals = {name: one for name, one in asides.latest().items() if one.due_after(today)}
    return _Noted(decided_at, deferrals, len(asides.questions()))
