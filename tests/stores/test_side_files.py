"""What stands beside a database under the names of SQLite's own files: a pipe there would make it wait for ever."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curator_tui.core.errors import Unreadable
from curator_tui.stores.book.book import open_existing
from curator_tui.stores.book.db import SqliteDb
from curator_tui.stores.book.looking import ReadOnlyDb
from curator_tui.stores.file_errors import check_database
from curator_tui.stores.safe_files import Folder
from tests.stores.homes import MEMORY, added, correct, make_home, open_store, planned


@pytest.fixture
def home(tmp_path: Path) -> Path:
    found = make_home(tmp_path / "home")
    store = open_store(found)
    store.transact(correct("one"), planned({MEMORY: added("one")}))
    store.close()
    return found


@pytest.mark.parametrize("ending", ["-journal", "-wal", "-shm"])
def test_a_pipe_beside_the_book_is_named_and_never_waited_for(home: Path, ending: str) -> None:
    os.mkfifo(home / "curator-tui" / f"book.sqlite{ending}")
    book = str(home / "curator-tui" / "book.sqlite")
    named = f"book.sqlite{ending} is a named pipe, not a regular file"
    for kind in (SqliteDb, ReadOnlyDb):
        with pytest.raises(Unreadable, match=named):
            kind(book)
    with Folder.open(home) as folder, pytest.raises(Unreadable, match=named):
        open_existing(folder)
    with pytest.raises(Unreadable, match=named):
        open_store(home).transact(correct("two"), planned({MEMORY: added("two")}))


def test_missing_and_regular_side_files_are_nobodys_business(tmp_path: Path) -> None:
    check_database(str(tmp_path / "none.sqlite"))
    for ending in ("", "-journal", "-wal", "-shm"):
        (tmp_path / f"a.sqlite{ending}").touch()
    check_database(str(tmp_path / "a.sqlite"))


def test_a_link_beside_a_database_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").touch()
    (tmp_path / "a.sqlite-wal").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Unreadable, match=r"a\.sqlite-wal is a symbolic link"):
        check_database(str(tmp_path / "a.sqlite"))
