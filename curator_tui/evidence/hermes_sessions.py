"""Evidence from Hermes's own session store, ``state.db``: which words of a person stand behind a waiting record.

Here: reading that database by column name and tolerating what is missing (``hermes`` section 9). Not here: anything
that writes it, its schema, the display of what was found.

A record holds no provenance, but the tool result that the agent got back holds its id. Records of an unattended review
leave no row at all; for those the session nearest before their time is offered and called a guess. Missing, locked,
damaged or older: the answer is "none" with a note, never an exception. Attaching read-only lets SQLite make its two
side files (``-wal``, ``-shm``) where they are missing; nothing else is touched.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import quote

from curator_tui.core.proposals import Proposal
from curator_tui.core.text import visible
from curator_tui.evidence.port import Evidence, Quote

# Messages the scan looks at where the full-text index is missing or has no row, newest first.
SCAN_LIMIT = 5_000
# A review runs right after a turn; a message further away than this says nothing about a record.
NEAR_SECONDS = 24 * 3600.0
_SIDE_FILES = ("-journal", "-wal", "-shm")
_TIME_LIMIT = 1.0
_STEPS_BETWEEN_LOOKS = 20_000
_CANDIDATES = 20
_JSON_CONTENT = "\0json:"
_NEEDED = frozenset({"id", "session_id", "role", "content"})

_Answer = TypeVar("_Answer")


class _Trouble(Exception):
    """Why nothing can be told; the text is a note."""


class HermesSessions:
    """The sessions of one Hermes home.

    Args:
        path: the database, ``<home>/state.db``; opened anew for each question.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)

    def for_proposal(self, proposal: Proposal) -> Evidence:
        """Return the person's words before the call that staged a record; never raises."""

        def look(db: _Sessions) -> Evidence:
            found = db.staged(proposal.id)
            if found is not None:
                return found
            if not proposal.background:
                return Evidence("none", note="no session mentions this record; its session may be gone")
            return db.nearest(proposal.created_at)

        return self._ask(look, lambda note: Evidence("none", note=note))

    def health(self) -> dict[str, Any]:
        """Return what ``doctor`` says: ``present``, ``messages`` and ``indexed`` (row counts or None), ``note``."""

        def look(db: _Sessions) -> dict[str, Any]:
            indexed = db.count("messages_fts")
            note = "" if indexed is not None else "the full-text index of messages is missing"
            return {"present": True, "messages": db.count("messages"), "indexed": indexed, "note": note}

        present = os.path.lexists(self._path)
        return self._ask(look, lambda note: {"present": present, "messages": None, "indexed": None, "note": note})

    def newest_block(self) -> tuple[str, str] | None:
        """Return id and system prompt of the newest session that keeps one (``hermes`` section 9.4), or None."""
        return self._ask(lambda db: db.newest_prompt(), lambda _note: None)

    def _ask(self, look: Callable[[_Sessions], _Answer], otherwise: Callable[[str], _Answer]) -> _Answer:
        try:
            with _attached(self._path) as connection:
                return look(_Sessions(connection))
        except _Trouble as trouble:
            return otherwise(str(trouble))
        except sqlite3.OperationalError as error:
            busy = any(word in str(error) for word in ("locked", "busy", "interrupted"))
            cause = "it is busy" if busy else visible(str(error), newlines=False)
            return otherwise(f"the session history cannot be read now: {cause}")
        except (sqlite3.Error, OSError, ValueError, TypeError, RecursionError, OverflowError) as error:
            return otherwise(f"the session history cannot be read: {visible(str(error), newlines=False)}")


@contextmanager
def _attached(path: str) -> Iterator[sqlite3.Connection]:
    """Attach read-only for one question; every wait and every query ends after a second."""
    _check_files(path)
    address = f"file:{quote(os.fsencode(os.path.abspath(path)))}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=_TIME_LIMIT)
    try:
        deadline = time.monotonic() + _TIME_LIMIT
        connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS_BETWEEN_LOOKS)
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA query_only = ON")
        yield connection
    finally:
        connection.close()


def _check_files(path: str) -> None:
    """Refuse what is no regular file, beside the database as well: SQLite would wait on a named pipe for ever."""
    for ending in ("", *_SIDE_FILES):
        try:
            mode = os.lstat(path + ending).st_mode
        except FileNotFoundError:
            if not ending:
                raise _Trouble("this home has no session history") from None
            continue
        if not stat.S_ISREG(mode):
            name = visible(os.path.basename(path) + ending, newlines=False)
            raise _Trouble(f"the session history is not opened: {name} is no regular file")


class _Sessions:
    """The questions, asked over one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._columns = self._columns_of("messages")
        if not self._columns >= _NEEDED:
            raise _Trouble("the session history has another form than we know")
        self._time = "m.timestamp" if "timestamp" in self._columns else "NULL"

    def _columns_of(self, table: str) -> frozenset[str]:
        return frozenset(row["name"] for row in self._db.execute(f"PRAGMA table_info({table})"))

    def count(self, table: str) -> int | None:
        try:
            row = self._db.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - our own two names
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return None
            raise
        return int(row[0])

    def staged(self, item: str) -> Evidence | None:
        """Find the tool result that answered with this id, and what the person had said before it."""
        row = self._answer_with(item)
        if row is None:
            return None
        session = str(row["session_id"])
        said = self._said_before(session, row["id"])
        note = "" if said else "the person's message before it is not there any more"
        if row["active"] == 0:
            note = "the turn was taken back (rewound) afterwards" + (f"; {note}" if note else "")
        return Evidence("found", session, self._title(session), (said,) if said else (), note)

    def _answer_with(self, item: str) -> sqlite3.Row | None:
        """Return the tool result; a scan takes long, and may take too long, so it is left out where the index tells."""
        for look in (self._indexed, self._scanned):
            for row in look(item):
                if _pending_id(row["content"]) == item:
                    return row
        return None

    def _tool_rows(self, source: str, condition: str, values: tuple[Any, ...]) -> list[sqlite3.Row]:
        active = "m.active" if "active" in self._columns else "1"
        tool = "AND m.tool_name = 'memory'" if "tool_name" in self._columns else ""
        return self._db.execute(
            f"SELECT m.id AS id, m.session_id AS session_id, m.content AS content, {active} AS active FROM {source} "  # noqa: S608 - ours
            f"WHERE {condition} AND m.role = 'tool' {tool} ORDER BY m.id DESC LIMIT {_CANDIDATES}",
            values,
        ).fetchall()

    def _indexed(self, item: str) -> list[sqlite3.Row]:
        source = "messages_fts JOIN messages AS m ON m.id = messages_fts.rowid"
        try:
            return self._tool_rows(source, "messages_fts MATCH ?", (fts_string(item),))
        except sqlite3.OperationalError as error:
            if "interrupted" in str(error):
                raise
            return []  # no such table, or built by a tokenizer that is not here: the scan still can tell

    def _scanned(self, item: str) -> list[sqlite3.Row]:
        source = f"(SELECT * FROM messages ORDER BY id DESC LIMIT {SCAN_LIMIT}) AS m"  # noqa: S608 - a constant
        return self._tool_rows(source, "instr(m.content, ?) > 0", (item,))

    def _said_before(self, session: str, message: int) -> Quote | None:
        row = self._db.execute(
            f"SELECT m.id AS id, m.content AS content, {self._time} AS at FROM messages AS m "  # noqa: S608 - ours
            "WHERE m.session_id = ? AND m.role = 'user' AND m.id < ? ORDER BY m.id DESC LIMIT 1",
            (session, message),
        ).fetchone()
        return _quote(session, row) if row is not None else None

    def nearest(self, at: float | None) -> Evidence:
        """Guess the session of a record that no session mentions: the one whose messages come closest before it."""
        if at is None or "timestamp" not in self._columns:
            return Evidence("none", note="an unattended review staged it, and no time tells after which session")
        row = self._db.execute(
            "SELECT id, session_id, timestamp FROM messages WHERE timestamp BETWEEN ? AND ? "
            "ORDER BY timestamp DESC, id DESC LIMIT 1",
            (at - NEAR_SECONDS, at),
        ).fetchone()
        if row is None:
            return Evidence("none", note="an unattended review staged it, and no session was near that time")
        session = str(row["session_id"])
        said = self._said_before(session, row["id"] + 1)
        seconds = at - float(row["timestamp"])
        note = f"a guess: the last message before it came {_span(seconds)} earlier; reviews leave no trace of their own"
        return Evidence("guess", session, self._title(session), (said,) if said else (), note)

    def _title(self, session: str) -> str:
        if not self._columns_of("sessions") >= {"id", "title"}:
            return ""
        row = self._db.execute("SELECT title FROM sessions WHERE id = ?", (session,)).fetchone()
        return row["title"] if row is not None and isinstance(row["title"], str) else ""

    def newest_prompt(self) -> tuple[str, str] | None:
        if not self._columns_of("sessions") >= {"id", "system_prompt", "started_at"}:
            return None
        row = self._db.execute(
            "SELECT id, system_prompt FROM sessions WHERE system_prompt <> '' ORDER BY started_at DESC LIMIT 1"
        ).fetchone()
        return (str(row["id"]), str(row["system_prompt"])) if row is not None else None


def fts_string(text: str) -> str:
    """Return ``text`` as one string of the full-text query language, so that it never becomes syntax."""
    return '"' + text.replace("\0", "").replace('"', '""') + '"'


def _pending_id(content: object) -> str | None:
    try:
        answer = json.loads(_words(content))
    except (ValueError, RecursionError):
        return None
    found = answer.get("pending_id") if isinstance(answer, dict) else None
    return found if isinstance(found, str) else None


def _words(content: object) -> str:
    """Return the text of a message; content in parts is stored as a mark and JSON, of which the texts count."""
    if not isinstance(content, str):
        return ""
    if not content.startswith(_JSON_CONTENT):
        return content
    try:
        parts = json.loads(content[len(_JSON_CONTENT) :])
    except ValueError:
        return content
    found = (part.get("text") for part in parts if isinstance(part, dict)) if isinstance(parts, list) else ()
    return "\n".join(text for text in found if isinstance(text, str))


def _quote(session: str, row: sqlite3.Row) -> Quote:
    at = row["at"]
    when = float(at) if isinstance(at, int | float) and math.isfinite(at) else None
    return Quote(session, row["id"], "user", when, _words(row["content"]))


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.0f} h"
