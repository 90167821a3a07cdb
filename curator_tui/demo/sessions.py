"""Writing the demo's conversations: a ``state.db`` with the tables and columns that session evidence reads.

Here: a small part of Hermes's schema (``hermes``: state.db), filled with invented turns. Not here: reading it back.
"""

from __future__ import annotations

import json
import random
import sqlite3
import time
from pathlib import Path
from typing import Any

_TITLE = 40  # characters
_SCHEMA = """
CREATE TABLE schema_version(version INTEGER);
INSERT INTO schema_version VALUES (22);
CREATE TABLE sessions(
  id TEXT PRIMARY KEY, source TEXT, model TEXT, system_prompt TEXT, started_at REAL, ended_at REAL,
  message_count INTEGER DEFAULT 0, title TEXT);
CREATE TABLE messages(
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT,
  tool_name TEXT, timestamp REAL, finish_reason TEXT, active INTEGER DEFAULT 1, compacted INTEGER DEFAULT 0);
CREATE VIRTUAL TABLE messages_fts USING fts5(content);
CREATE TRIGGER messages_to_fts AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts(rowid, content)
  VALUES (new.id, coalesce(new.content, '') || ' ' || coalesce(new.tool_name, '') || ' '
    || coalesce(new.tool_calls, ''));
END;
"""


class SessionWriter:
    """Writes one conversation per turn into a new ``state.db``."""

    def __init__(self, path: Path, names: random.Random) -> None:
        self._db = sqlite3.connect(path)
        self._db.executescript(_SCHEMA)
        self._names = names

    def close(self) -> None:
        """Commit and close; the file is readable by its owner only."""
        self._db.commit()
        path = self._db.execute("PRAGMA database_list").fetchone()[2]
        self._db.close()
        Path(path).chmod(0o600)

    def chat(self, said: str, at: float) -> str:
        """Write a conversation of one question and one answer; return its session id."""
        stamp = time.strftime("%Y%m%d_%H%M%S", time.localtime(at))
        session = f"{stamp}_{self._names.getrandbits(24):06x}"
        self._db.execute(
            "INSERT INTO sessions(id, source, model, system_prompt, started_at, title)"
            " VALUES (?, 'cli', 'demo', '', ?, ?)",
            (session, at - 60, said if len(said) <= _TITLE else f"{said[: _TITLE - 1]}…"),
        )
        self._message(session, "user", said, at)
        return session

    def turn(self, said: str, payload: dict[str, Any], pending: str, at: float) -> None:
        """Write the turn in which the agent staged a record: words, tool call, tool result, answer."""
        session = self.chat(said, at - 4)
        call = f"call_{self._names.getrandbits(96):024x}"
        arguments = json.dumps({"name": "memory", "arguments": json.dumps(payload)})
        calls = json.dumps([{"id": call, "type": "function", "function": json.loads(arguments)}])
        self._message(session, "assistant", "", at - 2, calls=calls)
        result = {
            "success": True,
            "staged": True,
            "pending_id": pending,
            "message": "Staged for approval (memory.write_approval is on). Not yet saved — review with /memory "
            "pending.",
        }
        self._message(session, "tool", json.dumps(result, ensure_ascii=False), at, call=call, tool="memory")
        self._message(session, "assistant", "Noted; it waits for your approval.", at + 1)

    def _message(
        self,
        session: str,
        role: str,
        content: str,
        at: float,
        *,
        calls: str | None = None,
        call: str | None = None,
        tool: str | None = None,
    ) -> None:
        self._db.execute(
            "INSERT INTO messages(session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (session, role, content, call, calls, tool, at),
        )
