"""Glances: how one profile stands, from a light read of its folder. Nothing is written, locked or kept open.

Here: the value and the reading, each part by itself, so that one that cannot be read hides no other. Not here: which
profiles there are (``home``), everything a desk needs (``store``).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from curator_tui.core.documents import TARGETS, Standing, Target, standing
from curator_tui.core.errors import StoreError
from curator_tui.stores.book.book import open_existing
from curator_tui.stores.hermes.config import read_settings
from curator_tui.stores.hermes.home import bind
from curator_tui.stores.hermes.queue import Queue
from curator_tui.stores.hermes.reading import read_documents
from curator_tui.stores.safe_files import Folder

PEEKED = 64
"""Records of a queue that are read for its oldest one; the longest waiting files come first."""

_LAST_DECISION = """
    SELECT at FROM memory_changes WHERE scope = :scope AND kind <> 'observe' ORDER BY seq DESC LIMIT 1
"""


class Glance(Struct, frozen=True):
    """How one profile stands. Ids are unique within a profile only, so whatever has one names its profile beside it.

    Attributes:
        profile: its name.
        waiting: memory writes that wait; None when not known.
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


def glance(root: Path, profile: str, environ: Mapping[str, str]) -> Glance:
    """Look at one profile of a root; whatever cannot be read is told in the answer and raises nothing."""
    try:
        binding = bind(root, profile, {}, uid_home=root)
        with binding.open() as home:
            return _looked(home, profile, environ)
    except StoreError as error:
        return Glance(profile, trouble=error.message)


def _looked(home: Folder, profile: str, environ: Mapping[str, str]) -> Glance:
    troubles: list[str] = []
    settings = read_settings(home, environ)
    documents = read_documents(home)
    found = {target: standing(documents[target], settings.limits.get(target)) for target in TARGETS}
    waiting, oldest, broken, skills = _queue(home, troubles)
    return Glance(
        profile,
        waiting,
        oldest,
        broken + sum(not documents[target].usable for target in TARGETS),
        skills,
        found,
        settings.gate,
        _decided_at(home, troubles),
        "; ".join([*troubles, *(part.trouble for part in found.values() if part.trouble)]),
    )


def _queue(home: Folder, troubles: list[str]) -> tuple[int | None, float | None, int, int | None]:
    queue = Queue(home)
    waiting: int | None = None
    skills: int | None = None
    times: list[float] = []
    broken = 0
    try:
        proposals, waiting = queue.peek(PEEKED)
        times = [one.created_at for one in proposals if one.created_at is not None]
        broken = sum(one.unreadable for one in proposals)
    except StoreError as error:
        troubles.append(error.message)
    try:
        skills = queue.skills_waiting()
    except StoreError as error:
        troubles.append(error.message)
    return waiting, min(times, default=None), broken, skills


def _decided_at(home: Folder, troubles: list[str]) -> float | None:
    try:
        book = open_existing(home)
        if book is None:
            return None
        try:
            found = book.db.one(_LAST_DECISION, scope=book.scope)
        finally:
            book.close()
    except StoreError as error:
        troubles.append(error.message)
        return None
    return float(found[0]) if found is not None and isinstance(found[0], int | float) else None
