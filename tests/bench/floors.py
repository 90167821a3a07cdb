"""Floors: the least that the same work can cost with plain calls, measured in the same run as ours.

Here: reading and parsing records without any safety, replacing files durably, one durable SQLite commit. Not here: the
bare Textual applications (``bare_app``), timing.
"""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any


def read_and_parse(folder: Path) -> list[Any]:
    """Read every record of a folder with nothing but open, read and parse."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with open(entry.path, "rb") as file:
                found.append(json.loads(file.read()))
    return found


class DurableFloor:
    """Three files replaced durably and one durable commit: what an approval cannot do without.

    Three, because the new document, the image of the old one and the record that leaves are three files.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        self._db = sqlite3.connect(folder / "book.db", isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("CREATE TABLE rows (seq INTEGER PRIMARY KEY, body BLOB)")

    def once(self) -> None:
        """Do it once."""
        for name in ("one", "two", "three"):
            self._replace(name, os.urandom(2_000))
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("INSERT INTO rows (body) VALUES (?)", (os.urandom(1_000),))
        self._db.execute("COMMIT")

    def _replace(self, name: str, raw: bytes) -> None:
        temp = f".{name}.tmp"
        fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=self._fd)
        os.write(fd, raw)
        os.fsync(fd)
        os.close(fd)
        os.rename(temp, name, src_dir_fd=self._fd, dst_dir_fd=self._fd)
        os.fsync(self._fd)

    def close(self) -> None:
        """Let go of the files."""
        self._db.close()
        os.close(self._fd)
