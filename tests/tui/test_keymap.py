"""A person's own keys: what counts, what is refused and why, and that every text names the keys in force."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_tui.tui import actions
from curator_tui.tui.actions import ACTIONS, Action, is_menu, use_keys
from curator_tui.tui.key_file import keys_path, load_keys
from curator_tui.tui.keymap import ASKING_NOTHING, CONFIRMING, KeyMap, Trouble, answers, asks, read_keymap, write_keymap
from curator_tui.tui.places import PLACES
from tests.tui.desks import desk_with, every_state, go_to, item, painted, press, running, status, waiting


@pytest.fixture(autouse=True)
def _defaults() -> Iterator[None]:
    yield
    use_keys({})


def one(text: str) -> Trouble:
    found = read_keymap(text)
    assert len(found.troubles) == 1, found
    return found.troubles[0]


def test_a_map_names_actions_dotted_under_a_heading_or_in_quotes() -> None:
    text = 'undo = "ö"\ndecide.approve = ["g2"]\n'.replace("g2", "f2") + '[change]\nnext = ["ä", "right"]\n'
    found = read_keymap(text)
    assert found == KeyMap({"undo": ("ö",), "decide.approve": ("f2",), "change.next": ("ä", "right")}, ())
    assert read_keymap('"decide.approve" = ["f2"]').chosen == {"decide.approve": ("f2",)}


def test_the_names_that_screens_show_are_names_of_keys() -> None:
    assert read_keymap('page.down = ["PgDn", "ctrl+PGDN"]').chosen == {"page.down": ("pagedown", "ctrl+pagedown")}


@pytest.mark.parametrize(
    ("text", "line", "words", "way_out"),
    [
        ('\ndecide.aprove = ["ä"]', 2, "there is no such action", "decide.approve"),
        ('[decide]\n\napprove = ["ctrl+i"]', 3, "arrives as tab", "another"),
        ('decide.approve = ["ctrl+h"]', 1, "arrives as backspace", "another"),
        ('decide.approve = ["ctrl+["]', 1, "arrives as escape", "another"),
        ('decide.approve = ["enter"]', 1, "enter never decides", "letter"),
        ('decide.approve = ["ctrl+m"]', 1, "arrives as enter", "another"),
        ('second.yes = ["space"]', 1, "never confirms", "letter"),
        ('second.yes = ["a"]', 1, "would confirm what it asked for itself as decide.approve", "another"),
        ('decide.approve = ["y"]', 1, "", "another"),
        ('plan.apply = ["b"]', 1, "plan.open", "another"),
        ('second.yes = ["D"]', 1, "entry.remove", "another"),
        ('"decide.approve" = ["f2"]\ndecide.approve = ["f3"]', 1, "named twice", "one of the two"),
        ('undo = ["U"]\n[undo]\nx = 1', 2, "not TOML", "reads"),
        ('undo = ["ctrl+z"]', 1, "sleep", "another"),
        ('undo = ["alt+u"]', 1, "keep such keys", "another"),
        ('undo = ["shift+pgup"]', 1, "scrolls", "another"),
        ('undo = ["ctrl+w"]', 1, "browser", "beside"),
        ('undo = ["f10"]', 1, "menu", "beside"),
        ('edit.save = ["ctrl+x"]', 1, "edits the text", "another"),
        ('undo = ["n"]', 1, "change.next", "change.next"),
        ('undo = ["ctrl+shift+u"]', 1, "keep such keys", "another"),
        ('undo = ["uu"]', 1, "no key of that name", "letter"),
        ("undo = 7", 1, "texts in a list", '["u"]'),
        ('undo = [["u"]]', 1, "texts in a list", '["u"]'),
        ('reason.take = ["a"]', 1, "numbers on screen", "out"),
        ("back = []", 1, "not be done at all", "at least one"),
        ('second.yes = []', 1, "not be done at all", "at least one"),
        ('undo = ["u"\nredo = ["U"]', 2, "not TOML", "reads"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line_and_a_way_out(text: str, line: int, words: str, way_out: str) -> None:
    found = one(text)
    assert found.line == line
    assert words in found.words
    assert way_out in found.way_out
    assert read_keymap(text).chosen == {}


def test_a_bad_line_leaves_the_good_ones_alone() -> None:
    found = read_keymap('undo = ["ö"]\nredo = ["ctrl+m"]\nfind = ["f"]')
    assert found.chosen == {"undo": ("ö",), "find": ("f",)}
    assert [trouble.action for trouble in found.troubles] == ["redo"]


def test_two_keys_may_change_places() -> None:
    found = read_keymap('decide.approve = ["x"]\ndecide.reject = ["a"]')
    assert found.troubles == ()
    assert found.chosen == {"decide.approve": ("x",), "decide.reject": ("a",)}


def test_of_two_lines_that_want_one_key_the_later_one_goes() -> None:
    found = read_keymap('undo = ["ä"]\nfind = ["ä"]')
    assert found.chosen == {"undo": ("ä",)}
    assert [(trouble.line, trouble.action) for trouble in found.troubles] == [(2, "find")]


def test_what_the_palette_finds_needs_no_key() -> None:
    assert read_keymap("view.theme = []") == KeyMap({"view.theme": ()}, ())


def test_a_line_that_falls_takes_those_that_relied_on_it_with_it() -> None:
    found = read_keymap('decide.skip = ["ctrl+m"]\nundo = ["s"]')
    assert found.chosen == {}
    assert [trouble.action for trouble in found.troubles] == ["decide.skip", "undo"]


@pytest.mark.parametrize(
    "text",
    ["", "\x00", "a" * 5000, "[" * 3000, "\ufeffundo=1", '"\u202e" = ["x"]', '"a\\u001b[2J" = ["x"]', "a.b.c = 1"],
)
def test_nothing_in_a_file_fails(text: str) -> None:
    found = read_keymap(text)
    assert found.chosen == {}
    for trouble in found.troubles:
        assert not re.search(r"[\x00-\x1f\u202e]", trouble.action + trouble.words + trouble.way_out)


@pytest.mark.parametrize("text", ["{} = 'x'", "[{}]\nx = 'x'", "x = {{ {} = 1 }}", "# {}\na.b.c = 'x'"])
def test_a_name_of_thousands_of_parts_is_a_problem_and_no_end(text: str) -> None:
    found = read_keymap(text.format(".".join("a" * 9000)))
    assert found.chosen == {}
    assert len(found.troubles) == 1


@pytest.mark.parametrize("depth", [3, 40, 250])
def test_tables_in_tables_are_names_of_no_action(depth: int) -> None:
    found = read_keymap("x" + " = { a" * depth + " = 1" + " }" * depth)
    assert found.chosen == {}
    assert found.troubles[0].words == "there is no such action"


# a key that is nobody's on any screen, so that only the law of asking and answering can stand in the way
FREE = "f9"


@pytest.mark.parametrize("asking", [action for action in ACTIONS if asks(action) and not is_menu(action)],
                         ids=lambda action: action.id)  # fmt: skip
def test_no_key_answers_what_it_asks(asking: Action) -> None:
    for answering in filter(answers, ACTIONS):
        if is_menu(answering):
            text = f'{asking.id} = ["1"]\ngo.review = ["f2"]'
        else:
            text = f'{asking.id} = ["{FREE}"]\n{answering.id} = ["{FREE}"]'
        found = read_keymap(text)
        assert len(found.chosen) < 2, text
        assert found.troubles, text


def test_of_the_keys_about_deciding_only_named_ones_may_answer_too() -> None:
    """Whoever adds an action about deciding has to say that no question opens behind it, or it counts as one."""
    known = {action.id for action in ACTIONS}
    assert known >= ASKING_NOTHING
    for action in ACTIONS:
        if action.group == actions.DECIDING and action.id not in ASKING_NOTHING:
            assert asks(action) or action.id in CONFIRMING, action
    for name in ("entry.remove", "entry.merge", "entry.split", "doc.tidy", "edit.leave", "undo", "plan.reject_left"):
        assert asks(actions.find(name)), name


def test_a_key_of_a_list_that_asks_takes_no_key_that_answers_though_nothing_else_has_it() -> None:
    found = read_keymap('copy = ["f7"]\nentry.remove = ["y"]')
    assert found.chosen == {"copy": ("f7",)}
    assert "y would confirm what it asked for itself" in found.troubles[0].words
    assert read_keymap('copy = ["f7"]\ndecide.skip = ["y"]').troubles == (), "no question opens behind it"


def test_the_registry_as_a_map_says_what_holds_and_can_be_read_back() -> None:
    lines = list(write_keymap({}))
    whole = "\n".join(line.removeprefix("# ") if " = [" in line else line for line in lines)
    found = read_keymap(whole)
    assert found.troubles == ()
    assert found.chosen == {action.id: action.keys for action in ACTIONS if not is_menu(action)}
    assert tomllib.loads("\n".join(lines)) == {}, "defaults are comments: a default that changes one day changes here"
    assert tomllib.loads("\n".join(write_keymap({"undo": ("ö",)}))) == {"undo": ["ö"]}


def test_no_id_begins_with_another_or_a_dotted_name_could_not_be_written() -> None:
    ids = {action.id for action in ACTIONS}
    assert [name for name in ids if name.rpartition(".")[0] in ids] == []


def test_every_place_has_the_key_that_its_tab_shows() -> None:
    for place in PLACES:
        assert actions.find(f"go.{place.name}").keys[0] == place.key


def test_the_file_is_where_configurations_are(tmp_path: Path) -> None:
    assert keys_path({"CURATOR_TUI_KEYS": "k.toml", "XDG_CONFIG_HOME": "/x"}) == "k.toml"
    assert keys_path({"XDG_CONFIG_HOME": "/x"}) == "/x/curator-tui/keys.toml"
    assert keys_path({"XDG_CONFIG_HOME": "x"}).endswith("/.config/curator-tui/keys.toml"), "a relative one counts not"
    assert load_keys({"XDG_CONFIG_HOME": str(tmp_path)}) is None


def test_a_file_that_cannot_be_read_is_named_and_nothing_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "long").write_text("#" * 70_000)
    (tmp_path / "latin").write_bytes(b"\xff\xfe\xe4")
    for name, words in [("none", "names no file"), ("pipe", "no ordinary file"), ("long", "longer"), ("latin", "UTF-8"),
                        (".", "director")]:  # fmt: skip
        found = load_keys({"CURATOR_TUI_KEYS": str(tmp_path / name)})
        assert found is not None
        assert found.chosen == {}
        assert words in found.troubles[0].words, name


OWN = read_keymap(
    'decide.approve = ["ä"]\ndecide.reject = ["f2"]\nundo = ["ö", "f3"]\nchange.next = ["+"]\nhelp = ["H"]\n'
    'second.yes = ["J"]\nback = ["Q", "escape"]\ngo.history = ["0"]\nview.theme = []\nplan.apply = ["W"]'
)


async def test_chosen_keys_act_and_default_ones_do_not(tmp_path: Path) -> None:
    assert OWN.troubles == ()
    desk = desk_with(tmp_path, [item("add00001", "add", "one"), item("add00002", "add", "two")])
    async with running(desk, keys=OWN) as (app, pilot):
        await press(pilot, "a")
        assert waiting(desk) == {"add00001", "add00002"}
        await press(pilot, "ä")
        assert waiting(desk) == {"add00002"}
        await press(pilot, "u")
        assert waiting(desk) == {"add00002"}
        await press(pilot, "ö")
        assert waiting(desk) == {"add00001", "add00002"}
        await press(pilot, "3")
        assert app.screen.SCREEN == "review"
        await press(pilot, "0")
        assert app.screen.SCREEN == "history"
        await press(pilot, "q")
        assert app.screen.SCREEN == "history"
        await press(pilot, "Q")
        assert app.screen.SCREEN == "review"


async def test_every_text_names_the_keys_in_force(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, keys=OWN, size=(140, 40)) as (app, pilot):
        await go_to(pilot, app, "add00001")
        text = painted(app)
        assert "ä approve  f2 reject" in text
        assert "all seen: ä approves" in text
        assert "H keys" in text
        assert "0 History" in text
        await press(pilot, "ä")
        assert "ö undoes it" in status(app)
        await go_to(pilot, app, "los00001")
        await press(pilot, "ä")
        assert "J  replace the whole entry anyway" in painted(app)
        await press(pilot, "y")
        assert "replace the whole entry anyway" not in painted(app), "y means no now"
        await press(pilot, "H")
        text = painted(app)
        assert "ä       approve what is on screen" in text
        assert re.search(r": {7}next theme", text), "without a key it is found by its name"
        await press(pilot, "H")
        await press(pilot, "0")
        assert "(ö)" in painted(app)


async def test_a_chosen_key_that_decides_is_guarded_like_a_default_one(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    async with running(desk, keys=OWN, read_only=True) as (app, pilot):
        assert "ä" in actions.deciding_keys("review")
        assert "a" not in actions.deciding_keys("review")
        await press(pilot, "ä")
        assert "read only" in status(app)


async def test_the_screen_says_what_of_the_map_does_not_hold(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("add00001", "add", "one")])
    found = read_keymap('undo = ["ö"]\nredo = ["ctrl+m"]')
    async with running(desk, keys=found) as (app, _):
        assert "key map: line 2, redo: ctrl+m arrives as enter: default keys there" in painted(app)
