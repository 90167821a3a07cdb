"""What the screens look at: one read per look, changes told apart by where they stand, and places in the list."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.core.changes import Waiting
from curator_tui.core.documents import Target
from curator_tui.core.proposals import Edit
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import look
from curator_tui.curator.queue_model import QueueModel
from curator_tui.tui.facts import facts
from curator_tui.tui.gates import Frame
from curator_tui.tui.layout import rows_needed
from curator_tui.tui.page_lines import Look
from curator_tui.tui.pages import item_page
from curator_tui.tui.widgets.reader import Reader
from tests.tui.desks import (
    NOW,
    cursor,
    desk_with,
    every_state,
    go_to,
    item,
    press,
    put_record,
    review,
    running,
    settle,
)  # fmt: skip


def flipping(desk: Desk, home: Path, other: dict[str, object]) -> Callable[[str], Waiting | None]:
    """Return a read of the queue after which the record is another one, and the one before after the next read."""
    read = desk.store.queue.get
    path = home / "pending" / "memory" / f"{other['id']}.json"
    first = path.read_bytes()

    def get(name: str) -> Waiting | None:
        found = read(name)
        if path.read_bytes() == first:
            put_record(home, other)
        else:
            path.write_bytes(first)
        return found

    return get


@pytest.mark.parametrize("edit", [Edit(), Edit(contents={0: "[nas] web port 9191"}, inside=frozenset({0}))])
def test_an_item_is_read_once_so_page_and_digests_are_of_the_same_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: Edit
) -> None:
    home = tmp_path / "hermes"
    desk = desk_with(tmp_path, [item("los00001", "replace", "[nas] web port 9090", "web port 8080")])
    calm = look(desk, "los00001", edit)
    evil = item("los00001", "replace", "EVIL 9090", "Prefers tabs")
    monkeypatch.setattr(desk.store.queue, "get", flipping(desk, home, evil))
    looked = look(desk, "los00001", edit)
    assert looked.digest == calm.digest
    assert item_page(looked, Look(), ()) == item_page(calm, Look(), ())
    assert looked.item.raw == calm.item.raw


async def test_the_same_words_for_another_document_have_to_be_looked_at_again(tmp_path: Path) -> None:
    """A record that is turned to the other document says the same line in the same place."""
    desk = desk_with(tmp_path, [item("add00001", "add", "Likes rye bread")], memory=["one"], user=["two"])
    async with running(desk) as (app, _):
        assert app.gate.unseen() == ()
        put_record(tmp_path / "hermes", item("add00001", "add", "Likes rye bread", target="user"))
        desk.refresh()
        looked = look(desk, "add00001")
        assert looked.documents[0].target is Target.USER
        page = item_page(looked, Look(), ())
        app.gate.begin(Frame("add00001", looked.digest, tuple(line.key for line in page.lines)))
        assert app.gate.unseen(), "the same text, but not the same change"


async def test_what_comes_back_stands_in_its_place_at_once_with_the_cursor_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while states are being worked out, which takes long in a long queue."""
    desk = desk_with(tmp_path, every_state())
    async with running(desk) as (app, pilot):
        screen = review(app)
        assert screen.model.rows is not None
        before = [row.id for row in screen.model.rows.items()]
        for name, keys in (("los00001", "ay"), ("add00002", "a"), ("noc00001", "x")):
            await go_to(pilot, app, name)
            await press(pilot, *keys)
            monkeypatch.setattr(QueueModel, "advance", lambda *_: False)
            monkeypatch.setattr(screen.live, "work_out_states", lambda: None)
            await press(pilot, "u")
            assert [row.id for row in screen.model.rows.items()] == before
            assert cursor(app) == name
            monkeypatch.undo()
            await press(pilot, "R")
            await settle(pilot)
            assert [row.id for row in screen.model.rows.items()] == before
            assert cursor(app) == name


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (100, 40), (140, 40)])
async def test_what_is_said_of_an_item_is_said_once_and_in_full(tmp_path: Path, size: tuple[int, int]) -> None:
    desk = desk_with(tmp_path, every_state())
    async with running(desk, size=size) as (app, pilot):
        screen = review(app)
        for name in ("add00001", "los00001", "fla00001", "ovr00001", "sta00001", "alt00001", "noc00001"):
            await go_to(pilot, app, name)
            assert screen.model.looked is not None
            told = ["".join(piece.text for piece in fact.body) for fact in facts(screen.model.looked, NOW)]
            below = screen.query_one("#facts", Reader).page.lines
            shown = [line for line in (*below, *screen.model.page.lines) if not line.cut]
            bodies = ["".join(piece.text for piece in line.body) for line in shown]
            for words in told:
                assert bodies.count(words) == 1, (name, words)
            pane = screen.query_one("#facts", Reader)
            assert rows_needed(pane.page, pane.size.width - 1) <= pane.size.height, "nothing is hidden below"
