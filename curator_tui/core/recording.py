"""Recording: the rows, images, salts and notes that go with a change.

Here: what every change carries beside its effect, and what is recorded about states that others wrote. Not
here: the effect itself (``decisions``, ``corrections``, ``reverts`` …), the form of a row (``ledger``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from curator_tui.core.changes import FIRST_IMAGE, KNOWN_IMAGE, Change, Image, KeptText, Receipt, Row, View, image_id
from curator_tui.core.documents import FILE_NAMES, TARGETS, Document, Standing, Target, parse, standing
from curator_tui.core.ledger import committed, new_row
from curator_tui.core.preflight import State
from curator_tui.core.refused import REFUSED, Refused, tell
from curator_tui.core.requests import OUTSIDE, Request, Stamp
from curator_tui.core.splicing import Spliced
from curator_tui.core.times import utc_stamp

MOVED = "the outcome is not the one that was shown; nothing was written"
"""Why something that was asked for did not happen although nothing is wrong with it."""

NOTE = "note"
ENTRY = "entry"
# Kinds of texts that a row names and binds: a person's words, and the entry they are about.
WORDS = frozenset({NOTE, ENTRY})
# The part of a row that binds what a store has recorded of the change, and under what its salt is kept.
BOOK = "book"
FIRST_SEEN = "first seen"
CHANGED_OUTSIDE = "outside"
# Actions of rows about states that others wrote, and under which salt each moment of a document stands in them: beside
# the salts of our own change, which has the same id.
OBSERVED = frozenset({FIRST_SEEN, CHANGED_OUTSIDE})
SALTED: Mapping[str, str] = {"before": "known", "after": "found"}


def record_salt(item: str) -> str:
    """Return under what the salt of a record is kept, behind the change id; ``item`` is its name in rows."""
    return f"record:{item}"


def deferral_salt(item: str) -> str:
    """Return under what the salt of a deferral is kept, behind the change id; ``item`` is its name in rows."""
    return f"deferral:{item}"


def image_salt(image: str, target: Target) -> str:
    """Return under what the salt of one file of an image is kept, behind the change id."""
    return f"image:{image}:{target}"


def size_of_raw(target: Target, raw: bytes | None) -> int:
    """Return the size of a document's bytes in code points; what cannot be decoded counts in bytes."""
    document = parse(target, raw)
    return document.size if document.usable else len(raw or b"")


class Recorder(Struct):
    """Collects what has to be stored beside the effect of one change; every salt it hands out is kept."""

    stamp: Stamp
    texts: list[KeptText] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)

    def salt(self, what: str) -> bytes:
        """Return a fresh salt for a commitment and keep it under ``<change>:<what>``."""
        salt = self.stamp.salt(what)
        self.texts.append(KeptText(f"{self.stamp.change}:{what}", "salt", b"", salt))
        return salt

    def note(self, about: str, words: str) -> str:
        """Keep a person's words as a text of their own and return its id; empty for no words."""
        if not words:
            return ""
        return self._words(NOTE, about, words)

    def entry(self, about: str, text: str) -> str:
        """Keep the text of an entry that a row is about and return its id."""
        return self._words(ENTRY, about, text)

    def _words(self, kind: str, about: str, words: str) -> str:
        name = f"{self.stamp.change}:{kind}:{len(self.texts)}"
        salt = self.stamp.salt(f"{kind}:{about}")
        self.texts.append(KeptText(name, kind, words.encode("utf-8", "surrogatepass"), salt))
        return name

    def image(self, before: Mapping[Target, bytes | None], view: View, reason: str, suffix: str = "") -> str:
        """Make an image of both documents: those in ``before`` with these bytes, others as they are now."""
        files = {
            target: before[target] if target in before else view.snapshot.document(target).raw
            for target in TARGETS
            if target in before or view.snapshot.document(target).seen
        }
        name = image_id(utc_stamp(self.stamp.at), self.stamp.change, suffix)
        self.images.append(Image(name, files, reason))
        return name

    def documents(self, before: Mapping[Target, bytes | None], after: Mapping[Target, bytes | None]) -> dict[str, Any]:
        """Return what a row holds of the documents a change touches: sizes and commitments."""
        return {
            str(target): {
                "before": self._part(target, "before", before.get(target)),
                "after": self._part(target, "after", after[target]),
            }
            for target in TARGETS
            if target in after
        }

    def _part(self, target: Target, moment: str, raw: bytes | None) -> dict[str, Any]:
        if raw is None:
            return {"absent": True}
        return committed(self.salt(f"{target}:{moment}"), raw, size_of_raw(target, raw))

    def image_part(self, image: Image) -> dict[str, Any]:
        """Return what a row holds of an image: a commitment per file."""
        return {
            FILE_NAMES[target]: {"absent": True}
            if raw is None
            else committed(self.salt(image_salt(image.id, target)), raw, size_of_raw(target, raw))
            for target, raw in image.files.items()
        }

    def finish(self, change: Change, view: View, request: Request, receipt: Receipt) -> Change:
        """Add what others wrote, pins, images and texts; what does nothing of its own may still observe.

        Repeats of a refused attempt become a number, which the first change after their minute tells.
        """
        first = observed(self, view)
        told = tell(view.refused, change.rows, self.stamp.at)
        rows = [*first, *(self._number(one) for one in told.due), *told.rows]
        known = {
            target: view.snapshot.document(target).raw for target in TARGETS if view.snapshot.document(target).seen
        }
        known.update(change.documents)
        rows = [self._with_notes(self._with_image(row)) for row in rows]
        if rows:
            self.salt(BOOK)  # the store binds what it records of the change, once it knows all of it
        wanted = {pinned.proposal: pinned for pinned in request.sighted if pinned.proposal not in view.pins}
        return replace(
            change,
            receipt=receipt,
            rows=tuple(rows),
            images=tuple(self.images),
            texts=tuple(self.texts),
            pinned=tuple(wanted.values()),
            known=known if rows else {},
            refused=told.counting,
        )

    def _number(self, refused: Refused) -> Row:
        """Return the row that says how often an attempt was repeated; its actor is who made the attempts."""
        return {**new_row(self.stamp, REFUSED), **refused.number()}

    def _with_image(self, row: Row) -> Row:
        image = next((image for image in self.images if image.id == row.get("backup")), None)
        return {**row, "image": self.image_part(image)} if image is not None else row

    def _with_notes(self, row: Row) -> Row:
        """Bind the words a row names: an id alone would not tell other words under the same id."""
        named = {row.get("note"), row.get("entry"), *(part.get("note") for part in row.get("decisions", ()))}
        notes = {
            text.id: committed(text.salt, text.body, len(text.body))
            for text in self.texts
            if text.kind in WORDS and text.id in named
        }
        return {**row, "notes": notes} if notes else row


def refused_change(view: View, request: Request, receipt: Receipt) -> Change:
    """Return the change of a request that was refused: one row for what a scanner holds back, else nothing."""
    change, failed = Change(request.stamp.change, request.kind, receipt), receipt.not_applied[0]
    if failed.state != State.FLAGGED:
        return change
    row = new_row(request.stamp, REFUSED, reason=failed.code)
    return Recorder(request.stamp).finish(replace(change, rows=(row,)), view, request, receipt)


def observed(recorder: Recorder, view: View) -> list[Row]:
    """Return rows for states we did not write: ``first seen`` at first contact, else ``outside``.

    The image is of the last known bytes, so that every state that stood between two of our looks can be
    restored; at first contact it is of what stands there.
    """
    strange = {
        target: document
        for target in TARGETS
        if (document := view.snapshot.document(target)).seen and _differs(view, target, document)
    }
    if not strange:
        return []
    first = all(target not in view.known for target in strange)
    if first:
        image = recorder.image({}, view, FIRST_SEEN, FIRST_IMAGE)
    else:
        image = recorder.image(view.known, view, "before a change from outside", KNOWN_IMAGE)
    before = {target: view.known.get(target) for target in strange if target in view.known}
    after = {target: document.raw for target, document in strange.items()}
    documents = _observed_documents(recorder, before, after)
    action = FIRST_SEEN if first else CHANGED_OUTSIDE
    return [new_row(recorder.stamp, action, OUTSIDE, documents=documents, backup=image)]


def _observed_documents(
    recorder: Recorder, before: Mapping[Target, bytes | None], after: Mapping[Target, bytes | None]
) -> dict[str, Any]:
    return {
        str(target): {
            **({"before": _observed_part(recorder, target, "before", before[target])} if target in before else {}),
            "after": _observed_part(recorder, target, "after", after[target]),
        }
        for target in after
    }


def _observed_part(recorder: Recorder, target: Target, moment: str, raw: bytes | None) -> dict[str, Any]:
    if raw is None:
        return {"absent": True}
    return committed(recorder.salt(f"{target}:{SALTED[moment]}"), raw, size_of_raw(target, raw))


def _differs(view: View, target: Target, document: Document) -> bool:
    if target not in view.known:
        return document.raw is not None
    return view.known[target] != document.raw


def receipt_sizes(view: View, after: Mapping[Target, bytes | None]) -> dict[Target, Standing]:
    """Return how both documents stand after a change."""
    return {
        target: standing(
            parse(target, after[target]) if target in after else view.snapshot.document(target),
            view.snapshot.limits.get(target),
        )
        for target in TARGETS
    }


def document_notes(view: View, spliced: Mapping[Target, Spliced]) -> tuple[str, ...]:
    """Return what is worth saying about how bytes were written."""
    notes: list[str] = []
    for target, part in spliced.items():
        name = FILE_NAMES[target]
        if part.dropped_mark:
            notes.append(f"the byte-order mark at the start of {name} was dropped")
        if part.canonical:
            notes.append(f"{name} was written anew in canonical form: its old layout would not have read back right")
        elif (document := parse(target, part.raw)).locked_for_hermes(view.snapshot.limits.get(target)):
            why = "it was edited by hand" if document.drifted else "one of its entries alone is over the limit"
            notes.append(f"Hermes refuses its own replace and remove in {name}: {why}")
    return tuple(notes)
