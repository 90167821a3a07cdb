"""Intents: what a change is about to do to the files of a home, so that anybody can finish or undo it.

Here: the value and its JSON. Not here: what it means that a temporary file is gone (``recovery``), the steps
(``commit``). An intent holds names, ids and digests; words stand in the book's texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Self

from msgspec import Struct, convert

from curator_tui.core.documents import Target
from curator_tui.core.errors import Unreadable
from curator_tui.core.requests import Kind
from curator_tui.stores.book.entries import BookEntry
from curator_tui.stores.book.plain import fields_of

TEMP_PREFIX = ".curator-tui-"
TEMP_SUFFIX = ".tmp"


def temp_name(change: str, what: str) -> str:
    """Return the name of a temporary file; it never ends in ``.json``, so Hermes takes none for a record."""
    return f"{TEMP_PREFIX}{change}-{what}{TEMP_SUFFIX}"


def is_temp(name: str) -> bool:
    """Whether a name is that of a temporary file of ours."""
    return name.startswith(TEMP_PREFIX) and name.endswith(TEMP_SUFFIX)


class DocumentMove(Struct, frozen=True):
    """One document to be replaced.

    Attributes:
        target: which document.
        steps: folders from the home to the one that holds the file (behind a link: its target's).
        name: the file's name there.
        temp: name of the new bytes beside it; while it stands, our rename did not happen.
        old: digest of the bytes it replaces, ``missing`` for none.
        new: digest of the new bytes.
        delete: True when the file goes away: empty bytes are renamed over it and then removed.
    """

    target: str
    steps: tuple[str, ...]
    name: str
    temp: str
    old: str
    new: str
    delete: bool


class RecordReturn(Struct, frozen=True):
    """One record to be put back into the queue under ``name`` from its temporary file."""

    proposal: str
    name: str
    temp: str
    digest: str


class ParcelPart(Struct, frozen=True):
    """The copy of a parcel beside the book, while it is imported: its name and the digest of what is in it."""

    temp: str
    digest: str


class Intent(Struct, frozen=True):
    """A change under way: what the book will record, and the files to be touched."""

    entry: BookEntry
    documents: tuple[DocumentMove, ...]
    images: tuple[str, ...]
    returns: tuple[RecordReturn, ...]
    parcel: ParcelPart | None = None

    @property
    def change(self) -> str:
        """Id of the change."""
        return self.entry.change

    @property
    def empty(self) -> bool:
        """Whether no file is to be touched, so that one transaction is the whole change."""
        return not (self.documents or self.images or self.returns or self.entry.closed or self.parcel)

    def to_json(self) -> str:
        """Return the intent as it is kept in the book."""
        plain: dict[str, Any] = {
            "entry": self.entry.plain(),
            "documents": _plain(self.documents),
            "images": self.images,
            "returns": _plain(self.returns),
            "parcel": None if self.parcel is None else fields_of(self.parcel),
        }
        # not escaped, so that text which cannot be stored fails here and not behind the commit point
        return json.dumps(plain, separators=(",", ":"), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, body: str) -> Self:
        """Rebuild an intent.

        Raises:
            Unreadable: the text is none; nothing can be concluded from the files it would name.
        """
        try:
            intent = convert(json.loads(body), cls)
            Kind(intent.entry.kind)
            for move in intent.documents:
                Target(move.target)
        except (ValueError, RecursionError) as error:  # msgspec's own error is a ValueError
            raise Unreadable("what the book says of it is damaged.") from error
        return intent


def _plain(parts: Iterable[DocumentMove | RecordReturn]) -> list[dict[str, Any]]:
    return [fields_of(part) for part in parts]
