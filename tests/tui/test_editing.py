"""Edit, then approve: what the field begins with, live checks, drafts, hidden characters."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from textual.events import Key
from textual.widgets import TextArea

from curator_tui.core.documents import Target
from curator_tui.curator.desk import Desk
from curator_tui.tui.app import Timing
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.screens.second import SecondScreen
from tests.tui.desks import (
    desk_with,
    entries,
    every_state,
    go_to,
    item,
    painted,
    press,
    put_record,
    put_text,
    review,
    running,
    settle,
    status,
    waiting,
)  # fmt: skip


def field(app: object) -> TextArea:
    found = app.screen.query_one("#field", TextArea)  # type: ignore[attr-defined]
    assert isinstance(found, TextArea)
    return found


async def test_a_version_that_stands_already_closes_its_item_and_speaks_for_no_other_wording(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "alt00001")
        await press(pilot, "e")
        assert "another wording would be closed unseen" in status(app), "as it says before an approval"
        await press(pilot, *["full_stop", "pagedown"] * 3, "e")
        await put_text(pilot, "Prefers tabs")
        assert "closes it without writing" in status(app)
        await press(pilot, "ctrl+s")
        assert "closed without writing memory: 'Prefers tabs -> tabs of width 4' and closed 1 more" in status(app)
        assert "approved" not in status(app)
    assert desk.store.book.decided(["alt00001"])["alt00001"].ending == "log-only"
    assert {"alt00002"} <= set(waiting(desk))
    assert "alt00001" not in waiting(desk)


async def test_ones_own_version_is_approved_and_recorded_as_an_edit(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        assert isinstance(app.screen, EditScreen)
        assert field(app).text == "Backups run on Sunday"
        await put_text(pilot, "Backups run on Monday")
        assert "Backups run on Monday" in painted(app)
        assert "ctrl+s approves" in status(app)
        await press(pilot, "ctrl+s")
        assert "Backups run on Monday" in entries(desk)
        assert "Backups run on Sunday" not in entries(desk)
        assert desk.store.book.rows()[-1].row["decisions"][0]["decision"] == "edit"
        assert "approved your version of memory: 'Backups run on Monday'" in status(app), "what stands there now"
        assert "Sunday" not in status(app)


async def test_a_draft_is_kept_until_the_item_is_decided(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e", "B", "escape")
        assert "draft is kept" in status(app)
        await press(pilot, "e")
        assert field(app).text == "Backups run on SundayB"
        await press(pilot, "escape", "q")
        assert "1 draft" in painted(app), "leaving asks"
        await press(pilot, "n")
        assert app.is_running
        await press(pilot, "x")
        assert not app.session.drafts
        await press(pilot, "u", "q")
        assert "1 draft" in painted(app), "the item is back, and what was written for it"
        await press(pilot, "n", "e")
        assert field(app).text == "Backups run on SundayB"


async def test_a_lossy_item_begins_with_the_text_inside_the_entry(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "los00001")
        await press(pilot, "e")
        wanted = "[net] router is 10.0.0.1 [nas] web port 9090 [print] tray 2 holds A5"
        assert field(app).text == wanted
        await press(pilot, "ctrl+s")
        assert wanted in entries(desk)


INSIDE = "[net] router is 10.0.0.1 [nas] web port 9090 [print] tray 2 holds A5"
PROPOSED = "[nas] web port 9090"


@pytest.mark.parametrize("opened", ["as proposed", "inside only"])
@pytest.mark.parametrize(
    ("then", "text"),
    [((), INSIDE), (("tab", "r"), PROPOSED), (("tab", "r", "shift+tab", "!"), f"{PROPOSED}!"), (("!",), f"{INSIDE}!")],
)
async def test_the_outcome_is_that_of_the_text_in_the_field(
    tmp_path: Path, opened: str, then: tuple[str, ...], text: str
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(140, 40)) as (app, pilot):
        await go_to(pilot, app, "los00001")
        if opened == "inside only":
            await press(pilot, "I")
        await press(pilot, "e", *then)
        assert field(app).text == text
        screen = app.screen
        assert isinstance(screen, EditScreen)
        assert screen.checked is not None
        after = [entry.diff.after for view in screen.checked.documents for entry in view.entries]
        assert text in after
        assert (INSIDE in after) is (text == INSIDE)


async def test_hidden_characters_are_tokens_and_come_back_as_they_were(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("hid00001", "add", "one\u200btwo")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        assert field(app).text == "one⟨U+200B⟩two"
        await put_text(pilot, "one⟨U+200B⟩two!")
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, SecondScreen), "it is flagged, so it asks"
        await press(pilot, "1", "y")
        assert "one\u200btwo!" in entries(desk)


async def test_an_answer_counts_although_the_same_text_was_checked_again_under_the_question(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("hid00001", "add", "one\u200btwo")])
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        editing = app.screen
        assert isinstance(editing, EditScreen)
        await put_text(pilot, "one⟨U+200B⟩two!")
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, SecondScreen)
        before = editing.checked
        await editing._check()
        assert editing.checked is not before
        await press(pilot, "1", "y")
        assert "one\u200btwo!" in entries(desk)


async def test_an_answer_counts_for_nothing_where_the_item_changed_under_the_question(tmp_path: Path) -> None:
    old = item("hid00001", "add", "one\u200btwo")
    desk = desk_with(tmp_path, [old])
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        editing = app.screen
        assert isinstance(editing, EditScreen)
        await put_text(pilot, "one⟨U+200B⟩two!")
        await press(pilot, "ctrl+s")
        put_record(tmp_path / "hermes", {**old, "summary": "another record of the same name"})
        await app.clerk.ask(lambda desk: desk.refresh())
        await editing._check()
        await press(pilot, "1", "y")
        assert isinstance(app.screen, EditScreen)
        assert "not approved" in painted(app)
        assert "one\u200btwo!" not in entries(desk)


async def test_a_typed_control_character_is_refused(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        await put_text(pilot, "bell ⟨BEL⟩ rings")
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, EditScreen)
        assert "add00001" in waiting(desk)
        assert "control character" in painted(app)


async def test_the_gauge_and_the_limit_are_live(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "ovr00001")
        await press(pilot, "e")
        assert "OVER by" in painted(app)
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, EditScreen)
        await put_text(pilot, "shorter")
        assert "OVER by" not in painted(app)
        await press(pilot, "ctrl+s")
        assert "shorter" in entries(desk, Target.USER)


async def test_every_step_of_a_batch_can_be_reworded(tmp_path: Path) -> None:
    record = item("bat00001", "batch")
    record["payload"] = {
        "action": "batch",
        "target": "memory",
        "operations": [
            {"action": "add", "content": "first fact"},
            {"action": "remove", "old_text": "Prefers tabs"},
            {"action": "add", "content": "second fact"},
        ],
    }
    desk = desk_with(tmp_path, [record])
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        assert field(app).text == "first fact"
        await press(pilot, "tab", "n")
        assert field(app).text == "second fact"
        await put_text(pilot, "second fact, reworded")
        await press(pilot, "ctrl+s")
        assert {"first fact", "second fact, reworded"} <= set(entries(desk))
        assert "Prefers tabs" not in entries(desk)


# -- what will be applied was painted, seen and dwelt upon -------------------------------------------------------------

SLOW = Timing(dwell=30.0, quiet=0.0, poll=0.0, rest=0.0)
MANY = 21


def many_steps() -> dict[str, object]:
    """Return a batch whose outcome has no room on the screen."""
    record = item("bat00001", "batch")
    steps = [{"action": "add", "content": f"step {number} of many"} for number in range(MANY)]
    record["payload"] = {"action": "batch", "target": "memory", "operations": steps}
    return record


def last_seen(desk: Desk) -> str:
    decided = desk.store.book.rows()[-1].row["decisions"][0]
    assert isinstance(decided["seen"], str)
    return decided["seen"]


async def test_changes_below_the_edge_are_gone_to_before_anything_is_saved(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [many_steps()])
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        shown: list[str] = []
        while app.screen is not review(app):
            shown.append(painted(app))
            assert waiting(desk) == {"bat00001"}
            assert len(shown) < MANY
            await press(pilot, "ctrl+s")
        for number in range(MANY):
            assert any(f"step {number} of many" in text for text in shown), "each was on screen before it was applied"
        assert len(shown) > 2, "so it takes more than one key"
        assert "step 20 of many" in entries(desk)
        assert last_seen(desk) == "100%"


@pytest.mark.parametrize("keys", [("ctrl+s",), ("tab", "a")])
async def test_saving_before_the_outcome_stood_there_does_nothing(tmp_path: Path, keys: tuple[str, ...]) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, timing=SLOW) as (app, pilot):
        await press(pilot, "e", "B")
        await press(pilot, *keys)
        assert isinstance(app.screen, EditScreen)
        assert "too fast" in status(app)
        assert len(waiting(desk)) == 13


async def test_what_was_just_typed_is_not_saved_before_its_outcome_was_painted(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        assert isinstance(app.screen, EditScreen)
        field(app).load_text("something else")
        app.screen.action_edit_save()
        await settle(pilot)
        assert "something else" not in entries(desk)
        await press(pilot, "ctrl+s")
        assert "something else" in entries(desk)


async def test_a_question_above_the_outcome_answers_for_what_it_asked_about(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "fla00001")
        await press(pilot, "e")
        screen = app.screen
        assert isinstance(screen, EditScreen)
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, SecondScreen)
        screen._field.put("other words, never asked about")
        await settle(pilot)
        await press(pilot, "1", "y")
        assert app.screen is screen
        assert "fla00001" in waiting(desk)


async def test_the_inside_only_answer_puts_that_text_into_the_field(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "los00001")
        await press(pilot, "e")
        await put_text(pilot, "[nas] web port 9090")
        await press(pilot, "ctrl+s", "i")
        assert field(app).text == "[net] router is 10.0.0.1 [nas] web port 9090 [print] tray 2 holds A5"
        assert "los00001" in waiting(desk)


async def test_a_held_key_goes_on_by_one_change_and_saves_nothing(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [many_steps()])
    async with running(desk, timing=Timing(dwell=0.0, poll=0.0, rest=0.0)) as (app, pilot):
        await press(pilot, "e")
        first, *others = held = [Key("ctrl+s", None) for _ in range(40)]
        for number, key in enumerate(held):
            key.time = held[0].time + number * 0.03
        app.post_message(first)
        await settle(pilot)
        for key in others:  # within one turn of the loop: how fast the machine is does not matter
            app.post_message(key)
        await settle(pilot)
        assert isinstance(app.screen, EditScreen)
        assert waiting(desk) == {"bat00001"}


@pytest.mark.parametrize("size", [(40, 10), (60, 15), (80, 24)])
async def test_the_outcome_is_in_sight_in_every_window(tmp_path: Path, size: tuple[int, int]) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=size) as (app, pilot):
        await press(pilot, "e", "B")
        assert "+ 7   Backups run on SundayB" in painted(app)
        await press(pilot, "ctrl+s")
        assert "Backups run on SundayB" in entries(desk)


async def test_text_that_is_no_edit_cannot_be_edited(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("del00001", "remove", None, "Prefers tabs")])
    async with running(desk) as (app, pilot):
        assert "e edit" not in painted(app).splitlines()[-1], "the key row offers nothing that does nothing"
        await press(pilot, "e")
        assert app.screen is review(app)
        assert "no text to edit in this item: x rejects it, a approves it as it stands" in status(app)
        await press(pilot, "I")
        assert "no variant inside the entry: x rejects it, a approves it as it stands" in status(app)


async def test_without_an_editor_the_key_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "E")
        assert isinstance(app.screen, EditScreen)
        await settle(pilot)
        assert "no editor is set: export EDITOR, or write it here" in painted(app)


async def test_an_editor_that_does_not_start_leaves_the_draft_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "/usr/bin/no-such-editor")
    monkeypatch.setattr("textual.app.App.suspend", lambda _: nullcontext())
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "e")
        assert isinstance(app.screen, EditScreen)
        before = app.screen.query_one("#field", TextArea).text
        await press(pilot, "x", "tab", "escape", "E")
        assert isinstance(app.screen, EditScreen)
        assert app.screen.query_one("#field", TextArea).text != before
        await settle(pilot)
        assert "the editor did not start: No such file" in painted(app)
