"""Trial: whether the book in a parcel holds together, seen in a database that is no file and is dropped again.

Here: the checks every store makes of its own book, made of a parcel before anything is stored. Not here: the checks
themselves (``core.verification``, ``checking``), what a parcel may hold at all (``core.importing``).
"""

from __future__ import annotations

from collections.abc import Iterator

from curator_tui.core.accounts import account_problems
from curator_tui.core.changes import Backup
from curator_tui.core.commitments import told_once
from curator_tui.core.documents import Target
from curator_tui.core.errors import StoreError
from curator_tui.core.importing import moment_of, parcel_problems
from curator_tui.core.operations import Problem
from curator_tui.core.parcels import Parcel
from curator_tui.core.verification import problems_of, verify
from curator_tui.stores.book.accounts import accounts
from curator_tui.stores.book.carrying import load_book
from curator_tui.stores.book.checking import aside_problems, commitment_problems, missing_images
from curator_tui.stores.book.db import EmptyDb, ReadDb
from curator_tui.stores.book.kept import held_for
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.book.schema import TABLES

_SCOPE = "trial"


class _TrialReader(BookReader):
    """A book that lies nowhere and has no name of its own yet."""

    is_file = False

    def __init__(self, db: EmptyDb, chain: str) -> None:
        super().__init__(db, _SCOPE)
        self._chain = chain

    def over(self, db: ReadDb) -> BookReader:  # noqa: ARG002 - nobody else has it
        """Return this book."""
        return self

    def has_asides(self) -> bool:
        """Return True: the tables are there."""
        return True


def trial_problems(parcel: Parcel) -> list[Problem]:
    """Return everything that does not hold together; empty when all does."""
    problems = list(parcel_problems(parcel))
    if problems:
        return problems
    db = EmptyDb()
    try:
        for statement in TABLES:
            db.run(statement)
        load_book(db, _SCOPE, parcel)
        db.run("INSERT INTO memory_meta (scope, name, value) VALUES (:scope, 'chain', :chain)", scope=_SCOPE,
               chain=parcel.chain or "0" * 16)  # fmt: skip
        return told_once(_checked(_TrialReader(db, parcel.chain), parcel))
    except StoreError as error:
        return [Problem("parcel-book", f"its book cannot be stored: {error.message}")]
    finally:
        db.close()


def _checked(book: BookReader, parcel: Parcel) -> Iterator[Problem]:
    images = images_of(parcel)
    for check in (
        lambda: verify(book.rows(), lambda row: held_for(images.get, book, row)).problems,
        lambda: missing_images(book.heads(), images),
        lambda: account_problems(*accounts(book)),
        lambda: aside_problems(book),
        lambda: commitment_problems(book),
    ):
        yield from problems_of(check)


def images_of(parcel: Parcel) -> dict[str, Backup]:
    """Return the images in a parcel by their names."""
    files: dict[str, dict[Target, bytes | None]] = {}
    for image, target, body in parcel.rows("image_files"):
        assert body is None or isinstance(body, bytes)
        files.setdefault(str(image), {})[Target(str(target))] = body
    return {
        str(name): Backup(str(name), moment_of(str(at)) or 0.0, str(change), files.get(str(name), {}))
        for name, change, at, _ in parcel.rows("images")
    }
