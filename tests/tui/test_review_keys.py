"""The review screen key by key: what is decided, what is not, and where the cursor stands afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.requests import ChallengeCode
from curator_tui.tui.app import Timing
from curator_tui.tui.screens import acting
from curator_tui.tui.screens.choosing import ChooseScreen
from curator_tui.tui.screens.rebasing import RebaseScreen
from curator_tui.tui.screens.second import WHY, SecondScreen
from tests.tui.desks import (
    BY_HAND,
    FAST,
    NET,
    cursor,
    desk_with,
    entries,
    every_state,
    go_to,
    item,
    painted,
    paste,
    press,
    review,
    running,
    settle,
    status,
    waiting,
)  # fmt: skip


async def test_the_first_row_is_ready_and_on_screen(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, _):
        assert cursor(app) == "add00001"
        text = painted(app)
        assert "+ 7   Backups run on Sunday" in text
        assert "13 waiting" in text
        assert "all seen: a approves" in text
        assert ":default" in text, "the bound store is always in sight"


async def test_approve_writes_what_was_shown_and_goes_on(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "a")
        assert "Backups run on Sunday" in entries(desk)
        assert "add00001" not in waiting(desk)
        assert cursor(app) == "add00002", "the next row, without a key"
        assert "approved memory: 'Backups run on Sunday'" in status(app)


async def test_equal_adds_are_one_row_and_one_decision(tmp_path: Path) -> None:
    staged = [item(f"rep{n:05d}", "add", "Uses zsh", age=9000 - n) for n in range(5)]
    desk = desk_with(tmp_path, [*staged, item("add00001", "add", "Owns a canoe", age=10)])
    async with running(desk) as (app, pilot):
        assert "x5" in painted(app)
        assert "waits 5 times" in painted(app)
        await press(pilot, "a")
        assert entries(desk).count("Uses zsh") == 1
        assert waiting(desk) == {"add00001"}
        assert "and closed 4 more that say the same" in status(app)
        await press(pilot, "u")
        assert "Uses zsh" not in entries(desk)
        assert len(waiting(desk)) == 6
        assert cursor(app) == "rep00000"
        await press(pilot, "x")
        assert waiting(desk) == {"add00001"}


async def test_reject_keeps_the_document_and_says_how_to_take_it_back(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        before = entries(desk)
        await press(pilot, "x")
        assert entries(desk) == before
        assert "add00001" not in waiting(desk)
        assert "u undoes it" in status(app)


async def test_reject_with_a_reason(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "X")
        assert "add00001" in waiting(desk)
        await press(pilot, "3")
        assert "add00001" not in waiting(desk)
        assert "(sensitive)" in status(app)
        row = desk.store.book.rows()[-1].row
        assert row["decisions"][0]["reason"] == "sensitive"


async def test_reject_for_another_reason_takes_a_note(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "X", "6", *"no!", "enter")
        assert "add00001" not in waiting(desk)
        part = desk.store.book.rows()[-1].row["decisions"][0]
        assert part["reason"] == "other"
        assert desk.store.book.text(part["note"]) == b"no!"
        assert app.session.decided == 1


async def test_undo_puts_the_item_back_under_the_cursor_and_redo_takes_it_again(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "rep00001")
        before = entries(desk, Target.USER)
        await press(pilot, "a")
        assert entries(desk, Target.USER) != before
        await press(pilot, "u")
        assert entries(desk, Target.USER) == before
        assert cursor(app) == "rep00001"
        await press(pilot, "U")
        assert "Home city: Lisbon" in entries(desk, Target.USER)
        assert "rep00001" not in waiting(desk)


async def test_undo_of_an_earlier_run_says_first_what_it_was(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (_, pilot):
        await press(pilot, "a")
    async with running(desk) as (app, pilot):
        await press(pilot, "u")
        assert "approved memory: 'Backups run on Sunday'" in painted(app)
        assert "add00001" not in waiting(desk)
        await press(pilot, "a")
        assert "add00001" not in waiting(desk), "only y means yes"
        await press(pilot, "u", "y")
        assert cursor(app) == "add00001"


async def test_skip_is_no_decision_and_goes_to_the_end(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        rows = len(desk.store.book.rows())
        await press(pilot, "s")
        assert cursor(app) == "add00002"
        assert len(desk.store.book.rows()) == rows
        screen = review(app)
        assert screen.model.rows is not None
        assert screen.model.rows.items()[-1].id == "add00001"
        await press(pilot, "G")
        assert cursor(app) == "add00001"
        assert "skipped for now" in painted(app)


@pytest.mark.parametrize(
    ("keys", "ending", "reason"),
    [("a", "already in effect", None), ("x", "reject", None), ("X3", "reject", "sensitive")],
)
async def test_the_ledger_says_of_an_item_without_effect_what_the_key_said(
    tmp_path: Path, keys: str, ending: str, reason: str | None
) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "noc00001")
        assert "a approves: nothing to write" in painted(app)
        before = entries(desk, Target.USER)
        await press(pilot, *keys)
        assert entries(desk, Target.USER) == before
        assert "noc00001" not in waiting(desk)
        assert f"{'approved' if keys == 'a' else 'rejected'} user: 'Drinks coffee without milk'" in status(app)
        part = desk.store.book.rows()[-1].row["decisions"][0]
        assert (part["decision"], part.get("reason")) == (ending, reason)


async def test_x_rejects_what_is_on_screen_also_when_an_edit_of_it_would_do_nothing(tmp_path: Path) -> None:
    """The rule looks at the key, not at what the item or its edit would do."""
    desk = desk_with(tmp_path, [item("amb00001", "replace", "Prefers tabs", "e")])
    async with running(desk) as (app, pilot):
        await press(pilot, "a")
        assert isinstance(app.screen, ChooseScreen)
        await press(pilot, str(1 + list(app.screen._texts).index("Never deploy on Fridays")), "x")
        assert desk.store.book.rows()[-1].row["decisions"][0]["decision"] == "reject"


async def test_a_remove_whose_entry_is_gone_can_be_rejected_as_stale(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("gone0001", "remove", None, "no such entry anywhere")])
    async with running(desk) as (app, pilot):
        await press(pilot, "a")
        assert isinstance(app.screen, ChooseScreen)
        assert "x rejects the item as stale" in painted(app)
        await press(pilot, "x")
        part = desk.store.book.rows()[-1].row["decisions"][0]
        assert (part["decision"], part["reason"]) == ("reject", "stale")


async def test_choosing_one_wording_closes_the_others(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "alt00001")
        assert "x3" in painted(app)
        await press(pilot, "full_stop")
        assert "Uses tabs, width four" in painted(app)
        await press(pilot, "a")
        assert "Uses tabs, width four" in entries(desk)
        assert not {"alt00001", "alt00002", "alt00003"} & waiting(desk)
        await press(pilot, "u")
        assert {"alt00001", "alt00002", "alt00003"} <= waiting(desk)


async def test_rejecting_one_wording_rejects_its_repeats_and_says_that_the_other_still_waits(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(160, 40)) as (app, pilot):
        await go_to(pilot, app, "alt00001")
        await press(pilot, "x")
        assert {"alt00001", "alt00002", "alt00003"} & waiting(desk) == {"alt00002"}
        assert "still waiting" in status(app)
        assert "alt00002" in status(app)
        assert "and rejected 1 more" in status(app)
        await press(pilot, "u")
        assert {"alt00001", "alt00002", "alt00003"} <= waiting(desk)
        assert entries(desk).count("Prefers tabs") == 1


async def test_lossy_names_the_loss_and_takes_y_only(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "los00001")
        for key in ("a", "space", "enter"):
            await press(pilot, "a")
            assert isinstance(app.screen, SecondScreen)
            text = painted(app)
            assert "[net] router is 10.0.0.1" in text
            assert "[print] tray 2 holds A5" in text
            await press(pilot, key)
            assert NET in entries(desk), f"{key} is no answer"
            assert not isinstance(app.screen, SecondScreen)
        await press(pilot, "a", "y")
        assert "[nas] web port 9090" in entries(desk)


async def test_inside_only_is_shown_before_it_counts(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "los00001")
        await press(pilot, "a")
        assert "I  change only the words inside the entry" in painted(app)
        await press(pilot, "I")
        wanted = "[net] router is 10.0.0.1 [nas] web port 9090 [print] tray 2 holds A5"
        assert wanted in painted(app)
        assert NET in entries(desk)
        await press(pilot, "a")
        assert wanted in entries(desk)
        assert f"approved a version of memory: '{wanted[:30]}" in status(app), "what stands, not what was proposed"


async def test_a_removal_that_cannot_take_less_names_what_can_be_done(tmp_path: Path) -> None:
    home = "Works at Acme. Has a daughter named Lia and a dog. Lives in Porto with Lia."
    desk = desk_with(tmp_path, [item("rem00001", "remove", None, "Lia")], memory=[home])
    async with running(desk, size=(80, 30)) as (app, pilot):
        assert "way out    x rejects it, a approves it knowingly: the whole entry goes" in painted(app)
        await press(pilot, "I")
        assert "x rejects it, a approves it knowingly" in status(app)


async def test_the_title_keeps_its_form_when_a_question_waits(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(80, 24)) as (app, pilot):
        title = painted(app).splitlines()[0]
        assert title.startswith(" [1 Review] 2 3 4 5 6 7  ")
        assert "13 waiting 6 ready" in title
        desk.challenge(Target.MEMORY, NET, ChallengeCode.WRONG)
        await press(pilot, "R")
        title = painted(app).splitlines()[0]
        assert title.startswith(" [1 Review] 2 3 4 5 6 7  ")
        assert "13 waiting  1 question" in title


async def test_a_narrow_title_tells_as_much_as_has_room(tmp_path: Path) -> None:
    async with running(desk_with(tmp_path, every_state()), size=(60, 18)) as (app, _):
        assert "13 waiting 6 ready" in painted(app).splitlines()[0]


async def test_a_question_that_asks_about_losses_names_each_of_them_once(tmp_path: Path) -> None:
    lossy = item("los00001", "replace", "[nas] web port 9090", "web port 8080")
    async with running(desk_with(tmp_path, [lossy]), size=(80, 24)) as (app, pilot):
        assert "state      lossy: 2 facts standing in the same entry would be lost  " in painted(app)
        await press(pilot, "a")
        asked = painted(app).partition("anyway?")[2]
        assert "lossy: 2 facts standing in the same entry would be lost  " in asked
        assert asked.count("[net] router is 10.0.0.1") == 1


async def test_a_removal_shows_what_goes_with_it_and_can_take_less(tmp_path: Path) -> None:
    tools = "ripgrep is installed as rg; fd is called fdfind on juniper."
    desk = desk_with(tmp_path, [item("rem00001", "remove", None, "ripgrep is installed as rg")], memory=[tools])
    async with running(desk, size=(80, 24)) as (app, pilot):
        text = painted(app)
        assert "goes too   fd is called fdfind on juniper." in text
        assert "matches    ripgrep is installed as rg" in text
        assert "a approves, I changes inside only" in text
        await press(pilot, "I", "a")
        assert entries(desk) == ("fd is called fdfind on juniper.",)


async def test_a_hand_written_file_shows_what_a_small_replace_would_lose(tmp_path: Path) -> None:
    """Case T05: the whole file is one entry."""
    pending = [item("a5000001", "replace", "Bins: Monday evening", "Bins: Tuesday evening")]
    desk = desk_with(tmp_path, pending, memory=[BY_HAND])
    async with running(desk, size=(100, 40)) as (app, pilot):
        text = painted(app)
        assert "2 headings" in text
        for lost in ("Atlas is the NAS", "Borealis is retired"):
            assert f"-     - {lost}" in text
        await press(pilot, "a")
        assert isinstance(app.screen, SecondScreen)
        assert "Borealis is retired" in painted(app)
        await press(pilot, "i", "a")
        assert entries(desk) == (BY_HAND.replace("Tuesday", "Monday"),)


async def test_flagged_needs_a_reason_and_y(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "fla00001")
        assert "⟨ESC⟩" in painted(app)
        await press(pilot, "a", "y")
        assert "fla00001" in waiting(desk), "y is locked until a reason was given"
        await press(pilot, "2")
        assert "fla00001" in waiting(desk)
        await press(pilot, "y")
        assert "fla00001" not in waiting(desk)
        part = desk.store.book.rows()[-1].row["decisions"][0]
        assert (part["override"], part["reason"]) == (["flagged"], "false-alarm")


async def test_whoever_goes_back_from_the_words_has_given_no_reason(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "fla00001")
        await press(pilot, "a", "3", "escape", "y")
        assert "fla00001" in waiting(desk)
        assert "first 1, 2 or 3" in status(app)
        await press(pilot, "3")
        await paste(pilot, "I know who wrote it")
        await press(pilot, "enter", "1", "y")
        part = desk.store.book.rows()[-1].row["decisions"][0]
        assert part["reason"] == WHY[0][0]
        assert "note" not in part, "the words were for another reason"


async def test_over_limit_says_by_how_much_and_writes_nothing(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "ovr00001")
        before = entries(desk, Target.USER)
        assert "OVER by" in painted(app)
        await press(pilot, "a")
        assert entries(desk, Target.USER) == before
        assert "over" in status(app)


async def test_a_stale_item_shows_the_nearest_entry_and_can_be_rebased(tmp_path: Path) -> None:
    """Case T07: applying it would set the version back."""
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(100, 40)) as (app, pilot):
        await go_to(pilot, app, "sta00001")
        text = painted(app)
        assert "Uses Krita 5.2 for drawings" in text
        assert "Uses Krita 5.1 for drawings" in text
        await press(pilot, "a")
        assert isinstance(app.screen, RebaseScreen)
        await press(pilot, "2")
        assert "Uses Krita 5.2 for drawings" in entries(desk), "choosing shows, approving writes"
        await press(pilot, "a")
        assert "Uses Krita 5.1 for drawings" in entries(desk)
        assert "Uses Krita 5.2 for drawings" not in entries(desk)


async def test_an_ambiguous_item_lets_one_entry_be_picked(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("amb00001", "replace", "Never ship on Fridays", "e")])
    async with running(desk) as (app, pilot):
        before = set(entries(desk))
        await press(pilot, "a")
        assert isinstance(app.screen, ChooseScreen)
        texts = list(app.screen._texts)
        await press(pilot, str(1 + texts.index("Never deploy on Fridays")), "a")
        if isinstance(app.screen, SecondScreen):
            await press(pilot, "y")
        assert before ^ set(entries(desk)) == {"Never deploy on Fridays", "Never ship on Fridays"}
        assert "approved a version of memory: 'Never ship on Fridays'" in status(app), "what stands now"


@pytest.mark.parametrize("name", ["inv00001", "broken"])
async def test_what_cannot_be_read_can_only_be_rejected(tmp_path: Path, name: str) -> None:
    desk = desk_with(tmp_path, every_state(), raw={"broken.json": b'{"a": 1, \x00\xff'})
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, name)
        await press(pilot, "a")
        assert name in waiting(desk)
        await press(pilot, "x")
        assert name not in waiting(desk)


async def test_unseen_changes_lock_a_and_n_shows_them(tmp_path: Path) -> None:
    many = "\n".join(f"line {number} of a long entry" for number in range(40))
    desk = desk_with(tmp_path, [item("long0001", "add", many)])
    async with running(desk) as (app, pilot):
        assert "a is locked, press n" in painted(app)
        await press(pilot, "a")
        assert many not in entries(desk)
        assert "not seen" in status(app)
        for _ in range(20):
            await press(pilot, "n")
            if "all seen" in painted(app):
                break
        assert cursor(app) == "long0001"
        await press(pilot, "a")
        assert many in entries(desk)


async def test_what_changed_on_disk_is_not_approved(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        path = tmp_path / "hermes" / "memories" / "MEMORY.md"
        path.write_text("Something else\n§\nPrefers tabs", encoding="utf-8")
        await press(pilot, "a")
        assert entries(desk) == ("Something else", "Prefers tabs")
        assert "changed since it was shown" in status(app)
        assert "add00001" in waiting(desk)
        assert "Something else" in painted(app), "the new outcome is on screen"
        await press(pilot, "a")
        assert entries(desk)[-1] == "Backups run on Sunday"


async def test_too_fast_a_key_does_nothing(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, timing=Timing(dwell=30.0, quiet=0.0, poll=0.0)) as (app, pilot):
        await press(pilot, "a", "x")
        assert "too fast: add00001 was shown for less than 30 s: look, then press again" in status(app)
        assert "add00001" in waiting(desk)


async def test_marks_ranges_and_all(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "space")
        assert list(app.session.marked) == ["add00001"]
        assert cursor(app) == "add00002"
        await press(pilot, "v", "j", "j", "v")
        assert len(app.session.marked) == 4
        await press(pilot, "asterisk")
        assert len(app.session.marked) == 11, "one per row; a group is one row"
        await press(pilot, "minus")
        assert not app.session.marked


async def test_the_filter_shows_rows_with_the_words_and_esc_clears_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await press(pilot, "slash", *"tabs", "enter")
        assert cursor(app) == "alt00001"
        assert "filter: 1 (esc)" in painted(app)
        assert app.focused is review(app).queue
        await press(pilot, "x")
        assert cursor(app) == "alt00002", "another outcome of that entry still waits"
        await press(pilot, "x")
        assert "No row holds these words" in painted(app)
        await press(pilot, "escape")
        assert app.session.words == ""
        assert cursor(app)


async def test_an_empty_queue_says_what_to_do_next(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    async with running(desk) as (app, pilot):
        await press(pilot, "a")
        text = painted(app)
        assert "Nothing waits." in text
        assert "1 decided" in text
        await press(pilot, "a", "x", "e", "n", "space", "b")
        await press(pilot, "escape")
        await press(pilot, "u")
        assert cursor(app) == "add00001"


async def test_decisions_by_mouse_take_two_clicks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acting, "_CLICK_SECONDS", 60.0)  # however busy the machine is
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        await pilot.click("#keys", offset=(3, 0))
        await settle(pilot)
        assert "add00001" in waiting(desk)
        assert "click again" in status(app)
        await pilot.click("#keys", offset=(3, 0))
        await settle(pilot)
        assert "add00001" not in waiting(desk)
        await pilot.click("#rows", offset=(20, 2))
        await settle(pilot)
        assert cursor(app) == "rep00001"


async def test_a_double_click_is_one_click(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, timing=FAST._replace(dwell=60.0)) as (app, pilot):
        await pilot.click("#keys", offset=(16, 0), times=2)
        await settle(pilot)
        assert "click again to reject" in status(app)
        assert len(waiting(desk)) == 13


async def test_focus_is_never_lost(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        for keys in (
            ("a",),
            ("x",),
            ("X", "escape"),
            ("question_mark", "q"),
            ("i", "q"),
            ("b", "q"),
            ("3", "1"),
            ("u",),
        ):
            await press(pilot, *keys)
            assert app.focused is not None, keys
            assert app.screen is review(app), keys


@pytest.mark.slow
async def test_the_whole_queue_can_be_emptied(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        for _ in range(40):
            if not waiting(desk):
                break
            await press(pilot, "a")
            if app.screen is not review(app):
                await press(pilot, "escape", "x")
            elif "wordings not seen" in painted(app):
                await press(pilot, ".", "a")
            elif "locked" in painted(app) or "OVER" in painted(app) or "rejects" in painted(app):
                await press(pilot, "x")
        assert waiting(desk) == set()
        assert "Nothing waits." in painted(app)


@pytest.mark.parametrize(
    "key", ["g", "G", "home", "end", "pagedown", "pageup", "J", "K", "N", "c", "d", "T", "R", "tab"]
)
async def test_keys_that_only_look_change_nothing(tmp_path: Path, key: str) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, timing=FAST) as (app, pilot):
        before = (waiting(desk), entries(desk), len(desk.store.book.rows()))
        await press(pilot, "j", key, key)
        assert (waiting(desk), entries(desk), len(desk.store.book.rows())) == before
        assert app.is_running


async def test_where_nothing_is_listed_there_is_no_plan(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "One")])
    async with running(desk) as (app, pilot):
        await press(pilot, "/", *"zzz", "enter", "b")
        assert app.screen is review(app)
        assert "nothing that fits the filter waits: there is nothing to plan" in status(app)
        await press(pilot, "escape", "x", "1", "enter", "b")
        assert waiting(desk) == set()
        assert app.screen is review(app)
        assert "nothing waits: there is nothing to plan" in status(app)


async def test_the_filter_lists_its_fields_and_tells_a_wrong_one(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=(100, 30)) as (app, pilot):
        await press(pilot, "/")
        assert "fields: state: op: for:" in status(app)
        await press(pilot, *"op:")
        assert "op: add replace remove batch" in status(app)
        await press(pilot, *"move")
        assert "op: is one of add replace remove batch" in status(app)
        await press(pilot, "escape", "/", *"stat:ready")
        assert "there is no field stat:" in status(app)


@pytest.mark.parametrize("held", ["shift", "ctrl"])
async def test_a_click_with_shift_or_ctrl_marks_all_rows_up_to_it(tmp_path: Path, held: str) -> None:
    desk = desk_with(tmp_path, [item(f"add0000{n}", "add", f"Fact {n}") for n in range(1, 6)])
    async with running(desk) as (app, pilot):
        await go_to(pilot, app, "add00001")
        rows = review(app).queue
        at = rows.cursor - rows.top + 2
        await pilot.click("#rows", offset=(10, at), shift=held == "shift", control=held == "ctrl")
        await settle(pilot)
        assert sorted(app.session.marked) == ["add00001", "add00002", "add00003"]
        assert cursor(app) == "add00003"
        await pilot.click("#rows", offset=(10, at - 1))
        await settle(pilot)
        assert len(app.session.marked) == 3, "a click alone marks nothing"
