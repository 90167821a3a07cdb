"""The timeline at the desk: everything the bound profile has learned, entries and skills, as one list.

Here: gathering both. Not here: order and filter (``core.learned``), where entries come from (``origins``), skills
themselves (``skills``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from curator_tui.core.documents import TARGETS
from curator_tui.core.learned import Learned, in_order, learned_entry, learned_matches, learned_skill, parse_learned
from curator_tui.core.preflight import findings_of
from curator_tui.core.scanning import Finding
from curator_tui.core.skills import InstalledSkill
from curator_tui.curator.desk import Desk
from curator_tui.curator.origins import origins
from curator_tui.curator.skills import installed, skill_findings


class Timeline(Struct, frozen=True):
    """What was learned.

    Attributes:
        rows: in order, those without a time last.
        notes: what could not be looked at, in words safe to print.
    """

    rows: tuple[Learned, ...]
    notes: tuple[str, ...] = ()


def timeline(desk: Desk, *, everywhere: bool = False, newest_first: bool = True) -> Timeline:
    """Return everything the bound profile has learned; it reads the whole ledger and all skills, so off the event loop.

    Args:
        desk: the desk.
        everywhere: also skills that only other profiles of the home have.
        newest_first: order of those with a time.

    Raises:
        StoreError: the book cannot be read.
    """
    listing = installed(desk)
    scope = desk.bound().scope
    held = [one for one in listing.skills if everywhere or any(holder.profile == scope for holder in one.holders)]
    rows = [learned_entry(origin, findings_of(origin.text)) for origin in origins(desk)]
    rows += [learned_skill(one, _scanned(one)) for one in held]
    unreadable = [
        f"{document.target} cannot be read: {document.trouble}"
        for document in desk.read_documents().documents.values()
        if not document.usable
    ]
    return Timeline(in_order(rows, newest_first=newest_first), (*unreadable, *listing.notes))


def state(desk: Desk) -> tuple[object, ...]:
    """Return what tells whether entries or their origins may be others by now; quick enough to be asked every second.

    Raises:
        StoreError: the book cannot be read.
    """
    snapshot = desk.read_documents()
    return (desk.store.book.head(), *(snapshot.document(target).digest for target in TARGETS))


def filtered(desk: Desk, rows: Sequence[Learned], text: str) -> tuple[Learned, ...]:
    """Return the rows that a typed filter means, in their order.

    Raises:
        UsageError: a part of it means nothing.
    """
    terms = parse_learned(text, desk.now())
    return tuple(row for row in rows if learned_matches(row, terms))


@lru_cache(maxsize=1_024)
def _scanned(skill: InstalledSkill) -> tuple[Finding, ...]:
    """Return the findings of a skill, kept for the next look: skills are long and change rarely."""
    return tuple(skill_findings(skill))
