"""Rows of the ledger as a file that a person named: JSON Lines as they are chained, or CSV for a table.

Here: the lines of both forms, and writing them into a new file. Not here: which rows (``ledger_queries``), the cells of
a table (``core.ledger_facts``). Nothing of a person's is ever overwritten, and what was not written whole is removed.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Generator, Iterable, Iterator

from curator_tui.core.errors import UsageError
from curator_tui.core.ledger_filters import LedgerFilter
from curator_tui.core.text import ascii_visible, visible
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_queries import LedgerRow, csv_lines, every

_TABLE = ".csv"
_AT_ONCE = 200  # lines of a step


def is_table(path: str) -> bool:
    """Whether the name of a file asks for CSV."""
    return path.casefold().endswith(_TABLE)


def json_line(row: LedgerRow) -> str:
    """Return a row as it is chained: its number, its hash, and the very text that was hashed."""
    text = json.dumps({"seq": row.seq, "hash": row.hash, "body": row.body}, ensure_ascii=True)
    return text.replace("\x7f", "\\u007f")  # the one control character that JSON does not ask to be escaped


def table_lines(desk: Desk, wanted: LedgerFilter) -> Iterator[str]:
    """Yield rows as lines of CSV, the names of the columns first; whatever acts or hides is made visible."""
    return (ascii_visible(line, newlines=False) for line in csv_lines(desk, wanted))


def saving(desk: Desk, wanted: LedgerFilter, path: str) -> Generator[int, None, int]:
    """Write the rows that a filter means into a new file, in the form that its name asks for.

    Yields how many were written so far, and returns how many there are. Given up halfway, it removes the file again.

    Raises:
        UsageError: the file exists or cannot be written.
        Unreadable: the book cannot be read.
    """
    if is_table(path):
        return (yield from write_new(path, table_lines(desk, wanted))) - 1  # without the names of the columns
    return (yield from write_new(path, map(json_line, every(desk, wanted))))


def write_new(path: str, lines: Iterable[str], encoding: str = "ascii") -> Generator[int, None, int]:
    """Write lines into a file that did not exist, readable by its owner only.

    Yields how many were written so far, and returns how many there are.

    Raises:
        UsageError: the file exists or cannot be written.
    """
    name = visible(path, newlines=False)
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError as error:
        raise UsageError(f"{name} exists; it is left as it is.", way_out="Name a new file.") from error
    except (OSError, ValueError) as error:
        raise _unwritten(name, error) from error
    written, whole = 0, False
    try:
        with open(fd, "w", encoding=encoding, newline="\n") as stream:
            for line in lines:
                stream.write(f"{line}\n")
                written += 1
                if not written % _AT_ONCE:
                    yield written
        whole = True
    except OSError as error:
        raise _unwritten(name, error) from error
    finally:
        if not whole:
            with contextlib.suppress(OSError):
                os.unlink(path)
    return written


def _unwritten(name: str, error: OSError | ValueError) -> UsageError:
    cause = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else "not a usable name"
    return UsageError(f"{name} cannot be written: {cause}.", way_out="Name another file.")
