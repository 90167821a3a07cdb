"""Naming: how a person names an entry, and which entry that is.

Here: entry ids (a short digest of the text), Hermes's journey ids (a position), words that stand in one entry
only; the hint that an entry looks like several. Not here: changing anything. A name is resolved to the text
as it stands now; the change is planned on that whole text under the lock, and refused when it is no longer
there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from curator_tui.core.documents import FILE_NAMES, TARGETS, Document, Target, entry_id
from curator_tui.core.errors import UnknownItem
from curator_tui.core.journey import journey_ids, resolve
from curator_tui.core.operations import matching
from curator_tui.core.preflight import Snapshot
from curator_tui.core.text import one_line, visible

_ID_BEGINNING = re.compile(r"[0-9a-f]{4,12}")
_JOURNEY = re.compile(r"memory:[a-z]+:\d+(?::.*)?", re.DOTALL)
_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
_LISTED = 5


class Entry(Struct, frozen=True):
    """One entry under its names.

    Attributes:
        target: its document.
        text: the whole entry.
        id: the first 12 hex digits of the digest of its text.
        journey: Hermes's own name of it, a position; empty when Hermes has none for it.
    """

    target: Target
    text: str
    id: str
    journey: str


def entries(snapshot: Snapshot) -> tuple[Entry, ...]:
    """Return all entries of both documents under their names, in the order of the files."""
    journeys = journey_ids(snapshot.documents)
    return tuple(
        Entry(target, text, entry_id(text), journey)
        for target in TARGETS
        for text, journey in zip(snapshot.document(target).entries, journeys[target], strict=True)
    )


def find_entry(snapshot: Snapshot, name: str, target: Target | None = None) -> Entry:
    """Find the one entry a person names.

    Args:
        snapshot: the documents as they are now.
        name: an entry id or at least four digits of its beginning, a journey id, the whole text of an entry,
            or words that stand in one entry only.
        target: look in this document only.

    Raises:
        UnknownItem: no entry is called so, or several are.
    """
    candidates = [entry for entry in entries(snapshot) if target in {None, entry.target}]
    if _JOURNEY.fullmatch(name):
        target_there, text = resolve(name, snapshot.documents)
        found = [entry for entry in candidates if (entry.target, entry.text) == (target_there, text)]
    elif _ID_BEGINNING.fullmatch(name) and (by_id := [entry for entry in candidates if entry.id.startswith(name)]):
        found = by_id
    else:
        texts = set(matching([entry.text for entry in candidates], name)) if name else set()
        found = [entry for entry in candidates if entry.text in texts]
    if len(found) == 1:
        return found[0]
    raise _not_one(name, found)


def _not_one(name: str, found: Iterable[Entry]) -> UnknownItem:
    several = list(found)
    quoted = one_line(name, 60)
    if not several:
        return UnknownItem(f"No entry is called {quoted}.", way_out="List them with: curator-tui memory")
    names = ", ".join(f"{entry.id} in {FILE_NAMES[entry.target]}" for entry in several[:_LISTED])
    more = f" and {len(several) - _LISTED} more" if len(several) > _LISTED else ""
    return UnknownItem(
        f"{len(several)} entries are meant by {quoted}: {names}{more}.",
        way_out="Name one by its id; --target says which document.",
        code="ambiguous-entry",
    )


def headings_in(text: str) -> int:
    """Return how many Markdown headings an entry holds; from two on it was probably written by hand."""
    return len(_HEADING.findall(text))


def document_hints(document: Document) -> Iterator[str]:
    """Say what is worth knowing about the form of a document; texts are shown text."""
    name = FILE_NAMES[document.target]
    if document.drifted:
        yield f"{name} was edited by hand: Hermes refuses its own replace and remove there, we do not."
    for text in document.entries:
        if (count := headings_in(text)) > 1:
            yield (
                f"{name}: entry {entry_id(text)} holds {count} headings and could be split into entries "
                f"(replace it, then add the others): {visible(text.split(chr(10))[0])}"
            )
