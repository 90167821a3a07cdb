"""Tombstones: what is left of what a person had forgotten, and recognising it when it comes again.

Here: the value, keyed fingerprints, and looking for them in texts. Not here: erasing, where either is kept.

A tombstone holds no words and no plain digest of any. Its fingerprint is an HMAC under a random key of the scope; who
has not the key learns nothing from it; where the key is lost it recognises nothing any more, and nothing else breaks.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from curator_tui.core.documents import DELIMITER


class Tombstone(Struct, frozen=True):
    """One forgotten fact.

    Attributes:
        id: random.
        key_id: the key its fingerprint was made with; None where nobody wanted it recognised.
        fingerprint: of the entry.
    """

    id: str
    key_id: str | None = None
    fingerprint: bytes | None = None


def fingerprint(key: bytes, entry: str) -> bytes:
    """Return the fingerprint of an entry; case, spacing and the form of characters make no difference."""
    plain = " ".join(unicodedata.normalize("NFKC", entry).casefold().split())
    return hmac.new(key, plain.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()


def recognised(stones: Sequence[Tombstone], keys: Mapping[str, bytes], bodies: Iterable[bytes]) -> int:
    """Return in how many of some kept texts a forgotten entry stands: whole, as an entry, or as a text of a record."""
    wanted: dict[str, set[bytes]] = {}
    for stone in stones:
        if stone.key_id in keys and stone.fingerprint is not None:
            wanted.setdefault(str(stone.key_id), set()).add(stone.fingerprint)
    if not wanted:
        return 0
    return sum(
        any(fingerprint(keys[name], entry) in found for entry in _entries(body) for name, found in wanted.items())
        for body in bodies
    )


def _entries(body: bytes) -> Iterator[str]:
    text = body.decode("utf-8", "replace").removeprefix("\ufeff")
    yield from _split(text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    for words in _texts(value):
        yield from _split(words)


def _split(text: str) -> Iterator[str]:
    yield text
    if DELIMITER.strip() in text:
        yield from text.replace("\r\n", "\n").split(DELIMITER)


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
