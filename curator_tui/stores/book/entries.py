"""Entries: what the book records about one change, as plain values without words.

Here: the value, the texts that go with it, and how both are drawn from a planned change. Not here: how they are stored
(``writing``), which files a home has to touch for it (``hermes.intents``).

An entry is written into the book twice: first inside an intent, so that anybody can finish the change, then spread over
the tables when it is done. Therefore it is plain JSON and refers to every text by id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from curator_tui.core.accounts import row_effect
from curator_tui.core.changes import Change, Row
from curator_tui.core.documents import Target, raw_digest
from curator_tui.core.ledger import item_name
from curator_tui.core.requests import Request
from curator_tui.stores.book.plain import fields_of
from curator_tui.stores.book.receipts import receipt_bytes

_SEEN = "seen"


class Text(Struct, frozen=True):
    """A text to be stored: the only form in which words enter the book."""

    id: str
    kind: str
    body: bytes
    salt: bytes | None = None


class DocumentPart(Struct, frozen=True):
    """One changed document: ids of its texts before and after, None where it was or is missing."""

    target: str
    before: str | None
    after: str | None


class ClosedPart(Struct, frozen=True):
    """One record that leaves the queue; ``text`` is None when its bytes are not kept."""

    proposal: str
    digest: str
    verb: str
    text: str | None
    targets: tuple[str, ...]


class ReturnedPart(Struct, frozen=True):
    """One record that returns to the queue."""

    proposal: str
    digest: str
    targets: tuple[str, ...]


class KnownPart(Struct, frozen=True):
    """The bytes of a document after the change; ``text`` is None for a missing one."""

    target: str
    digest: str
    text: str | None


class PinPart(Struct, frozen=True):
    """One first-sight pin."""

    proposal: str
    digest: str
    operation: int
    text: str


class DeferralPart(Struct, frozen=True):
    """One word on when an item waits again."""

    proposal: str
    digest: str
    until: str
    back: bool


class ChallengePart(Struct, frozen=True):
    """One disputed entry; its text and the note stand in the texts of the change."""

    question: str
    target: str
    entry: str
    reason: str
    note: str


class AnswerPart(Struct, frozen=True):
    """One answer to a question."""

    question: str
    verb: str


class BookEntry(Struct, frozen=True):
    """Everything the book records about one change.

    Attributes:
        rows: unsealed ledger rows; they get their place in the chain when the change is finished.
        receipt: id of the text that holds the answer, or None when repeating the request would do no harm.
        takebacks: see :class:`Change`; ``undoes`` in an intent, which an interrupted run may have left to the next.
        refused: the refused attempts whose repeats are counted from now on, as JSON; None to leave them.
    """

    change: str
    kind: str
    operation: str
    at: float
    actor: tuple[str, str, str]
    backup: str | None
    reverts: str | None
    takebacks: tuple[str, ...] = field(name="undoes")
    restores: tuple[str, ...]
    silences: tuple[str, ...]
    documents: tuple[DocumentPart, ...]
    closed: tuple[ClosedPart, ...]
    returned: tuple[ReturnedPart, ...]
    known: tuple[KnownPart, ...]
    pins: tuple[PinPart, ...]
    rows: tuple[Row, ...]
    receipt: str | None
    refused: str | None = None
    deferrals: tuple[DeferralPart, ...] = ()
    challenges: tuple[ChallengePart, ...] = ()
    answers: tuple[AnswerPart, ...] = ()

    @property
    def effective(self) -> bool:
        """Whether there is anything in it that could be taken back; its rows say so, and are checked against it."""
        return any(map(row_effect, self.rows))

    def plain(self) -> dict[str, Any]:
        """Return the entry as JSON values."""
        plain = fields_of(self)
        for name in _PARTS:
            plain[name] = [fields_of(part) for part in plain[name]]
        return plain


_PARTS = ("documents", "closed", "returned", "known", "pins", "deferrals", "challenges", "answers")


def entry_of(
    change: Change, request: Request, known: Mapping[Target, tuple[str | None, str]]
) -> tuple[BookEntry, tuple[Text, ...]]:
    """Draw the entry and its texts from a planned change.

    Args:
        change: what was planned.
        request: what it answers.
        known: text id and digest of the last known bytes per document; equal bytes are not stored again.
    """
    texts = _Texts(change.id, {digest: name for name, digest in known.values() if name is not None})
    stamp = request.stamp
    entry = BookEntry(
        change=change.id,
        kind=str(change.kind),
        operation=stamp.operation,
        at=stamp.at,
        actor=(str(stamp.actor.kind), stamp.actor.name, stamp.actor.through),
        backup=change.receipt.backup,
        reverts=change.reverts,
        takebacks=change.takebacks,
        restores=change.restores,
        silences=change.silences,
        documents=_changed(change, texts),
        closed=_closed(change, texts),
        returned=_returned(change),
        known=_known(change, texts),
        pins=_pins(change, texts),
        rows=change.rows,
        receipt=texts.add("receipt", "receipt", receipt_bytes(change.receipt)) if change.rows else None,
        refused=None if change.refused is None else json.dumps([fields_of(one) for one in change.refused]),
        deferrals=tuple(DeferralPart(one.proposal, one.digest, one.until, one.back) for one in change.asides.deferrals),
        challenges=tuple(
            ChallengePart(one.question, str(one.target), one.entry_text, str(one.reason), one.note_text)
            for one in change.asides.challenges
        ),
        answers=tuple(AnswerPart(one.question, str(one.verb)) for one in change.asides.answers),
    )
    kept = tuple(Text(text.id, text.kind, text.body, text.salt) for text in change.texts)
    return entry, (*texts.found, *kept)


def _text_id(change: str, what: str) -> str:
    return f"{change}:text:{what}"


def seen_text(change: str, target: Target) -> str:
    """Return the id under which a change stores what it last knew of a document, where no equal text was stored."""
    return _text_id(change, f"{target}:{_SEEN}")


class _Texts:
    """Collects texts and gives each its id; equal document bytes become one text."""

    def __init__(self, change: str, documents: dict[str, str]) -> None:
        self.found: list[Text] = []
        self._change = change
        self._documents = documents

    def add(self, kind: str, what: str, body: bytes) -> str:
        name = _text_id(self._change, what)
        self.found.append(Text(name, kind, body))
        return name

    def document(self, target: Target, moment: str, raw: bytes | None) -> str | None:
        if raw is None:
            return None
        digest = raw_digest(raw)
        if digest not in self._documents:
            self._documents[digest] = self.add("document", f"{target}:{moment}", raw)
        return self._documents[digest]


def _changed(change: Change, texts: _Texts) -> tuple[DocumentPart, ...]:
    return tuple(
        DocumentPart(
            str(target),
            texts.document(target, "old", change.before.get(target)),
            texts.document(target, "new", raw),
        )
        for target, raw in change.documents.items()
    )


def _known(change: Change, texts: _Texts) -> tuple[KnownPart, ...]:
    return tuple(
        KnownPart(str(target), raw_digest(raw), texts.document(target, _SEEN, raw))
        for target, raw in change.known.items()
    )


def _closed(change: Change, texts: _Texts) -> tuple[ClosedPart, ...]:
    return tuple(
        ClosedPart(
            closed.proposal,
            closed.digest,
            str(closed.ending),
            None if closed.keep is None else texts.add("record", f"closed:{place}", closed.keep),
            tuple(map(str, closed.targets)),
        )
        for place, closed in enumerate(change.closed)
    )


def _returned(change: Change) -> tuple[ReturnedPart, ...]:
    return tuple(
        ReturnedPart(
            returned.proposal,
            raw_digest(returned.raw),
            tuple(map(str, returned.decided.targets)),
        )
        for returned in change.returned
    )


def _pins(change: Change, texts: _Texts) -> tuple[PinPart, ...]:
    return tuple(
        PinPart(pinned.proposal, pinned.digest, operation, _pin_text(texts, pinned.proposal, operation, pin))
        for pinned in change.pinned
        for operation, pin in pinned.pins.items()
    )


def _pin_text(texts: _Texts, item: str, operation: int, pin: str) -> str:
    """Keep the text of a pin under the name of its item: an attempt that only pins may be repeated with other items."""
    return texts.add("pin", f"pin:{item}:{operation}", pin.encode())


def without_returned(entry: BookEntry, items: frozenset[str]) -> BookEntry:
    """Return the entry without the return of these items; their decisions stay as they are, and the rows say so."""
    if not items:
        return entry
    names = {item_name(item) for item in items}
    rows = tuple(
        {**row, "decisions": [part for part in row["decisions"] if part.get("proposal") not in names]}
        if "decisions" in row
        else row
        for row in entry.rows
    )
    return replace(entry, rows=rows, returned=tuple(part for part in entry.returned if part.proposal not in items))


def without_targets(entry: BookEntry, given_up: Set[str]) -> BookEntry:
    """Return the entry without the parts of documents that had to be given up, and without what it took back.

    A change whose documents were reverted only in part is in force still, and can be taken back again.
    """
    return replace(
        entry,
        reverts=None,
        takebacks=(),
        restores=(),
        silences=(),
        documents=tuple(part for part in entry.documents if part.target not in given_up),
        closed=tuple(part for part in entry.closed if not given_up & set(part.targets)),
        returned=tuple(part for part in entry.returned if not given_up & set(part.targets)),
        known=tuple(part for part in entry.known if part.target not in given_up),
    )
