"""Verification: whether the chain is whole, and whether every text that is still kept is the one its row was made of.

Here: holding rows against each other, against kept texts and against a checkpoint; each fault is named once, in the
same words whoever asks. Not here: how a row commits to a text (``recording``), where texts are kept (the stores).

A text whose salt or body is gone (pruned, erased) proves nothing any more and is counted as open. What stands in the
place of a text may be anything; nothing here raises on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from curator_tui.core.changes import Backup, PastChange, Row
from curator_tui.core.documents import FILE_NAMES, Target
from curator_tui.core.ledger import GENESIS, SealedRow, chained, row_hash, verify_checkpoint, verify_commitment
from curator_tui.core.operations import Problem
from curator_tui.core.recording import FIRST_SEEN, OBSERVED, SALTED, image_salt, record_salt

_Documents = Mapping[Target, bytes | None]


class Held(Struct, frozen=True):
    """What is still kept of the texts that one row names; what is not in here was pruned, erased or never kept.

    Attributes:
        salts: by the id they are kept under.
        before: bytes of each document before the change (None: there was none).
        after: bytes of each document after it.
        seen: bytes of each document as the change last knew it, where they are kept under its name.
        image: the files of the image the row names.
        records: bytes of the records that left the queue, by the name a row has for the item (None: the book says
            that nothing was kept).
        notes: a person's words, by text id.
    """

    salts: Mapping[str, bytes] = field(default_factory=dict)
    before: _Documents = field(default_factory=dict)
    after: _Documents = field(default_factory=dict)
    seen: _Documents = field(default_factory=dict)
    image: _Documents = field(default_factory=dict)
    records: Mapping[str, bytes | None] = field(default_factory=dict)
    notes: Mapping[str, bytes] = field(default_factory=dict)


class Verification(Struct, frozen=True):
    """What verifying the ledger found.

    Attributes:
        rows: number of rows.
        head: sequence number and hash of the newest row.
        problems: what does not agree; empty when all is well.
        checked: commitments that were held against a kept text.
        open: commitments whose text or salt is gone; they prove nothing any more.
        against: the sequence number of the checkpoint compared with, None when none was given.
    """

    rows: int
    head: tuple[int, str]
    problems: tuple[Problem, ...]
    checked: int
    open: int
    against: int | None


class Claim(Struct, frozen=True):
    """One text that a row names: in words, what the row says of it, and what is kept."""

    what: str
    part: Mapping[str, Any]
    salt: bytes | None
    kept: bool
    data: bytes | None

    def agrees(self) -> bool | None:
        """Whether what is kept is what the row says; None when that cannot be told."""
        if not self.kept:
            return None
        if self.part.get("absent") or self.data is None:
            return bool(self.part.get("absent")) == (self.data is None)
        return verify_commitment(self.part, self.salt, self.data)


def verify(
    rows: Iterable[SealedRow], held: Callable[[Row], Held], kept: Mapping[str, Any] | None = None
) -> Verification:
    """Verify the chain, every commitment whose text is still kept, and a checkpoint where one is given.

    Args:
        rows: the ledger, oldest row first.
        held: tells what is still kept for a row.
        kept: a checkpoint that was kept elsewhere.
    """
    problems: list[Problem] = []
    hashes: dict[int, str] = {}
    number, checked, gone = 0, 0, 0
    head = (0, GENESIS)
    for sealed, found in chained(rows):
        problems.extend(found)
        row = sealed.row
        if row is not None and not found:
            answers = [(claim, claim.agrees()) for claim in claims(row, held(row))]
            checked += sum(agrees is not None for _, agrees in answers)
            gone += sum(agrees is None for _, agrees in answers)
            problems.extend(_altered(sealed, claim) for claim, agrees in answers if agrees is False)
        number, head = number + 1, (sealed.seq, sealed.hash)
        hashes[sealed.seq] = sealed.hash
    if kept is not None and (missed := verify_checkpoint(hashes, kept)) is not None:
        problems.append(missed)
    against = kept.get("seq") if kept is not None and isinstance(kept.get("seq"), int) else None
    return Verification(number, head, tuple(problems), checked, gone, against)


def _altered(sealed: SealedRow, claim: Claim) -> Problem:
    return Problem("text-altered", f"row {sealed.seq}: the kept {claim.what} is not what the row was made of")


def disagreement(rows: Iterable[SealedRow], change: PastChange, held: Held) -> str | None:
    """Return in words what keeps a change from being taken back: what is kept of it is not what its rows say.

    What is gone says nothing, but what would be written has to be proven: without its salt it is refused as well.

    Args:
        rows: the ledger rows of the change; those of others among them do not count.
        change: the change, as the book knows it.
        held: what is kept of the texts that would be written.
    """
    bound: set[str] = set()
    own = False
    for sealed in rows:
        row = sealed.row
        if row is None or row_hash(sealed.body) != sealed.hash:
            return f"row {sealed.seq} is damaged"
        if row["change"] != change.id or row["action"] in OBSERVED:
            continue
        own = True
        bound.update(row.get("documents", {}))
        for claim in claims(row, held):
            if claim.kept and not claim.agrees():
                return f"the kept {claim.what} is not what row {sealed.seq} was made of"
    if not own and (held.after or change.closed or change.returned):  # what only observed has nothing of its own
        return "it has no row in the ledger"
    unbound = [FILE_NAMES[target] for target in held.after if target not in bound]
    return f"no row binds its text of {unbound[0]}" if unbound else None


def claims(row: Mapping[str, Any], held: Held) -> Iterator[Claim]:
    """Yield every text a row names, with what is kept of it."""
    change = str(row["change"])
    yield from (claim for _, _, claim in document_claims(row, held))
    yield from _files(row, change, held)
    for decision in row.get("decisions", ()):
        record = decision.get("record") or {}
        if "commit" in record:
            name = decision["proposal"]
            salt = held.salts.get(f"{change}:{record_salt(name)}")
            yield _claim(f"record of {name}", record, salt, name, held.records)
    for name, part in row.get("notes", {}).items():
        yield _claim("note", part, held.salts.get(name), name, held.notes)


def names_image(sealed: SealedRow, image: str) -> bool:
    """Whether a row is the one that an image was made with; a row that cannot be read is not."""
    row = sealed.row
    return row is not None and row.get("backup") == image and "image" in row


def image_trouble(sealed: SealedRow | None, backup: Backup, salts: Mapping[str, bytes]) -> str | None:
    """Return in what an image is not the one its row was made of; None when the row bears out all of it.

    Args:
        sealed: the newest row that names the image, or None for none.
        backup: the image as it stands.
        salts: those kept with its change.
    """
    row = sealed.row if sealed is not None else None
    if sealed is None or row is None:
        return "no row of the ledger names it"
    if row_hash(sealed.body) != sealed.hash:
        return f"row {sealed.seq}, which names it, does not match its hash"
    return next(_image_troubles(row, f"row {sealed.seq}", backup, salts), None)


def _image_troubles(
    row: Mapping[str, Any], where: str, backup: Backup, salts: Mapping[str, bytes]
) -> Iterator[str]:
    change = str(row["change"])
    if backup.change != change:
        yield f"it names another change than {where} does"
    if set(row["image"]) != {FILE_NAMES[target] for target in backup.files}:
        yield f"it does not hold the documents that {where} names"
    for claim in _files(row, change, Held(salts=salts, image=backup.files)):
        agrees = claim.agrees()
        if agrees is None:
            yield f"the {claim.what} cannot be held against {where} any more"
        elif not agrees:
            yield f"the kept {claim.what} is not what {where} was made of"


def _files(row: Mapping[str, Any], change: str, held: Held) -> Iterator[Claim]:
    for name, part in row.get("image", {}).items():
        target = next((target for target, file in FILE_NAMES.items() if file == name), None)
        if target is not None:
            salt = held.salts.get(f"{change}:{image_salt(str(row.get('backup')), target)}")
            yield _claim(f"backup of {name}", part, salt, target, held.image)


def document_claims(row: Mapping[str, Any], held: Held) -> Iterator[tuple[Target, str, Claim]]:
    """Yield every text of a document that a row names: which document, at which moment, and what is kept of it."""
    action, change = row.get("action"), str(row["change"])
    for name, moments in row.get("documents", {}).items():
        target = Target(name)
        for moment, part in moments.items():
            if action in OBSERVED:
                what, sources = SALTED.get(moment, moment), _observed(str(action), moment, held)
            else:
                what, sources = moment, (held.before if moment == "before" else held.after,)
            salt = held.salts.get(f"{change}:{target}:{what}")
            source = next((source for source in sources if target in source), {})
            yield target, moment, _claim(f"text of {FILE_NAMES[target]} {moment}", part, salt, target, source)


def _observed(action: str, moment: str, held: Held) -> tuple[_Documents, ...]:
    """Return where the bytes may stand that others wrote, or that we knew before they did."""
    if action == FIRST_SEEN:
        return (held.image,)
    # the image is of what we knew; what was found is what our own change began from, or is all we know now
    return (held.image,) if moment == "before" else (held.before, held.seen)


def _claim(what: str, part: Mapping[str, Any], salt: bytes | None, name: Any, source: Mapping[Any, Any]) -> Claim:
    return Claim(what, part, salt, name in source, source.get(name))
