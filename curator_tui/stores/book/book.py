"""The book file of a home: making, marking, opening, upgrading, and noticing that it was copied.

Here: everything about the file as a whole. Not here: its tables (``schema``), what is read and written (``reading``,
``writing``).

The book knows its folder by the inode numbers of the home and of the folder beside it. Device numbers are noted but not
compared: they change with a restart of the machine, and a crash before that restart must not lose an open intent.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from typing import Self

from curator_tui.core.errors import NewerStore, NoStore, StoreError, Unreadable
from curator_tui.core.ledger import COPIED, new_row
from curator_tui.core.operations import Problem
from curator_tui.core.refused import REFUSED
from curator_tui.core.requests import Stamp
from curator_tui.core.text import visible
from curator_tui.stores.book.db import Db, EmptyDb, ReadDb, SqliteDb
from curator_tui.stores.book.intents import IntentWriter
from curator_tui.stores.book.looking import ReadOnlyDb
from curator_tui.stores.book.meta import FOLDERS
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.book.schema import APPLICATION_ID, TABLES, UPGRADES, VERSION
from curator_tui.stores.book.shape import foreign_rows, shape_problems, strange_parts
from curator_tui.stores.book.sqlite_errors import DAMAGED
from curator_tui.stores.failpoints import hit
from curator_tui.stores.file_errors import kind_of
from curator_tui.stores.safe_files import Folder

FOLDER_NAME = "curator-tui"
FILE_NAME = "book.sqlite"
HOME_SCOPE = "home"


class Book(IntentWriter):
    """The book of one home, open for writing.

    Attributes:
        copied: True when the home was copied since the book was last written; :meth:`adopt` must come first.
    """

    copied = False

    @classmethod
    def open_for_writing(cls, home: Folder) -> Self:
        """Open the book for writing, making or upgrading it where needed; call it under the lock of the home.

        Raises:
            NewerStore: a newer version wrote it; it is left untouched.
            Unreadable: it is no book, or its file system cannot keep it safely.
            WriteFailed: it cannot be made.
        """
        with home.open_folder(FOLDER_NAME, create=True) as folder:
            if _state(folder) is None:
                folder.write_new(FILE_NAME, b"")
                folder.fsync()
            hit("book_file_made")
            marks = _marks(home, folder)
            if not _leads_to(folder):
                raise NoStore(
                    f"{visible(home.path)} was moved or replaced while it was open.", way_out="Open it again."
                )
            db = SqliteDb(os.path.join(folder.path, FILE_NAME))
        book = cls(db, HOME_SCOPE)
        with contextlib.ExitStack() as unless_wanted:
            unless_wanted.callback(db.close)
            book._prepare(marks)
            unless_wanted.pop_all()
        return book

    def still_there(self, home: Folder) -> bool:
        """Whether the open file still is the book of the home, by descriptor and by path, with the tables it had."""
        try:
            if _number(self.db, "PRAGMA schema_version") != self._shape:
                return False
            with home.open_folder(FOLDER_NAME) as folder:
                status = folder.stat(FILE_NAME)
                return status is not None and str(status.st_ino) == self._inode and _leads_to(folder)
        except StoreError:
            return False

    def _prepare(self, marks: dict[str, str]) -> None:
        version = _version(self.db)
        check_parts(self.db)
        if version == 0:
            self._make(marks)
        elif version < VERSION:
            self._upgrade(version)
        self.copied = any(self.meta(name) != marks[name] for name in FOLDERS)
        self._marks = marks
        self._inode = str(os.stat(self.db.path).st_ino)
        self._shape = _number(self.db, "PRAGMA schema_version")

    def _make(self, marks: dict[str, str]) -> None:
        with self._file.transaction():
            for statement in TABLES:
                self._db.run(statement)
            _mark(self._db)
            self.set_meta({"chain": secrets.token_hex(8), **marks})
        hit("book_made")

    def _upgrade(self, version: int) -> None:
        with self._file.transaction():
            for step in range(version, VERSION):
                for statement in UPGRADES[step]:
                    self._db.run(statement)
            _mark(self._db)

    def adopt(self, stamp: Stamp) -> None:
        """Begin a chain of this copy: a new chain id, a first row that names the old chain and head, no open intent.

        What was under way when the home was copied belongs to the original: its temporary files may have been copied
        at another moment than the book, so nothing can be concluded from them here.
        """
        old, (seq, digest) = self.chain(), self.head()
        with self._file.transaction():
            self._db.run(
                """
                DELETE FROM memory_texts WHERE scope = :scope AND change_id IN
                    (SELECT change_id FROM memory_intents WHERE scope = :scope)
                """,
                scope=self.scope,
            )
            self._db.run("DELETE FROM memory_intents WHERE scope = :scope", scope=self.scope)
            self.set_meta({"chain": secrets.token_hex(8), REFUSED: "[]", **self._marks})
            self.append([new_row(stamp, COPIED, chain=old, head={"seq": seq, "hash": digest})])
        self.copied = False


def _mark(db: Db) -> None:
    """Mark a database as a book of the newest version."""
    db.run(f"PRAGMA application_id = {APPLICATION_ID}")
    db.run(f"PRAGMA user_version = {VERSION}")


def _state(folder: Folder) -> int | None:
    """Return the size of the book file, or None when it is missing; what is no regular file is refused."""
    status = folder.stat(FILE_NAME)
    if status is None:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(
            f"{folder.label(FILE_NAME)} is {kind_of(status.st_mode)}, not a regular file.",
            way_out="Move it away and look again.",
        )
    return status.st_size


def _leads_to(folder: Folder) -> bool:
    """Whether the path of the book, which SQLite needs, leads to the file in the open folder."""
    mine = folder.stat(FILE_NAME)
    try:
        named = os.stat(os.path.join(folder.path, FILE_NAME), follow_symlinks=False)
    except OSError:
        return False
    return mine is not None and (mine.st_dev, mine.st_ino) == (named.st_dev, named.st_ino)


def _marks(home: Folder, folder: Folder) -> dict[str, str]:
    outer, inner = home.status(), folder.status()
    return {"home inode": str(outer.st_ino), "folder inode": str(inner.st_ino), "device": str(inner.st_dev)}


def is_of_another_folder(home: Folder, book: BookReader) -> bool:
    """Whether a book that is only read says that it was made in another home, or in another folder of it."""
    if home.stat(FOLDER_NAME) is None:
        return False
    with home.open_folder(FOLDER_NAME) as folder:
        marks = _marks(home, folder)
    return any(book.meta(name) not in {None, marks[name]} for name in FOLDERS)


def _version(db: ReadDb) -> int:
    """Return the version of an opened file; 0 for one without any table.

    Raises:
        NewerStore: it is newer than we understand.
        Unreadable: it belongs to another program.
    """
    application = _number(db, "PRAGMA application_id")
    version = _number(db, "PRAGMA user_version")
    path = visible(db.path)
    if application == APPLICATION_ID and version > VERSION:
        raise NewerStore(
            f"{path} has version {version}, and this program understands {VERSION}.",
            way_out="Use the newer program; nothing was changed.",
        )
    tables = _number(db, "SELECT count(*) FROM sqlite_master")
    if application != APPLICATION_ID and (application or version or tables):
        raise Unreadable(f"{path} belongs to another program.", way_out="Move it away and look again.")
    if application and (version < 0 or (tables and not version)):
        what = f"it has version {version}" if version else "it has tables but no version"
        raise Unreadable(f"{path} is damaged: {what}.", way_out=DAMAGED)
    return version


def _number(db: ReadDb, statement: str) -> int:
    found = db.one(statement)
    return int(found[0]) if found is not None else 0


def file_damage(db: ReadDb) -> str | None:
    """Return the first thing SQLite finds wrong with the structure of the file, in words to be shown; None for none.

    Raises:
        Unreadable: it is too damaged to be looked at.
    """
    found = db.one("PRAGMA integrity_check(1)")
    words = str(found[0]).removeprefix("*** in database main ***") if found is not None else "ok"
    return None if words == "ok" else visible(" ".join(words.split()))


def check_parts(db: ReadDb, *, reading: bool = False) -> None:
    """Make sure that a book has every table, column and constraint of its version, and nothing that misleads.

    Args:
        db: the book.
        reading: look only for what it lacks, which would be read.

    Raises:
        Unreadable: it is not as it was made; what is wrong is named.
    """
    if (version := _version(db)) == 0:
        return
    if found := [one.words for one in strange_parts(db, version) if (one.lacks if reading else one.misleads)]:
        raise Unreadable(f"{visible(db.path)} is damaged: {', '.join(found)}.", way_out=DAMAGED)


def part_problems(db: ReadDb) -> list[Problem]:
    """Name what of a book is not as its version makes it, and rows of another scope.

    Raises:
        Unreadable: it lacks what everything else is read from.
    """
    check_parts(db, reading=True)
    version = _version(db)
    return [*shape_problems(db, version), *foreign_rows(db, version, HOME_SCOPE)] if version else []


def open_existing(home: Folder) -> BookReader | None:
    """Open the book for reading; None when there is none yet. Creates nothing.

    One of an older version is read as it is: what that version did not know it holds none of, and the next verb that
    writes upgrades it.

    Raises:
        NewerStore: a newer version wrote it.
        Unreadable: it cannot be read or is no book.
    """
    if home.stat(FOLDER_NAME) is None:
        return None  # a folder made in this very moment holds nothing that was acknowledged before we looked
    try:
        folder = home.open_folder(FOLDER_NAME)
    except NoStore as error:
        raise Unreadable(error.message, way_out="Move it away and look again.") from error
    with folder:
        if _state(folder) in {None, 0}:
            return None
    db = ReadOnlyDb(os.path.join(home.path, FOLDER_NAME, FILE_NAME))
    with contextlib.ExitStack() as unless_wanted:
        unless_wanted.callback(db.close)
        if _version(db) == 0:
            return None
        unless_wanted.pop_all()
    return BookReader(db, HOME_SCOPE)


def open_reader(home: Folder) -> BookReader:
    """Open the book for reading, or an empty one, which has no answer to any question, where there is none yet.

    Raises:
        NewerStore: a newer version wrote it.
        Unreadable: it cannot be read or is no book.
    """
    found = open_existing(home)
    if found is not None:
        return found
    db = EmptyDb()
    for statement in TABLES:
        db.run(statement)
    _mark(db)
    return BookReader(db, HOME_SCOPE)
