"""The past on its screen: changes and backups in one list, comparing any two, undoing one alone, filter, sizes."""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.core.requests import Decision, ReasonCode, Verb
from curator_tui.curator.desk import Desk
from curator_tui.tui.actions import HISTORY as PLACE
from curator_tui.tui.screens.history import HistoryScreen
from curator_tui.tui.screens.moved_on import MovedOnScreen
from curator_tui.tui.screens.reading import ReadScreen
from curator_tui.tui.screens.reverted import RevertScreen
from curator_tui.tui.screens.second import AskScreen
from curator_tui.tui.themes import LIGHT, MONO, Palette
from tests.tui.desks import NOW, desk_on, desk_with, entries, item, painted, press, running, settle, status, waiting

DAY = 86_400.0
PENDING = [
    item("add00001", "add", "Backups run on Sunday"),
    item("add00002", "add", "Has a cat called Miso"),
    item("rej00001", "add", "the build failed today"),
]


def past(path: Path) -> Desk:
    """A desk with a past, newest first: reject, replace by hand, plan of two, outside, add by hand, first seen."""
    shutil.copytree(_made(), path / "hermes")
    return desk_on(path / "hermes")


@cache
def _made() -> Path:
    path = Path(mkdtemp())
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    desk = desk_with(path, PENDING, memory=["Prefers tabs"], user=["Name: Bob"])
    days = [30.0]
    desk._clock = lambda: NOW - days[0] * DAY
    desk.correct([Operation(Action.ADD, Target.MEMORY, content="Office is in Lyon")])
    days[0] = 20.0
    file = path / "hermes" / "memories" / "MEMORY.md"
    file.write_text(file.read_text(encoding="utf-8") + "\n§\nby another program", encoding="utf-8")
    desk.refresh()
    desk.observe()
    days[0] = 10.0
    desk.decide([Decision("add00001", Verb.APPROVE), Decision("add00002", Verb.APPROVE)])
    days[0] = 5.0
    desk.correct([Operation(Action.REPLACE, Target.MEMORY, match="Office is in Lyon", content="Office is in Lille")])
    days[0] = 2.0
    desk.decide([Decision("rej00001", Verb.REJECT, reason=ReasonCode.NOT_USEFUL, note="no news")])
    desk.close()
    return path / "hermes"


def listed(app: object) -> list[str]:
    """Return the rows of the list as painted, without what stands right of it."""
    screen = app.screen  # type: ignore[attr-defined]
    assert isinstance(screen, HistoryScreen)
    rows = painted(app).split("\n")  # type: ignore[arg-type]
    top = screen.queue.region.y
    return [row[: screen.queue.size.width].strip() for row in rows[top : top + screen.queue.size.height] if row.strip()]


@pytest.mark.parametrize("palette", [LIGHT, MONO], ids=["light", "mono"])
async def test_everything_that_happened_is_one_list(tmp_path: Path, palette: Palette) -> None:
    desk = past(tmp_path)
    async with running(desk, size=(140, 40), palette=palette) as (app, pilot):
        await press(pilot, "3")
        rows = listed(app)
        assert "as the documents stand" in rows[0]
        assert "rejected memory: 'the build" in rows[1]
        for row, words in zip(
            rows[2:],
            (
                "corrected 'Office is in",
                "approved memory:",
                "before a change from",
                "added 'Office is in",
                "first seen",
            ),
            strict=False,
        ):
            assert words in row
        assert rows[6].split()[1:4] == ["outside", "first", "seen"], "as the ledger says"
        assert rows[3].startswith("B 10d"), "several items decided together"
        assert rows[4].startswith("! 20d  outside"), "nobody had seen it"
        assert rows[5].split()[-4:] == ["12", "0%", "9", "0%"]
        assert rows[1].split()[-4] == str(desk.snapshot().document(Target.MEMORY).size)


async def test_a_change_without_backup_says_what_it_was_and_why(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk, size=(80, 30)) as (app, pilot):
        await press(pilot, "3")
        text = painted(app)
        for words in ("reason     not-useful", "note       no news", "it says    the build failed today", "No backup"):
            assert words in text
        before = entries(desk)
        await press(pilot, "r")
        assert "no backup was taken with this row" in status(app)
        assert entries(desk) == before


async def test_any_two_rows_are_compared_and_that_is_no_rollback(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk, size=(140, 40)) as (app, pilot):
        await press(pilot, "3", "G", "b", "g")
        text = painted(app)
        assert "compare only: 30d ago -> 2d ago" in text
        assert "rollback: both documents" not in text
        assert "+ 2   Office is in Lille" in text
        assert "is the base" in status(app)
        assert "nothing of this is a rollback: q leaves the comparison" in text
        before = entries(desk)
        await press(pilot, "r")
        assert "only compares" in status(app)
        assert entries(desk) == before
        await press(pilot, "j", "enter")
        assert isinstance(app.screen, ReadScreen)
        assert "compare only: 30d ago -> 5d ago" in painted(app)
        await press(pilot, "q")
        assert "+ 2   Office is in Lyon" in painted(app), "before it was replaced"
        await press(pilot, "q")
        assert isinstance(app.screen, HistoryScreen), "the first q ends the comparison only"
        assert "rollback: both documents" in painted(app)
        await press(pilot, "b")
        assert "q or b leaves the comparison" in painted(app)
        await press(pilot, "b")
        assert "compare only" not in painted(app), "b on the base takes it away"


async def test_d_goes_from_one_column_to_two_to_plain_texts(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk, size=(200, 40)) as (app, pilot):

        def both() -> bool:
            beside = app.screen.query_one("#right").region.x
            return any("in Lille" in row[beside:] and "in Lyon" in row[beside:] for row in painted(app).split("\n"))

        await press(pilot, "3", "j")
        assert not both()
        await press(pilot, "d")
        assert both()
        assert "two columns" in status(app)
        await press(pilot, "d")
        assert "-- before --" in painted(app)
        await press(pilot, "d")
        assert "one column" in status(app)


async def test_what_two_rows_share_is_said(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "3", "b")
        assert "the same at these two rows, byte for byte" in painted(app)


async def test_one_earlier_change_is_undone_alone_and_redone(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk, size=(100, 30)) as (app, pilot):
        before = entries(desk)
        await press(pilot, "3", "j", "j")
        await press(pilot, "v")
        assert isinstance(app.screen, RevertScreen)
        text = painted(app)
        assert "undo this one alone: approved memory:" in text
        assert "2 later changes" in text
        assert "comes back to the queue" in text
        assert "- 4   Backups run on Sunday" in text
        await press(pilot, "v")
        assert entries(desk) == before, "only y does it"
        await press(pilot, "y")
        assert isinstance(app.screen, HistoryScreen)
        assert entries(desk) == ("Prefers tabs", "Office is in Lille", "by another program")
        assert {"add00001", "add00002"} <= waiting(desk)
        assert "undone: approved memory" in status(app)
        row = app.screen.row
        assert row is not None
        told = app.screen.told
        assert told is not None
        assert told.change is not None
        assert told.change.undone_by is not None, "the cursor is still on that change, which is undone now"
        await press(pilot, "v")
        assert "redo this one alone" in painted(app)
        await press(pilot, "y")
        assert entries(desk) == before
        assert waiting(desk) == set()
        assert desk.store.book.rows()[-1].row["action"] == "redo"


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_where_entries_moved_on_each_is_asked_and_the_result_shown_before_it_is_done(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    desk = past(tmp_path)
    desk.correct([Operation(Action.REPLACE, Target.MEMORY, match="Office is in Lille", content="Office in Lille, 3")])
    async with running(desk, size=size) as (app, pilot):
        await press(pilot, "3", "j", "j")
        await press(pilot, "v")
        assert isinstance(app.screen, MovedOnScreen)
        text = painted(app)
        for words in ("Office is in Lyon", "Office is in Lille", "Office in Lille, 3"):
            assert words in text
        if size[0] > 100:
            assert any("Lyon" in row and "is in Lille" in row and "Lille, 3" in row for row in text.split("\n"))
        await press(pilot, "1", "y")
        assert isinstance(app.screen, RevertScreen)
        assert "- 2   Office in Lille, 3" in painted(app)
        assert "+ 2   Office is in Lyon" in painted(app)
        assert "Office in Lille, 3" in entries(desk), "nothing is written yet"
        await press(pilot, "y")
        assert "Office is in Lyon" in entries(desk)


async def test_a_change_of_another_program_before_the_y_writes_nothing(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "3", "j", "v")
        assert isinstance(app.screen, RevertScreen)
        file = tmp_path / "hermes" / "memories" / "MEMORY.md"
        file.write_text("written meanwhile", encoding="utf-8")
        await press(pilot, "y")
        assert entries(desk) == ("written meanwhile",)
        assert "nothing was written" in status(app)


async def test_what_others_wrote_is_no_change_to_undo(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "3", "j", "j", "j", "v")
        assert isinstance(app.screen, HistoryScreen)
        assert "r rolls back to it" in status(app)


async def test_read_only_looks_and_undoes_nothing(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk, read_only=True) as (app, pilot):
        for key in ("r", "v", "u"):
            await press(pilot, "3", "j", key)
            assert isinstance(app.screen, HistoryScreen)
            assert "read only" in status(app)


async def test_the_filter_takes_words_and_keys(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk) as (app, pilot):
        await press(pilot, "3", "slash", *"build", "enter")
        assert "filter: 1 of 6" in painted(app)
        assert "rejected memory" in listed(app)[0]
        await press(pilot, "slash", "!")
        assert "No row holds these words" in painted(app)
        await press(pilot, "escape")
        assert "6 rows" in painted(app)
        await press(pilot, "slash", *"x:y")
        assert "nothing a filter knows" in painted(app)


async def test_the_details_name_everything_a_rollback_would_do(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk, size=(140, 40)) as (app, pilot):
        await press(pilot, "3", "j", "j", "enter")
        text = painted(app)
        assert "this row   approved memory: 'Backups run on Sunday' and 1 more" in text
        assert "returns    2 to the queue:" in text
        assert "memory: 'Has a cat called Miso'" in text
        assert "entries    2 leave, 1 changes" in text
        assert "agents     read the documents at their next session" in text


async def test_sizes_over_time_are_drawn_where_there_is_room(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk, size=(140, 40)) as (app, pilot):
        await press(pilot, "3")
        text = painted(app)
        assert "size over time" in text
        assert "2200 ┄┄┄" in text
        assert "30d ago" in text
    async with running(desk) as (app, pilot):
        await press(pilot, "3")
        assert "size over time" not in painted(app)


async def test_it_opens_at_a_change_or_a_backup(tmp_path: Path) -> None:
    desk = past(tmp_path)
    change = desk.store.book.index()[2][0]
    backup = desk.store.backup_names()[0]
    async with running(desk) as (app, pilot):
        for name in (change, backup, "nothing"):
            app.go(PLACE, name)
            await settle(pilot)
            assert isinstance(app.screen, HistoryScreen)
            assert app.screen.row is not None
            if name == "nothing":
                assert "there is no backup or change nothing any more" in status(app)
            else:
                assert name in {app.screen.row.change, app.screen.row.backup}
            await press(pilot, "q")


@pytest.mark.parametrize("way", ["2", "5"], ids=["documents", "learned"])
async def test_from_an_entry_h_goes_to_the_change_that_brought_it(tmp_path: Path, way: str) -> None:
    desk = past(tmp_path)
    brought = {"Has a cat called Miso": 2, "Office is in Lille": 1}
    async with running(desk, size=(140, 40)) as (app, pilot):
        await press(pilot, way)
        for text, place in brought.items():
            await press(pilot, "slash", "ctrl+u", *text.split()[-1], "enter", "h")
            assert isinstance(app.screen, HistoryScreen)
            assert app.screen.row is not None
            assert app.screen.row.change == desk.store.book.index()[place][0]
            await press(pilot, "q", way)


async def test_a_missing_backup_is_named_with_the_way_out(tmp_path: Path) -> None:
    desk = past(tmp_path)
    newest = desk.store.backup_names()[-1]
    (tmp_path / "hermes" / "memories" / "backups" / newest).rename(tmp_path / "away")
    async with running(desk, size=(100, 30)) as (app, pilot):
        await press(pilot, "3", "j")
        text = painted(app)
        assert "backup missing" in text
        assert newest in text
        assert "curator-tui doctor" in text
        await press(pilot, "r")
        assert isinstance(app.screen, HistoryScreen)
        assert "is missing" in status(app)


async def test_what_is_written_meanwhile_joins_the_list_and_moves_nothing(tmp_path: Path) -> None:
    desk = past(tmp_path)
    async with running(desk, size=(140, 40)) as (app, pilot):
        await press(pilot, "3", "j", "j")
        screen = app.screen
        assert isinstance(screen, HistoryScreen)
        row, page = screen.row, screen.reader.page
        desk.correct([Operation(Action.ADD, Target.USER, content="Likes rye bread")])
        screen.tick()
        await settle(pilot)
        assert screen.row == row
        assert screen.reader.page is page, "what one reads does not change by itself"
        assert "7 rows" in painted(app)
        assert "changed meanwhile: R draws" in status(app)
        await press(pilot, "r", "y")
        assert isinstance(app.screen, AskScreen), "the documents are others now: it asks again"


async def test_two_thousand_rows_are_listed_and_walked_without_reading_them_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the rows near the screen are read, however long the past is."""
    from curator_tui.curator import timeline
    from curator_tui.tui.screens import history_ground

    desk = past(tmp_path)
    real = timeline.timeline(desk)
    many = tuple(one for n in range(400) for one in (*real[:-1],))
    read: list[int] = []

    def counted(desk: Desk, moments: tuple[timeline.Moment, ...], **more: bool) -> dict[str, timeline.Told]:
        read.append(len(moments))
        return timeline.tell(desk, list(dict.fromkeys(moments)), **more)

    monkeypatch.setattr(history_ground, "timeline", lambda _: many)
    monkeypatch.setattr(history_ground, "tell", counted)
    async with running(desk, size=(100, 30)) as (app, pilot):
        await press(pilot, "3")
        assert "2000 rows" in painted(app)
        await press(pilot, "j", "G", "k")
        assert not any(row.startswith("…") for row in listed(app))
    assert sum(read) < 400


async def test_now_is_a_heading_and_no_row_one_could_stand_on(tmp_path: Path) -> None:
    async with running(past(tmp_path)) as (app, pilot):
        await press(pilot, "3", "g")
        assert any(row.startswith("-- now") for row in painted(app).splitlines())
