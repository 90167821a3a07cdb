"""Every screen and dialog at two sizes and in three palettes looks as it did when a person last looked at it.

A change that is meant is taken over with ``CURATOR_TUI_RENEW_PICTURES=1 pytest -m slow tests/tui/test_pictures.py``;
the files under ``tests/data/pictures`` are read like any other change.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot

from curator_tui.curator import opening
from curator_tui.curator.desk import Desk
from curator_tui.stores.sql import scopes
from curator_tui.tui import going_back, screens
from curator_tui.tui.app import CuratorApp
from curator_tui.tui.screens import history_preview
from curator_tui.tui.screens.acting import Acting
from curator_tui.tui.themes import DARK, LIGHT, MONO
from curator_tui.tui.widgets import reader
from tests.databases import Place
from tests.tui.desks import go_to, press, running, settle
from tests.tui.picture_views import VIEWS, desk_among, desk_at, lived_among, lived_in, record_with
from tests.tui.pictures import FOLDER, RENEW, Picture, difference, held, read, take, written

SIZES = {"80x24": (80, 24), "140x40": (140, 40)}
PALETTES = (DARK, LIGHT, MONO)

# seconds after which something less is shown at first: on a busy machine that would be another picture
_GIVEN_UP = ((going_back, "_SECONDS"), (history_preview, "_SOON"), (reader, "_AT_ONCE"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home as it stands at one moment, with ids that are the same every time; nothing is decided on it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        patch.setattr(opening, "login", lambda: ("tova", Path("/home/tova")))
        patch.setitem(Desk.__init__.__kwdefaults__, "entropy", random.Random(7).randbytes)
        for module, name in _GIVEN_UP:
            patch.setattr(module, name, 60.0)
        yield lived_in(tmp_path_factory.mktemp("pictures") / "home")
    time.tzset()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The database, in which nothing is decided either."""
    drawn = random.Random(7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scopes, "secrets", SimpleNamespace(token_hex=lambda size: drawn.randbytes(size).hex()))
        return lived_among(tmp_path_factory.mktemp("pictures") / "many")


async def at_rest(app: CuratorApp, pilot: Pilot[object]) -> Picture:
    """Take the picture when it does not change any more; a cursor that blinks stands still."""
    for field in app.screen.query("Input, TextArea"):
        field.cursor_blink = False  # type: ignore[attr-defined]
    before, same = take(app), 0
    while same < 2:
        await settle(pilot)
        now = take(app)
        before, same = now, same + 1 if now == before else 0
    return before


def test_every_screen_and_dialog_that_is_opened_anywhere_has_its_picture() -> None:
    for module in pkgutil.iter_modules(screens.__path__):
        importlib.import_module(f"{screens.__name__}.{module.name}")
    package = Path(next(iter(screens.__path__))).parent
    source = "".join(path.read_text("utf-8") for path in package.rglob("*.py"))
    made = {kind.__name__ for kind in _kinds(Acting) if re.search(rf"(?<!class )\b{kind.__name__}\(", source)}
    assert len(made) >= 25, "it is known how they are made"
    assert made - {view.shows for view in VIEWS.values()} == set()


def _kinds(kind: type[Acting[Any]]) -> set[type[Acting[Any]]]:
    return set(kind.__subclasses__()).union(*(_kinds(one) for one in kind.__subclasses__()))


def test_every_picture_on_file_is_of_a_view() -> None:
    wanted = {f"{name}-{size}" for name in VIEWS for size in SIZES}
    assert {path.stem for path in FOLDER.iterdir()} == wanted, "those of views that are gone are to be removed"


def test_a_difference_is_told_by_rows_and_by_what_letters_mean() -> None:
    meanings = {".": "white on black", "a": "red on black bold"}
    old = Picture(("one two", "three", "four"), (".", "a.", "a"), meanings)
    new = Picture(("one 2", "three", "four"), ("b", "aab", "a"), {"a": "red on black bold", "b": "white on black"})
    assert read(written({"dark": old, "mono": new})) == {"dark": old, "mono": new}
    assert difference({"dark": old}, {"dark": old}) == []
    assert difference({"dark": old, "light": old}, {"dark": new, "light": old}) == [
        "dark",
        "  row 1", "    - one two", "    + one 2",
        "  row 2: three", "    columns 2 to 2: white on black -> red on black bold",
    ]  # fmt: skip
    assert difference({}, {"dark": old})[1:4] == ["  row 1", "    - (no such row)", "    + one two"]


@pytest.mark.slow
@pytest.mark.parametrize("size", list(SIZES))
@pytest.mark.parametrize("name", list(VIEWS))
async def test_a_screen_looks_as_it_did(name: str, size: str, home: Path, place: Place) -> None:
    view = VIEWS[name]
    found: dict[str, Picture] = {}
    for palette in PALETTES:
        async with running(desk_among(place) if view.many else desk_at(home), size=SIZES[size], palette=palette) as (
            app,
            pilot,
        ):
            if view.at:
                await go_to(pilot, app, record_with(home, view.at))
            await press(pilot, *view.keys)
            found[palette.name] = await at_rest(app, pilot)
            assert type(app.screen).__name__ == view.shows
    text = written(found)
    before = held(f"{name}-{size}", text)
    if text != before:
        told = "\n".join(difference(read(before), found))
        renew = f"if that is meant: {RENEW}=1 python -m pytest -m slow tests/tui/test_pictures.py -k {name}-{size}"
        pytest.fail(f"{name} at {size} looks otherwise; {renew}\n{told}", pytrace=False)
