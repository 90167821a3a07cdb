"""Documents: the entries of one target and their exact bytes.

Here: parsing, rendering, sizes. Not here: how bytes change when entries change (``splicing``), what an operation means
(``operations``), limits from a configuration (the stores read them).

The grammar is Hermes Agent's: UTF-8, entries joined by a line that holds only a section sign, universal
newlines, outer white space of each entry stripped, blank pieces dropped, an exact repeat counts once. Sizes
are Unicode code points of the joined entries, delimiters included; a byte-order mark is not counted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache

from msgspec import Struct

DELIMITER = "\n§\n"
DELIMITER_LINE = "§"
BYTE_ORDER_MARK = "\ufeff"
PRESSURE_PERCENT = 80
ENTRY_ID_LENGTH = 12

SEPARATOR = re.compile("(?:\r\n|\r|\n)§(?:\r\n|\r|\n)")
"""What stands between two entries in a file, whatever its line endings."""


class Target(StrEnum):
    """Which of the two documents: USER.md (who the user is) or MEMORY.md (the agent's notes)."""

    USER = "user"
    MEMORY = "memory"


DEFAULT_LIMITS: Mapping[Target, int] = {Target.USER: 1375, Target.MEMORY: 2200}
FILE_NAMES: Mapping[Target, str] = {Target.USER: "USER.md", Target.MEMORY: "MEMORY.md"}
# The order in which locks are taken and documents are listed.
TARGETS: tuple[Target, ...] = (Target.MEMORY, Target.USER)


class Presence(StrEnum):
    """Four different states of a stored document; an unreadable one never looks empty."""

    MISSING = "missing"
    EMPTY = "empty"
    PRESENT = "present"
    UNREADABLE = "unreadable"
    UNDECODABLE = "undecodable"


def raw_digest(raw: bytes | None) -> str:
    """Return the SHA-256 of stored bytes in hex; a missing document has a digest of its own."""
    return "missing" if raw is None else hashlib.sha256(raw).hexdigest()


def entry_id(text: str) -> str:
    """Return the printed id of an entry: the first 12 hex digits of the SHA-256 of its text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:ENTRY_ID_LENGTH]


def unify_newlines(text: str) -> str:
    """Turn CRLF and lone CR into LF, as reading with universal newlines does."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def size_of(entries: Sequence[str]) -> int:
    """Return the size of a document holding these entries, in code points, delimiters included."""
    if not entries:
        return 0
    return sum(map(len, entries)) + len(DELIMITER) * (len(entries) - 1)


def render(entries: Iterable[str]) -> bytes:
    """Return the canonical bytes of a document: entries joined by the delimiter, no final newline."""
    return DELIMITER.join(entries).encode("utf-8")


def percent(size: int, limit: int) -> int:
    """Return how full a document is, truncated, 0 to 100; a limit that is not positive gives 0."""
    return min(100, size * 100 // limit) if limit > 0 else 0


def pressure(size: int, limit: int | None) -> str:
    """Return ``ok``, ``high`` (from 80 % of the limit), ``over`` or ``unknown`` where no limit is known."""
    if limit is None:
        return "unknown"
    if size > limit:
        return "over"
    return "high" if size * 100 >= limit * PRESSURE_PERCENT else "ok"


def grows_past(size_before: int, size_after: int, limit: int | None) -> bool:
    """Tell whether a step is refused for its size: over the limit and not strictly shrinking."""
    return limit is not None and size_after > limit and size_after >= size_before


class Document(Struct, frozen=True, dict=True):
    """One stored document at one moment.

    Attributes:
        target: which document.
        raw: the stored bytes, or None when the document is missing or cannot be read.
        presence: missing, empty, present, unreadable or undecodable.
        entries: the distinct entries in file order; empty unless ``presence`` is ``present``.
        trouble: for an unreadable or undecodable document the cause, in words safe to print.
    """

    target: Target
    raw: bytes | None
    presence: Presence
    entries: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def usable(self) -> bool:
        """Whether the document can be read and therefore edited."""
        return self.presence not in {Presence.UNREADABLE, Presence.UNDECODABLE}

    @property
    def seen(self) -> bool:
        """Whether its stored bytes are known; those of an undecodable document are, and can be kept."""
        return self.presence is not Presence.UNREADABLE

    @cached_property
    def digest(self) -> str:
        """The raw digest of the stored bytes."""
        if not self.usable and self.raw is None:
            return str(self.presence)
        return raw_digest(self.raw)

    @cached_property
    def size(self) -> int:
        """Size in code points, as limits count it."""
        return size_of(self.entries)

    @cached_property
    def drifted(self) -> bool:
        """Whether Hermes would call the file hand-edited: the stripped text is not its own entries joined.

        Hermes then refuses its own replace and remove there; line endings, white space around the whole
        file and repeats do not count.
        """
        if self.raw is None or not self.usable:
            return False
        text = unify_newlines(decoded(self.raw))
        pieces = [piece.strip() for piece in text.split(DELIMITER)]
        return text.strip() != DELIMITER.join(piece for piece in pieces if piece)

    def locked_for_hermes(self, limit: int | None) -> bool:
        """Whether Hermes refuses its own replace and remove: drifted, or one entry alone over the limit."""
        return self.drifted or (limit is not None and any(len(entry) > limit for entry in self.entries))

    @cached_property
    def canonical(self) -> bool:
        """Whether the bytes are exactly the rendered entries."""
        return self.raw is None or self.raw == render(self.entries)

    def position(self, text: str) -> int | None:
        """Return the position of an entry with exactly this text, or None."""
        try:
            return self.entries.index(text)
        except ValueError:
            return None


class Standing(Struct, frozen=True):
    """How a document stands, or would stand, without its words.

    Attributes:
        size: code points; None for one that cannot be read, which is never taken for empty.
        limit: code points it may have; None when not known.
        presence: missing, empty, present, unreadable or undecodable.
        trouble: for an unreadable or undecodable document the cause, in words safe to print.
    """

    size: int | None
    limit: int | None
    presence: Presence
    trouble: str = ""


def standing(document: Document, limit: int | None) -> Standing:
    """Return how a document stands under a limit."""
    return Standing(document.size if document.usable else None, limit, document.presence, document.trouble)


def missing(target: Target) -> Document:
    """Return the document of a target whose file does not exist."""
    return Document(target, None, Presence.MISSING)


def unreadable(target: Target, trouble: str) -> Document:
    """Return a document that could not be read; ``trouble`` names the cause in words safe to print."""
    return Document(target, None, Presence.UNREADABLE, trouble=trouble)


@lru_cache(maxsize=16)
def parse(target: Target, raw: bytes | None) -> Document:
    """Parse stored bytes; bytes that are not UTF-8 give an ``undecodable`` document that keeps them.

    The last few answers are kept: one change parses the same bytes a dozen times.
    """
    if raw is None:
        return missing(target)
    try:
        text = decoded(raw)
    except UnicodeDecodeError as error:
        trouble = f"byte {error.start} is not valid UTF-8"
        return Document(target, raw, Presence.UNDECODABLE, trouble=trouble)
    entries = tuple(dict.fromkeys(entry for _, entry in _pieces(text) if entry))
    presence = Presence.PRESENT if raw else Presence.EMPTY
    return Document(target, raw, presence, entries)


def decoded(raw: bytes) -> str:
    """Return stored bytes as text, without a byte order mark."""
    return raw.decode("utf-8").removeprefix(BYTE_ORDER_MARK)


def _pieces(text: str) -> list[tuple[str, str]]:
    """Return each run of text between two delimiters: as it stands, and its entry (empty for none)."""
    return [(raw, unify_newlines(raw).strip()) for raw in SEPARATOR.split(text)]
