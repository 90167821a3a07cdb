"""Journey ids: the names under which ``hermes journey`` lists the entries of the two documents.

Here: which id Hermes shows for which entry, and finding the entry that a person names by entry id, journey id or exact
text. Not here: parsing documents (``core.documents``), changing anything.

An id counts the cards of both files, MEMORY.md first: ``memory:memory:<i>`` and ``memory:profile:<i>``. The card list
is made differently from the entries: the whole file is stripped before it is cut, and repeats stay (``hermes`` section
8). So a card need not be an entry; then its id is refused instead of pointing to a neighbour.

Newer Hermes appends a fingerprint of the card's text. How it is computed is not documented. Because an id must never
reach another entry than the one it was shown for, such an id is accepted only where the fingerprint is the beginning
of a SHA-256 or SHA-1 of the text of an entry; that text then decides, and the index does not count.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from curator_tui.core.documents import (
    BYTE_ORDER_MARK,
    DELIMITER,
    FILE_NAMES,
    TARGETS,
    Document,
    Presence,
    Target,
    entry_id,
    missing,
    unify_newlines,
)
from curator_tui.core.errors import UnknownItem
from curator_tui.core.text import one_line

_SOURCES = {Target.MEMORY: "memory", Target.USER: "profile"}
_TARGETS = {source: target for target, source in _SOURCES.items()}
_JOURNEY_ID = re.compile(r"memory:(memory|profile):([0-9]{1,9})(?::([0-9a-fA-F]+))?")
_ENTRY_ID = re.compile(r"[0-9a-f]{4,12}")
_SHORTEST_FINGERPRINT = 8
_WAY_OUT = "Name the entry by its id or its exact text; `memory` lists both."


def cards(document: Document) -> tuple[str, ...]:
    """Return the texts of the cards Hermes makes of a document, in order; repeats stay, blank ones do not."""
    if document.raw is None or not document.usable:
        return ()
    text = unify_newlines(document.raw.decode("utf-8").removeprefix(BYTE_ORDER_MARK)).strip()
    return tuple(card for piece in text.split(DELIMITER) if (card := piece.strip()))


def journey_ids(documents: Mapping[Target, Document]) -> dict[Target, tuple[str, ...]]:
    """Return for each entry of each document the id Hermes shows for it, in the order of the entries.

    An entry that is no card of its own has the empty id, and so has every entry behind a document that cannot be
    decoded, because the count is not known there.
    """
    result: dict[Target, tuple[str, ...]] = {}
    numbered = _numbered(documents)
    for target in TARGETS:
        document = documents.get(target) or missing(target)
        first: dict[str, str] = {}
        for number, text in numbered.get(target, ()):
            first.setdefault(text, f"memory:{_SOURCES[target]}:{number}")
        result[target] = tuple(first.get(entry, "") for entry in document.entries)
    return result


def _numbered(documents: Mapping[Target, Document]) -> dict[Target, tuple[tuple[int, str], ...]]:
    result: dict[Target, tuple[tuple[int, str], ...]] = {}
    count = 0
    for target in TARGETS:
        document = documents.get(target) or missing(target)
        if document.presence in {Presence.UNREADABLE, Presence.UNDECODABLE}:
            break
        texts = cards(document)
        result[target] = tuple(enumerate(texts, count))
        count += len(texts)
    return result


def resolve(reference: str, documents: Mapping[Target, Document]) -> tuple[Target, str]:
    """Find the entry that a person names.

    Args:
        reference: an entry id or an unambiguous beginning of one (4 to 12 hex digits), a journey id, or the exact text
            of an entry.
        documents: both documents.

    Returns:
        The document and the whole text of the entry.

    Raises:
        UnknownItem: nothing or more than one entry has that name; the message says which.
    """
    if reference.startswith("memory:") and (found := _JOURNEY_ID.fullmatch(reference)):
        target = _TARGETS[found[1]]
        if found[3] is not None:
            return target, _by_fingerprint(reference, found[3].lower(), documents.get(target) or missing(target))
        return target, _by_number(reference, int(found[2]), target, documents)
    everything = [(target, entry) for target in TARGETS if target in documents for entry in documents[target].entries]
    found_texts = [pair for pair in everything if pair[1] == reference.strip()]
    if not found_texts and _ENTRY_ID.fullmatch(reference):
        found_texts = [pair for pair in everything if entry_id(pair[1]).startswith(reference)]
    if len(found_texts) == 1:
        return found_texts[0]
    shown = one_line(reference, 60)
    if not found_texts:
        raise UnknownItem(f"no entry has the id or the text {shown}.", way_out=_WAY_OUT)
    where = ", ".join(f"{target} {entry_id(text)}" for target, text in found_texts)
    raise UnknownItem(f"{shown} names {len(found_texts)} entries: {where}.", way_out="Give more of the id.")


def _by_number(reference: str, number: int, target: Target, documents: Mapping[Target, Document]) -> str:
    numbered = _numbered(documents)
    if target not in numbered:
        raise UnknownItem(
            f"{reference} cannot be told: a document cannot be read, so Hermes's count is not known.", way_out=_WAY_OUT
        )
    text = dict(numbered[target]).get(number)
    if text is None:
        raise UnknownItem(f"{reference} is stale: {FILE_NAMES[target]} has no card {number} now.", way_out=_WAY_OUT)
    if documents[target].position(text) is None:
        raise UnknownItem(
            f"{reference} is no entry: Hermes's list cuts {FILE_NAMES[target]} differently there.", way_out=_WAY_OUT
        )
    return text


def _by_fingerprint(reference: str, fingerprint: str, document: Document) -> str:
    matches = [entry for entry in document.entries if _bears(entry, fingerprint)]
    if len(fingerprint) >= _SHORTEST_FINGERPRINT and len(matches) == 1:
        return matches[0]
    raise UnknownItem(
        f"{one_line(reference, 60)}: no entry of {FILE_NAMES[document.target]} could be told by that fingerprint.",
        way_out=_WAY_OUT,
    )


def _bears(entry: str, fingerprint: str) -> bool:
    data = entry.encode("utf-8")
    digests = (hashlib.sha256(data), hashlib.sha1(data, usedforsecurity=False))
    return any(digest.hexdigest().startswith(fingerprint) for digest in digests)
