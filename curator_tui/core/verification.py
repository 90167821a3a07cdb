"""Verification: whether the chain is whole, and whether every text that is still kept is the one its row was made of.

Here: holding rows against each other, against kept texts and against a checkpoint; each fault is named once, in the
same words whoever asks. Not here: how a row commits to a text (``recording``), where texts are kept (the stores).

A text whose salt or body is gone (pruned, erased) proves nothing any more and is counted as open. What stands in the
place of a text may be anything; nothing here raises on it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from curator_tui.core.changes import Backup, PastChange, Row
from curator_tui.core.documents import FILE_NAMES, Target
from curator_tui.core.errors import StoreError
from curator_tui.core.ledger import GENESIS, SealedRow, chained, row_hash, verify_checkpoint, verify_commitment
from curator_tui.core.operations import Problem
from curator_tui.core.recording import FIRST_SEEN, OBSERVED, SALTED, image_salt, record_salt
from curator_tui.core.text import visible

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
    steps = verifying(rows, held, kept)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            found: Verification = done.value
            return found


def verifying(
    rows: Iterable[SealedRow], held: Callable[[Row], Held], kept: Mapping[str, Any] | None = None
) -> Generator[int, None, Verification]:
    """Verify row by row (see :func:`verify`), so that a long ledger can be verified beside other work.

    Yields how many rows were verified so far, and returns what was found.
    """
    problems: list[Problem] = []
    hashes: dict[int, str] = {}
    number, checked, gone = 0, 0, 0
    head = (0, GENESIS)
    change = _OneChange()
    for sealed, found in chained(rows):
        problems.extend(found)
        row = sealed.row
        here = _held(sealed, row, held, problems) if row is not None and not found else None
        if row is None or here is None:
            change.torn = change.doubt = True
        else:
            answers = [(claim, claim.agrees()) for claim in claims(row, here)]
            checked += sum(agrees is not None for _, agrees in answers)
            gone += sum(agrees is None for _, agrees in answers)
            problems.extend(_altered(sealed, claim) for claim, agrees in answers if agrees is False)
            if row["change"] != change.id:
                problems.extend(change.unbound())
                change = _OneChange(row["change"], torn=change.doubt)
            change.add(sealed.seq, row, here)
        number, head = number + 1, (sealed.seq, sealed.hash)
        hashes[sealed.seq] = sealed.hash
        yield number
    problems.extend(change.unbound())
    if kept is not None and (missed := verify_checkpoint(hashes, kept)) is not None:
        problems.append(missed)
    against = kept.get("seq") if kept is not None and isinstance(kept.get("seq"), int) else None
    return Verification(number, head, tuple(problems), checked, gone, against)


def _held(sealed: SealedRow, row: Row, held: Callable[[Row], Held], problems: list[Problem]) -> Held | None:
    """Return what is kept for a row; None where that cannot be read, which is added to the problems."""
    try:
        return held(row)
    except StoreError as error:
        said = f"row {sealed.seq}: what is kept of its change cannot be read: {error.message}"
        problems.append(Problem("change-unreadable", said, (sealed.seq, row["change"])))
        return None


def _altered(sealed: SealedRow, claim: Claim) -> Problem:
    said = f"row {sealed.seq}: the kept {claim.what} is not what the row was made of"
    return Problem("text-altered", said, (sealed.seq,))


def disagreement(
    rows: Iterable[SealedRow], change: PastChange, held: Held, *, records_only: bool = False
) -> str | None:
    """Return in words what keeps a change from being taken back: what is kept of it is not what its rows say.

    What would be written has to be proven: without its salt, or without a row that binds it, it is refused; so is a
    change of which a document is gone, because reverting it would leave that document as it is.

    Args:
        rows: the ledger rows of the change; those of others among them do not count.
        change: the change, as the book knows it.
        held: what is kept of the texts that would be written.
        records_only: only records would be written.
    """
    bound, own = _Bound(), False
    for sealed in rows:
        row = sealed.row
        if row is None or row_hash(sealed.body) != sealed.hash:
            return f"row {sealed.seq} is damaged"
        if row["change"] != change.id or row["action"] in OBSERVED:
            continue
        own = True
        bound.add(row)
        for claim in claims(row, held):
            if claim.kept and not claim.agrees():
                return f"the kept {claim.what} is not what row {sealed.seq} was made of"
    if not own and (held.after or change.closed or change.returned):  # what only observed has nothing of its own
        return "it has no row in the ledger"
    gone = [] if records_only else [target for target in Target if target in bound.documents - set(held.after)]
    if gone:
        return f"its text of {FILE_NAMES[gone[0]]} is not kept any more"
    unbound = next(bound.without(held), None)
    return f"no row binds its {unbound}" if unbound is not None else None


class _Bound(Struct):
    """What the rows of one change bind: the documents it altered, and the records it kept by their names in rows."""

    documents: set[str] = field(default_factory=set)
    records: set[str] = field(default_factory=set)

    def add(self, row: Mapping[str, Any]) -> None:
        """Take in one row of the change, none about what others wrote."""
        self.documents.update(row.get("documents", {}))
        decisions = row.get("decisions", ())
        self.records.update(part["proposal"] for part in decisions if "commit" in (part.get("record") or {}))

    def without(self, held: Held) -> Iterator[str]:
        """Return in words what is kept of the change and bound by none of its rows."""
        yield from (f"text of {FILE_NAMES[target]}" for target in held.after if target not in self.documents)
        kept = (name for name, raw in held.records.items() if raw is not None)
        yield from (f"record of {visible(name, newlines=False)}" for name in kept if name not in self.records)


class _OneChange(Struct):
    """The rows of one change, as verifying walks through them.

    Attributes:
        id: the change; empty before the first row.
        torn: one of its rows may be damaged, so that nothing can be said of what is not bound.
        doubt: the last row was damaged and may belong to the next change.
    """

    id: str = ""
    torn: bool = False
    doubt: bool = False
    seq: int = 0
    held: Held = field(default_factory=Held)
    bound: _Bound = field(default_factory=_Bound)

    def add(self, seq: int, row: Row, held: Held) -> None:
        """Take in one row, with what is kept of the change."""
        self.seq, self.held, self.doubt = seq, held, False
        if row["action"] not in OBSERVED:
            self.bound.add(row)

    def unbound(self) -> Iterator[Problem]:
        """Name what is kept of the change and bound by none of its rows."""
        for what in () if self.torn else self.bound.without(self.held):
            said = f"row {self.seq}: no row binds the {what} that is kept of its change"
            yield Problem("text-unbound", said, (self.seq, self.id))


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


def _image_troubles(row: Mapping[str, Any], where: str, backup: Backup, salts: Mapping[str, bytes]) -> Iterator[str]:
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


def problems_of(check: Callable[[], Iterable[Problem]]) -> list[Problem]:
    """Make one check; one that cannot be made is itself a problem and hides none of the others."""
    try:
        return list(check())
    except StoreError as error:
        return [Problem(error.code, str(error))]
