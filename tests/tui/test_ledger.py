"""The ledger on screen: rows of any number, details, sources of entries, the chain, rows as a file."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from textual.events import Paste

from curator_tui.core.ledger import seal
from curator_tui.core.requests import Decision, ReasonCode, Verb
from curator_tui.curator import ledger_files, ledger_view
from curator_tui.curator.desk import Desk
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens.history import HistoryScreen
from curator_tui.tui.screens.ledger import LedgerScreen
from curator_tui.tui.screens.reading import ReadScreen
from curator_tui.tui.themes import MONO, PALETTES
from tests.tui.desks import (
    FAST,
    desk_on,
    every_state,
    home_with,
    painted,
    press,
    review,
    running,
    settle,
    status,
    until,
)  # fmt: skip

BOOK = Path("curator-tui") / "book.sqlite"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a ledger of five rows: first seen, two approvals, a rejection with a note, an undo."""
    path = home_with(
        tmp_path_factory.mktemp("ledger") / "hermes", every_state(), user=("Name: Bob", "Home city: Porto")
    )
    desk = desk_on(path)
    desk.decide([Decision("add00001", Verb.APPROVE, seen="100%")])  # rows 1, 2
    desk.decide([Decision("add00002", Verb.APPROVE, seen="40%")])  # 3
    desk.decide([Decision("sta00001", Verb.REJECT, reason=ReasonCode.STALE, note="long gone", seen="100%")])  # 4
    desk.undo()  # 5
    desk.close()
    return path


@pytest.fixture
def desk(home: Path) -> Generator[Desk, None, None]:
    """A desk on that home, which is only looked at."""
    opened = desk_on(home)
    yield opened
    opened.close()


def copied(home: Path, tmp_path: Path) -> Path:
    """Return a copy of the home that a test may do anything to."""
    return Path(shutil.copytree(home, tmp_path / "hermes"))


def with_many_rows(path: Path, count: int, **parts: Any) -> Path:
    """Put rows behind those of a home, each chained to the one before."""
    with sqlite3.connect(path / BOOK) as db:
        head = db.execute("SELECT seq, hash FROM memory_ledger ORDER BY seq DESC LIMIT 1").fetchone()
        base = {"actor": {"kind": "person", "name": "ben", "through": "cli"}, "at": "2026-09-01T10:00:00.000Z", **parts}
        rows = [{"action": "reject", **base, "change": f"{n:016x}"} for n in range(count)]
        db.executemany(
            "INSERT INTO memory_ledger (scope, seq, hash, body) VALUES ('home', ?, ?, ?)",
            [(row.seq, row.hash, row.body) for row in seal(rows, head)],
        )
    db.close()
    return path


async def filter_by(pilot: Any, words: str) -> None:
    """Open the filter and put words into it at once."""
    await press(pilot, "/")
    pilot.app.post_message(Paste(words))
    await settle(pilot)


def ledger(app: CuratorApp) -> LedgerScreen:
    """Return the ledger screen."""
    found = app.screen
    assert isinstance(found, LedgerScreen)
    return found


def title(app: CuratorApp) -> str:
    """Return the first row of the screen."""
    return painted(app).splitlines()[0]


def listed(app: CuratorApp) -> list[int]:
    """Return the numbers of the rows in the list on screen, from the top."""
    return [int(found) for found in re.findall(r"^ +(\d+) \d\d-\d\d ", painted(app), re.MULTILINE)]


# -- looking -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["4", "l"])
async def test_rows_stand_newest_first_with_the_newest_in_detail(desk: Desk, key: str) -> None:
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, key)
        text = painted(app)
        assert listed(app) == [5, 4, 3, 2, 1]
        assert "chain OK to #5" in title(app)
        assert "Read only. Rows are never edited" in text
        assert "undo by you through tui" in text
        assert re.search(r"3 \d\d-\d\d \d\d:\d\d +you +approve +user: 'Likes rye bread' +\+18 +40%", text)
        assert re.search(r"1 \d\d-\d\d \d\d:\d\d +outside +first seen", text)


async def test_a_wide_window_has_more_columns_and_the_totals(desk: Desk) -> None:
    async with running(desk, size=(140, 40), read_only=True) as (app, pilot):
        await press(pilot, "4")
        text = painted(app)
        assert re.search(r"5 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d +you +undo", text)
        assert re.search(r"[0-9a-f]{4}\.\.[0-9a-f]{2}", text)
        assert "1 of 2 approvals on screen (50%)" in text, "of the approvals one was not seen whole"
        assert "written by others" in text


async def test_each_row_is_shown_with_what_it_decided_and_changed(desk: Desk) -> None:
    async with running(desk, size=(100, 50), read_only=True) as (app, pilot):
        await press(pilot, "4", "j")
        text = painted(app)
        assert "reject by you" in text
        assert '"long gone"' in text
        assert "outdated" in text
        await press(pilot, "j", "j")
        text = painted(app)
        assert "row 2" in text
        assert "seen 100%" in text
        assert "+ 7   Backups run on Sunday" in text
        assert "h goes there" in text
        await press(pilot, "G")
        assert "first seen by outside" in painted(app)
        await press(pilot, "g")
        assert ledger(app).rows.seq(ledger(app).queue.cursor) == 5  # type: ignore[union-attr]
        await press(pilot, "k")
        assert "row 5" in painted(app)


async def test_enter_shows_everything_with_whole_hashes(desk: Desk) -> None:
    hashes = {row.seq: row.hash for row in ledger_view.rows(desk)}
    async with running(desk, size=(120, 60), read_only=True) as (app, pilot):
        await press(pilot, "4", "j", "j", "j", "enter")
        assert isinstance(app.screen, ReadScreen)
        text = painted(app)
        assert hashes[2] in text
        assert hashes[1] in text
        assert "what add00001 asked for" in text
        await press(pilot, "q")
        assert isinstance(app.screen, LedgerScreen)


async def test_a_text_that_is_gone_says_so(home: Path, tmp_path: Path) -> None:
    path = copied(home, tmp_path)
    with sqlite3.connect(path / BOOK) as db:
        db.execute("DELETE FROM memory_texts WHERE kind IN ('document', 'record', 'note')")
    db.close()
    desk = desk_on(path)
    async with running(desk, size=(100, 50), read_only=True) as (app, pilot):
        await press(pilot, "4", "j", "j", "j")
        text = painted(app)
        assert "pruned or erased" in text
        assert "its record is pruned, erased or kept out" in text
        assert "Backups run on Sunday" not in text
        await press(pilot, "k", "k")
        assert "its words are gone" in painted(app)
    desk.close()


async def test_the_other_keys_do_what_they_do_elsewhere(desk: Desk) -> None:
    async with running(desk, size=(100, 30), read_only=True) as (app, pilot):
        await press(pilot, "4", "j", "j", "d")
        assert "-- before --" in painted(app)
        await press(pilot, "d", "c", "J", "K", "N", "R")
        assert "row 3" in painted(app)
        while "row 3" in painted(app):
            await press(pilot, "n")
        assert "row 2" in painted(app), "behind the last change comes the next row"
        await press(pilot, "u")
        assert "read only" in status(app)
        await press(pilot, "T")
        assert app.palette is not PALETTES["dark"]
        for key in ("?", ":"):
            await press(pilot, key)
            assert not isinstance(app.screen, LedgerScreen)
            await press(pilot, "escape")
            assert isinstance(app.screen, LedgerScreen)


async def test_the_history_opens_at_the_backup_of_a_row(desk: Desk) -> None:
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "4", "j", "h")
        assert isinstance(app.screen, HistoryScreen)
        assert app.screen.row is not None
        assert "No backup was taken" in painted(app)
        form = ledger_view.rows(desk)[3].row
        assert form is not None
        assert app.screen.row.change == form["change"]
        await press(pilot, "4", "j", "j", "h")
        assert isinstance(app.screen, HistoryScreen)
        row = app.screen.row
        form = ledger_view.rows(desk)[2].row
        assert row is not None
        assert form is not None
        assert row.backup == form["backup"]
        await press(pilot, "q")
        assert app.screen is review(app)


async def test_totals_stand_on_a_page_where_there_is_no_room_beside(desk: Desk) -> None:
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "4", "t")
        assert isinstance(app.screen, ReadScreen)
        assert "1 of 2 approvals on screen (50%)" in painted(app)
        assert "5 rows" in painted(app)


# -- the filter and the views --------------------------------------------------------------------------------------


async def test_a_filter_shows_only_what_it_means(desk: Desk) -> None:
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "4")
        await filter_by(pilot, "action:approve")
        assert listed(app) == [3, 2]
        assert "filter: 2 of 5" in painted(app)
        pilot.app.post_message(Paste(" seen:<100"))
        await press(pilot, "enter")
        assert listed(app) == [3]
        await press(pilot, "t")
        assert "1 of 1 approvals on screen (100%)" in painted(app)
        await press(pilot, "q", "escape")
        assert listed(app) == [5, 4, 3, 2, 1]
        await press(pilot, "escape")
        assert app.screen is review(app)


async def test_a_filter_that_means_nothing_says_so_and_leaves_what_was_shown(desk: Desk) -> None:
    async with running(desk, size=(120, 24), read_only=True) as (app, pilot):
        await press(pilot, "4")
        await filter_by(pilot, "nonsense:x")
        assert "nonsense is nothing a filter knows" in painted(app)
        assert len(re.findall("approve", painted(app))) > 0
        pilot.app.post_message(Paste(" who:nobody"))
        await press(pilot, *["home"], *["delete"] * 11)
        text = painted(app)
        assert "Nothing is meant by this filter" in text
        assert "seen" in text


async def test_the_views_go_round(desk: Desk) -> None:
    async with running(desk, size=(120, 40), read_only=True) as (app, pilot):
        await press(pilot, "4", "v")
        text = painted(app)
        assert "[live entries]" in text
        assert text.count("unknown origin") >= 8
        assert "Backups run on Sunday" in text
        await press(pilot, "G", "k", "k")
        await press(pilot, "v")
        assert "No tombstone: nothing was erased here" in painted(app)
        await press(pilot, "v")
        assert "[rows]" in painted(app)


async def test_live_entries_are_filtered_by_their_source(desk: Desk) -> None:
    async with running(desk, size=(120, 40), read_only=True) as (app, pilot):
        await press(pilot, "4", "v")
        await filter_by(pilot, "-is:unknown")
        await press(pilot, "enter")
        text = painted(app)
        assert "filter: 2 of " in text
        assert "agent" in text
        assert "by a person (100% of it on screen)" in text
        await press(pilot, "h")
        assert isinstance(app.screen, HistoryScreen)


async def test_tombstones_are_rows_that_hold_some(home: Path, tmp_path: Path) -> None:
    stones = [{"id": "t00000001", "target": "user"}]
    path = with_many_rows(copied(home, tmp_path), 1, action="forget", tombstones=stones)
    desk = desk_on(path)
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "4", "v", "v")
        assert listed(app) == [6]
        assert "1 erased: t00000001" in painted(app)
        assert "no words are left" in painted(app)
    desk.close()


# -- long, growing and damaged ledgers -----------------------------------------------------------------------------


async def test_of_a_long_ledger_only_what_is_near_the_screen_is_held(home: Path, tmp_path: Path) -> None:
    desk = desk_on(with_many_rows(copied(home, tmp_path), 500))
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "4")
        assert listed(app)[0] == 505
        await press(pilot, "G")
        assert listed(app)[-1] == 1
        assert "first seen by outside" in painted(app)
        rows = ledger(app).rows
        assert rows is not None
        assert len(rows.known.rows) < 200
        await filter_by(pilot, "who:you")
        await press(pilot, "enter")
        assert listed(app) == [5, 4, 3, 2]
    desk.close()


async def test_new_rows_come_by_themselves_and_the_cursor_stays(home: Path, tmp_path: Path) -> None:
    path = copied(home, tmp_path)
    desk, other = desk_on(path), desk_on(path)
    async with running(desk, timing=FAST._replace(poll=0.1)) as (app, pilot):
        await press(pilot, "4", "j")
        newest = listed(app)[0]
        other.decide([Decision("alt00001", Verb.REJECT)])
        await until(lambda: ledger(app).head[0] > newest, pilot)
        assert listed(app)[:2] == [newest + 1, newest]
        assert f"row {newest - 1}" in painted(app)
        assert f"chain OK to #{ledger(app).head[0]}" in title(app)
    other.close()


async def test_a_damaged_chain_is_named_with_the_way_out(home: Path, tmp_path: Path) -> None:
    path = copied(home, tmp_path)
    with sqlite3.connect(path / BOOK) as db:
        db.execute("DELETE FROM memory_ledger WHERE seq = 3")
        db.execute("UPDATE memory_ledger SET body = replace(body, 'reject', 'reject!') WHERE seq = 4")
        db.execute("UPDATE memory_ledger SET body = x'00ff' WHERE seq = 2")
    db.close()
    desk = desk_on(path)
    async with running(desk, size=(100, 40), read_only=True) as (app, pilot):
        await press(pilot, "4")
        text = painted(app)
        assert "chain DAMAGED" in title(app)
        assert "missing: there is no row of this number" in text
        assert "cannot be read: V says what is damaged" in text
        await press(pilot, "j")
        assert "NOT OK" in painted(app)
        await press(pilot, "V")
        text = painted(app)
        assert isinstance(app.screen, ReadScreen)
        assert "row 4 does not match its hash" in text
        assert "Put back a copy of curator-tui/book.sqlite" in text
        assert "curator-tui doctor" in text
    desk.close()


async def test_verifying_says_what_it_held_against_the_rows(desk: Desk) -> None:
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "4", "V")
        assert re.search(r"chain OK to #5: 5 rows and \d+ kept texts agree", status(app))


async def test_verifying_shows_how_far_it_is_and_can_be_stopped(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_: Desk) -> Generator[int, None, Any]:
        while True:
            yield 2

    monkeypatch.setattr(ledger_view, "verifying", endless)
    async with running(desk, read_only=True) as (app, pilot):
        pilot.app.screen.app.go("ledger")  # type: ignore[attr-defined]
        await until(lambda: "chain … 40%" in painted(app))
        await pilot.press("j")
        await until(lambda: "row 4" in painted(app))  # whatever is asked meanwhile does not wait
        await pilot.press("V")
        await until(lambda: "stopped" in status(app))
        assert "chain not verified" in title(app)


async def test_an_empty_ledger_says_what_makes_the_first_rows(tmp_path: Path) -> None:
    desk = desk_on(home_with(tmp_path / "hermes", []))
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "4")
        assert "The ledger is empty" in painted(app)
        assert "1 goes to the queue" in painted(app)
        await press(pilot, "enter", "h", "t", "q", "V", "1")
        assert app.screen is review(app)
    desk.close()


async def test_a_book_that_cannot_be_read_is_named(home: Path, tmp_path: Path) -> None:
    desk = desk_on(copied(home, tmp_path))
    async with running(desk, size=(100, 30), read_only=True) as (app, pilot):
        damage = b"no database at all" * 1_000
        (tmp_path / "hermes" / BOOK).write_bytes(damage)
        for extra in ("-wal", "-shm"):
            (tmp_path / "hermes" / f"{BOOK}{extra}").unlink(missing_ok=True)
        await press(pilot, "4")
        assert isinstance(app.screen, LedgerScreen)
        assert "book.sqlite" in painted(app)
        await press(pilot, "V", "enter", "1")
        assert app.is_running


# -- saving --------------------------------------------------------------------------------------------------------


async def save_to(pilot: Any, name: str) -> None:
    """Ask for saving, and name a file in place of the one that is proposed."""
    await press(pilot, "S", "ctrl+u")
    pilot.app.post_message(Paste(name))
    await press(pilot, "enter")


async def test_the_rows_of_a_filter_are_saved_where_a_person_says(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with running(desk, size=(120, 24)) as (app, pilot):
        await press(pilot, "4")
        await filter_by(pilot, "action:approve")
        await press(pilot, "enter")
        await save_to(pilot, "x.jsonl")
        saved = tmp_path / "x.jsonl"
        assert f"2 rows saved as JSON Lines to {saved}"[:60] in status(app)
        assert [json.loads(line)["seq"] for line in saved.read_text().splitlines()] == [2, 3]
        assert stat.S_IMODE(saved.stat().st_mode) == 0o600
        await save_to(pilot, "x.csv")
        assert "2 rows saved as CSV" in status(app)
        await save_to(pilot, "x.csv")
        assert "exists; it is left as it is" in status(app)
        await press(pilot, "S", "escape")
        assert "not saved" in status(app)
        assert sorted(os.listdir(tmp_path)) == ["x.csv", "x.jsonl"]


async def test_saving_is_given_up_and_leaves_no_file(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object) -> Generator[int, None, int]:
        def lines() -> Generator[str, None, None]:
            while True:
                yield "x"

        return ledger_files.write_new(str(tmp_path / "slow"), lines())

    monkeypatch.setattr("curator_tui.tui.screens.ledger_jobs.saving", slow)
    async with running(desk) as (app, pilot):
        await press(pilot, "4", "S")
        await pilot.press("enter")
        await until(lambda: "saving:" in status(app))
        await pilot.press("escape")
        await until(lambda: "was removed again" in status(app))
        assert list(tmp_path.iterdir()) == []
        assert isinstance(app.screen, LedgerScreen)


async def test_nothing_is_saved_read_only_nor_in_the_view_of_entries(desk: Desk) -> None:
    async with running(desk, read_only=True) as (app, pilot):
        await press(pilot, "4", "S")
        assert "read only" in status(app)
        assert isinstance(app.screen, LedgerScreen)
    async with running(desk) as (app, pilot):
        await press(pilot, "4", "v", "S")
        assert "press v until they are shown" in status(app)


# -- text of others ------------------------------------------------------------------------------------------------


async def test_hostile_words_of_a_row_are_shown_and_never_acted_on(home: Path, tmp_path: Path) -> None:
    text = "[@click=app.leave]go[/] [/b] path [/ \x1b]52;c;x\x07\x9b2J\u202e"
    parts: dict[str, Any] = {
        "action": text, "at": text, "actor": {"kind": text, "name": text, "through": text}, "reason": text,
        "decisions": [{"proposal": text, "decision": text, "seen": text, "reason": text, "by": text, "note": text}],
        "backup": text, "reverts": text, "restored": text, "undoes": [text], "override": [text], "partly": [text],
    }  # fmt: skip
    desk = desk_on(with_many_rows(copied(home, tmp_path), 1, **parts))
    acting = {chr(code) for code in (*range(32), *range(0x7F, 0xA0), 0x202E) if code != 10}
    async with running(desk, size=(140, 50), read_only=True) as (app, pilot):
        await press(pilot, "4")
        assert listed_wide(app)[0] == 6
        for keys in ((), ("enter",), ("q", "t"), ("q", "h"), ("4", "V"), ("q",)):
            await press(pilot, *keys)
            assert not acting & set(painted(app)), keys
            assert app.is_running
    desk.close()


def listed_wide(app: CuratorApp) -> list[int]:
    """Return the numbers at the beginning of the list's rows, whatever stands behind them."""
    return [int(found) for found in re.findall(r"^ {4,6}(\d+) ", painted(app), re.MULTILINE)]


async def test_without_colours_everything_is_told_by_words(desk: Desk) -> None:
    async with running(desk, size=(100, 40), palette=MONO, read_only=True) as (app, pilot):
        await press(pilot, "4", "j", "j")
        assert "{+Likes rye bread+}" in painted(app)
        assert "[rows]" in painted(app)
        assert "[4" in title(app)
