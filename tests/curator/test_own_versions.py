"""Own versions: which entries an item may be given, what an editor begins with, and which source a decision names."""

from __future__ import annotations

from pathlib import Path

from curator_tui.core.proposals import Edit
from curator_tui.core.requests import Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import look
from curator_tui.curator.opening import open_desk
from curator_tui.curator.values import Evidence
from tests.homes import make_home, record

ENTRIES = ("Tea at four", "Coffee at five", "Has a dog named Ada; lives in Bonn near the river")


def desk_on(folder: Path, *records: tuple[str, str, str | None, str | None]) -> Desk:
    pending = [record(name, action, content, old) for name, action, content, old in records]
    home = make_home(folder / "home", memory="\n§\n".join(ENTRIES), pending=pending)
    desk = open_desk(home=home, profile=None, environ={}, through="cli")
    desk.refresh()
    return desk


def test_an_item_whose_entry_is_gone_may_be_given_any_entry_and_one_that_finds_several_only_these(
    tmp_path: Path,
) -> None:
    desk = desk_on(
        tmp_path,
        ("stale001", "replace", "Tea at six", "Milk at noon"),
        ("many0001", "replace", "Tea at six", " at"),
        ("add00001", "add", "Likes rye bread", None),
    )
    stale, several, addition = (look(desk, name) for name in ("stale001", "many0001", "add00001"))
    assert sorted(stale.choices(desk.snapshot())) == sorted(ENTRIES)
    assert several.choices(desk.snapshot()) == ENTRIES[:2]
    assert addition.choices(desk.snapshot()) == ()
    assert several.picked(ENTRIES[1]) == Edit(pins={0: ENTRIES[1]})
    assert look(desk, "many0001", several.picked(ENTRIES[1])).found.steps[0].before == ENTRIES[1]


def test_the_text_inside_the_entry_counts_as_that_whoever_typed_it(tmp_path: Path) -> None:
    desk = desk_on(tmp_path, ("lossy001", "replace", "lives in Berlin", "lives in Bonn"))
    looked = look(desk, "lossy001")
    inside = "Has a dog named Ada; lives in Berlin near the river"
    assert looked.text_to_edit(0) == inside
    assert looked.edited({0: inside}) == looked.inside_only == Edit({0: inside}, inside=frozenset({0}))
    assert looked.edited({0: "lives in Berlin"}).inside == frozenset()
    assert looked.offers_inside
    own = look(desk, "lossy001", looked.edited({0: "Lives in Berlin"}))
    assert own.text_to_edit(0) == "Lives in Berlin"
    assert not own.offers_inside


def test_only_a_session_that_names_the_item_is_its_source(tmp_path: Path) -> None:
    looked = look(desk_on(tmp_path, ("add00001", "add", "Likes rye bread", None)), "add00001")
    assert looked.decision(Verb.APPROVE, Evidence("found", session="s1")).source == "s1"
    assert looked.decision(Verb.APPROVE, Evidence("guess", session="s1")).source == ""
    assert looked.decision(Verb.APPROVE).source == ""
