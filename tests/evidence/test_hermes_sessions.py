"""Evidence: the words behind a record, and that no state of the session store can break the desk."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curator_tui.core.proposals import Proposal
from curator_tui.evidence import hermes_sessions
from curator_tui.evidence.hermes_sessions import HermesSessions, fts_string
from tests.homes import fixture_home, picture

SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT, started_at REAL, system_prompt TEXT);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,
    tool_name TEXT, timestamp REAL NOT NULL, active INTEGER NOT NULL DEFAULT 1
);
"""
INDEX = """
CREATE VIRTUAL TABLE messages_fts USING fts5(content);
INSERT INTO messages_fts(rowid, content)
    SELECT id, coalesce(content, '') || ' ' || coalesce(tool_name, '') FROM messages;
"""


def staged(item: str) -> str:
    return json.dumps({"success": True, "staged": True, "pending_id": item})


def make_db(path: Path, messages: list[tuple[object, ...]], *, index: bool = True) -> HermesSessions:
    with sqlite3.connect(path) as db:
        db.executescript(SCHEMA)
        for session in dict.fromkeys(message[0] for message in messages):
            db.execute("INSERT INTO sessions VALUES (?, ?, 1.0, ?)", (session, f"title of {session}", "prompt"))
        db.executemany(
            "INSERT INTO messages (session_id, role, content, tool_name, timestamp) VALUES (?,?,?,?,?)", messages
        )
        if index:
            db.executescript(INDEX)
    db.close()
    return HermesSessions(path)


def proposal(item: str = "a1b2c3d4", *, origin: str = "assistant_tool", at: float | None = 1000.0) -> Proposal:
    return Proposal(item, "d", origin=origin, created_at=at)


TALK = [
    ("s1", "user", "please remember the staging port", None, 990.0),
    ("s1", "assistant", "", None, 991.0),
    ("s1", "tool", staged("a1b2c3d4"), "memory", 992.0),
    ("s1", "user", "thanks", None, 995.0),
    ("s2", "user", "another talk", None, 996.0),
]


@pytest.mark.parametrize("index", [True, False])
def test_the_words_before_the_staging_call_are_found_with_and_without_the_index(tmp_path: Path, index: bool):
    found = make_db(tmp_path / "state.db", TALK, index=index).for_proposal(proposal())
    assert (found.kind, found.session, found.title, found.note) == ("found", "s1", "title of s1", "")
    assert (found.quote, found.role, found.at, found.message_id) == (TALK[0][2], "user", 990.0, 1)
    assert found.guess is False


def test_what_the_index_holds_is_found_however_far_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hermes_sessions, "SCAN_LIMIT", 2)
    later = [("s3", "user", f"talk {number}", None, 2000.0) for number in range(3)]
    assert make_db(tmp_path / "state.db", [*TALK, *later]).for_proposal(proposal()).quote == TALK[0][2]
    bare = make_db(tmp_path / "bare.db", [*TALK, *later], index=False)
    assert bare.for_proposal(proposal()).kind == "none", "without an index only the newest messages are looked at"


def test_an_answer_of_the_index_is_not_lost_to_a_scan_that_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def scanned(*_: object) -> list[sqlite3.Row]:
        raise sqlite3.OperationalError("interrupted")

    monkeypatch.setattr(hermes_sessions._Sessions, "_scanned", scanned)
    assert make_db(tmp_path / "state.db", TALK).for_proposal(proposal()).quote == TALK[0][2]
    bare = make_db(tmp_path / "bare.db", TALK, index=False).for_proposal(proposal())
    assert (bare.kind, "busy" in bare.note) == ("none", True)


def test_a_mention_of_the_id_is_no_evidence_unless_the_tool_answered_with_it(tmp_path: Path):
    messages = [
        ("s1", "user", "what about a1b2c3d4?", None, 990.0),
        ("s1", "tool", staged("ffffffff") + " a1b2c3d4", "memory", 991.0),
        ("s1", "tool", json.dumps({"pending_id": "ffffffff", "message": "a1b2c3d4"}), "memory", 992.0),
        ("s1", "tool", json.dumps(["a1b2c3d4"]), "memory", 993.0),
        ("s1", "tool", staged("a1b2c3d4"), "skills", 994.0),
        ("s1", "assistant", staged("a1b2c3d4"), "memory", 995.0),
    ]
    found = make_db(tmp_path / "state.db", messages).for_proposal(proposal())
    assert (found.kind, found.quotes) == ("none", ())


def test_content_in_parts_is_read_as_its_texts(tmp_path: Path):
    parts = "\0json:" + json.dumps([{"type": "text", "text": "look at this"}, {"type": "image"}, {"text": "and that"}])
    messages = [("s1", "user", parts, None, 1.0), ("s1", "tool", staged("a1b2c3d4"), "memory", 2.0)]
    assert make_db(tmp_path / "state.db", messages).for_proposal(proposal()).quote == "look at this\nand that"


def test_a_turn_that_was_taken_back_and_a_missing_message_are_said(tmp_path: Path):
    source = make_db(tmp_path / "state.db", TALK[2:3])
    with sqlite3.connect(tmp_path / "state.db") as db:
        db.execute("UPDATE messages SET active = 0")
    db.close()
    found = source.for_proposal(proposal())
    assert (found.kind, found.quote) == ("found", "")
    assert "taken back" in found.note
    assert "not there any more" in found.note


def test_an_unattended_review_gets_a_guess_that_says_so(tmp_path: Path):
    source = make_db(tmp_path / "state.db", TALK)
    found = source.for_proposal(proposal("00000000", origin="background_review"))
    assert (found.kind, found.guess, found.session, found.quote) == ("guess", True, "s2", "another talk")
    assert found.note.startswith("a guess: the last message before it came 4 s earlier")
    earlier = source.for_proposal(proposal("00000000", origin="background_review", at=994.0))
    assert (earlier.session, earlier.quote) == ("s1", "please remember the staging port")


@pytest.mark.parametrize("at", [None, 1.0, 1e9, float("inf"), -1e300])
def test_a_review_far_from_every_session_is_no_guess(tmp_path: Path, at: float | None):
    source = make_db(tmp_path / "state.db", TALK)
    assert source.for_proposal(proposal("00000000", origin="background_review", at=at)).kind == "none"


def test_a_foreground_record_that_no_session_mentions_is_not_guessed(tmp_path: Path):
    found = make_db(tmp_path / "state.db", TALK).for_proposal(proposal("00000000"))
    assert (found.kind, "no session mentions" in found.note) == ("none", True)


def test_a_missing_database_is_not_made(tmp_path: Path):
    source = HermesSessions(tmp_path / "state.db")
    assert source.for_proposal(proposal()).kind == "none"
    assert source.newest_block() is None
    assert source.health()["present"] is False
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_damaged_or_empty_database_is_a_note(tmp_path: Path, content: bytes):
    (tmp_path / "state.db").write_bytes(content)
    source = HermesSessions(tmp_path / "state.db")
    found = source.for_proposal(proposal())
    assert (found.kind, found.note != "") == ("none", True)
    assert source.newest_block() is None
    assert source.health()["messages"] is None


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.db")
    make_db(tmp_path / "real.db", TALK)
    (tmp_path / "link.db").symlink_to("real.db")
    for name in ("pipe.db", "link.db", "."):
        assert "no regular file" in HermesSessions(tmp_path / name).for_proposal(proposal()).note


def test_an_older_form_without_optional_columns_still_answers(tmp_path: Path):
    with sqlite3.connect(tmp_path / "state.db") as db:
        db.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT)")
        db.execute("INSERT INTO messages VALUES (1, 's1', 'user', 'hello')")
        db.execute("INSERT INTO messages VALUES (2, 's1', 'tool', ?)", (staged("a1b2c3d4"),))
    db.close()
    source = HermesSessions(tmp_path / "state.db")
    found = source.for_proposal(proposal())
    assert (found.kind, found.quote, found.at, found.title) == ("found", "hello", None, "")
    assert source.for_proposal(proposal("0", origin="background_review")).kind == "none"
    assert (source.newest_block(), source.health()["indexed"]) == (None, None)


def test_a_form_we_do_not_know_is_a_note(tmp_path: Path):
    with sqlite3.connect(tmp_path / "state.db") as db:
        db.execute("CREATE TABLE messages (nr INTEGER, words TEXT)")
    db.close()
    assert "another form" in HermesSessions(tmp_path / "state.db").for_proposal(proposal()).note


def test_a_locked_database_is_a_note_within_a_short_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hermes_sessions, "_TIME_LIMIT", 0.05)
    source = make_db(tmp_path / "state.db", TALK)
    holder = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    holder.execute("DELETE FROM messages")
    started = time.monotonic()
    found = source.for_proposal(proposal())
    holder.close()
    assert (found.kind, "busy" in found.note) == ("none", True)
    assert time.monotonic() - started < 1.0


def test_a_query_that_takes_too_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hermes_sessions, "_TIME_LIMIT", -1.0)
    monkeypatch.setattr(hermes_sessions, "_STEPS_BETWEEN_LOOKS", 1)
    found = make_db(tmp_path / "state.db", TALK).for_proposal(proposal())
    assert (found.kind, "busy" in found.note) == ("none", True)


def test_text_that_is_not_utf8_does_not_break_the_answer(tmp_path: Path):
    source = make_db(tmp_path / "state.db", TALK)
    with sqlite3.connect(tmp_path / "state.db") as db:
        db.execute("UPDATE messages SET content = CAST(x'ff68656c6c6f' AS TEXT) WHERE id = 1")
    db.close()
    assert source.for_proposal(proposal()).quote == "\ufffdhello"


@given(st.text(max_size=40))
def test_any_text_is_one_string_of_the_query_language(text: str):
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE f USING fts5(a, b)")
    db.execute("INSERT INTO f VALUES ('only', 'other')")
    safe = text.encode("utf-8", "ignore").decode()
    assert db.execute("SELECT count(*) FROM f WHERE f MATCH ?", (fts_string(safe),)).fetchone()[0] in {0, 1}
    db.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(item=st.text(max_size=20), origin=st.sampled_from(["background_review", "x"]), at=st.none() | st.floats())
def test_no_proposal_makes_it_raise(tmp_path: Path, item: str, origin: str, at: float | None):
    path = tmp_path / "state.db"
    source = HermesSessions(path) if path.exists() else make_db(path, TALK)
    assert source.for_proposal(proposal(item, origin=origin, at=at)).kind in {"none", "guess", "found"}


@pytest.mark.parametrize(
    "item", ['" OR a1b2c3d4 OR "', "a1b2c3d4*", "content:a1b2c3d4", "NEAR(a1b2c3d4)", "a1b2c3d4\0"]
)
def test_query_syntax_in_an_id_finds_nothing(tmp_path: Path, item: str):
    assert make_db(tmp_path / "state.db", TALK).for_proposal(proposal(item)).kind == "none"


def test_health_compares_messages_with_the_index(tmp_path: Path):
    source = make_db(tmp_path / "state.db", TALK)
    assert source.health() == {"present": True, "messages": 5, "indexed": 5, "note": ""}
    bare = make_db(tmp_path / "bare.db", TALK, index=False)
    assert (bare.health()["indexed"], bare.health()["note"]) == (None, "the full-text index of messages is missing")


def test_the_newest_prompt_is_the_one_of_the_session_that_started_last(tmp_path: Path):
    source = make_db(tmp_path / "state.db", TALK)
    with sqlite3.connect(tmp_path / "state.db") as db:
        db.execute("UPDATE sessions SET started_at = 2.0, system_prompt = 'newest' WHERE id = 's2'")
        db.execute("INSERT INTO sessions VALUES ('s3', NULL, 3.0, NULL), ('s4', NULL, 4.0, '')")
    db.close()
    assert source.newest_block() == ("s2", "newest")


def test_the_store_hermes_wrote_answers_and_nothing_appears_beside_it(tmp_path: Path):
    path = fixture_home(tmp_path / "h")
    before = picture(path)
    source = HermesSessions(path / "state.db")
    found = source.for_proposal(proposal("8c245862"))
    assert (found.kind, found.session) == ("found", "20261130_012239_a6a3a450")
    assert (found.quote, found.title) == ("Please keep this in mind for later.", "Working on atlas-api (a450)")
    assert source.for_proposal(proposal("14fc522b", origin="background_review", at=1792202324.8)).kind == "none"
    assert source.health() == {"present": True, "messages": 56, "indexed": 56, "note": ""}
    assert source.newest_block() is None
    assert picture(path) == before


def test_what_stands_in_a_log_only_is_found_and_what_is_written_meanwhile_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    source = make_db(tmp_path / "state.db", TALK)
    later = [("s3", "user", "remember the harbour", None, 998.0), ("s3", "tool", staged("c0ffee01"), "memory", 999.0)]
    hermes = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    hermes.execute("PRAGMA journal_mode=WAL")
    os.utime(tmp_path / "state.db", (1.0, 1.0))
    assert source.for_proposal(proposal("c0ffee01")).kind == "none"

    def write() -> None:
        columns = "session_id, role, content, tool_name, timestamp"
        hermes.executemany(f"INSERT INTO messages ({columns}) VALUES (?,?,?,?,?)", later)

    found = hermes_sessions._Sessions.staged

    def written_meanwhile(db: hermes_sessions._Sessions, item: str):
        if later:
            write()
            later.clear()
            return None
        return found(db, item)

    monkeypatch.setattr(hermes_sessions._Sessions, "staged", written_meanwhile)
    assert source.for_proposal(proposal("c0ffee01")).quote == "remember the harbour"
    monkeypatch.undo()
    assert (tmp_path / "state.db-wal").stat().st_size
    assert source.for_proposal(proposal("c0ffee01")).quote == "remember the harbour"
    hermes.close()


@pytest.mark.parametrize("ending", ["-journal", "-wal", "-shm"])
def test_a_pipe_beside_the_database_never_blocks(tmp_path: Path, ending: str):
    sessions = make_db(tmp_path / "state.db", TALK)
    os.mkfifo(tmp_path / f"state.db{ending}")
    note = f"the session history is not opened: state.db{ending} is no regular file"
    assert sessions.for_proposal(proposal()).note == note
    assert sessions.health() == {"present": True, "messages": None, "indexed": None, "note": note}
    assert sessions.newest_block() is None
