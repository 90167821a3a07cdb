"""Folders that are gone when a change was interrupted: what cannot be judged stays open, and nothing is made up."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.errors import NoStore, Unfinished
from curator_tui.stores.hermes.reading import open_inside
from curator_tui.stores.port import Interrupted
from curator_tui.stores.safe_files import Folder
from tests.stores.consistency import check, leftovers
from tests.stores.failures import killed_at
from tests.stores.homes import (
    MEMORY,
    added,
    correct,
    decide,
    documents,
    mend,
    open_store,
    planned,
    reopen,
    stamp,
    waiting,
)
from tests.stores.operations import BEFORE, RUN


def linked(home: Path) -> None:
    """A used home whose MEMORY.md is a link into a folder of its own."""
    BEFORE["plan"](home)
    (home / "data").mkdir()
    file = home / "memories" / "MEMORY.md"
    file.rename(home / "data" / "MEMORY.md")
    file.symlink_to("../data/MEMORY.md")


@pytest.mark.parametrize("prepare", [linked, BEFORE["plan"]], ids=["data", "memories"])
@pytest.mark.parametrize(
    ("point", "becomes"),
    [("begun", Interrupted.UNDONE), ("document_renamed:1", Interrupted.FINISHED)],
)
def test_a_change_whose_folder_is_missing_stays_open_until_it_is_back(
    tmp_path: Path, prepare: Callable[[Path], None], point: str, becomes: Interrupted
) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    prepare(home)
    folder = home / ("data" if prepare is linked else "memories")
    old = documents(home)
    assert killed_at(f"{point}=kill", RUN["plan"], home)
    queue, between = waiting(home), documents(home)
    folder.rename(away)
    with closing(open_store(home)) as store:
        for _ in range(2):
            with pytest.raises(Unfinished, match=f"the folder {folder.name} is missing") as told:
                mend(store)
            assert "Put it back as it was" in told.value.way_out
        with pytest.raises(Unfinished, match=f"the folder {folder.name} is missing"):
            store.transact(correct("another"), planned({MEMORY: added("another")}))
        assert store.book.recovery_pending()
        assert len(store.book.rows()) == 1
    assert waiting(home) == queue
    assert prepare is linked or not folder.exists(), "a folder that we made would tell that all was renamed"
    away.rename(folder)
    assert documents(home) == between
    with closing(open_store(home)) as store:
        assert mend(store).interrupted is becomes
    assert (documents(home) == old) is (becomes is Interrupted.UNDONE)
    assert len(waiting(home)) == (3 if becomes is Interrupted.UNDONE else 0)
    assert check(home) == []


def test_a_document_that_was_put_back_as_it_was_keeps_its_items_waiting(tmp_path: Path) -> None:
    """By an older copy of the folder, in which no temporary file tells that nothing had been renamed."""
    home = tmp_path / "home"
    BEFORE["plan"](home)
    old, queue = documents(home), waiting(home)
    shutil.copytree(home / "memories", tmp_path / "copy")
    assert killed_at("begun=kill", RUN["plan"], home)
    shutil.rmtree(home / "memories")
    (tmp_path / "copy").rename(home / "memories")
    with closing(open_store(home)) as store:
        mend(store)
        assert not store.book.recovery_pending()
    assert documents(home) == old
    assert waiting(home) == queue


def test_where_the_folder_is_lost_an_empty_one_in_its_place_lets_people_go_on(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    linked(home)
    assert killed_at("begun=kill", RUN["plan"], home)
    (home / "data").rename(away)
    (home / "data").mkdir()
    with closing(open_store(home)) as store:
        assert mend(store).interrupted is Interrupted.FINISHED
    assert documents(home)["MEMORY.md"] is None
    assert check(home, outside=True) == []


def test_a_record_that_has_no_queue_to_come_back_to_stays_kept(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    BEFORE["returning"](home)
    assert killed_at("begun=kill", RUN["returning"], home)
    queue = home / "pending" / "memory"
    queue.rename(away)
    with closing(open_store(home)) as store:
        receipt = store.transact(reopen("returning", ["item2"]), planned())
        assert receipt.returned == ()
        assert "item2 cannot come back: the queue is missing" in receipt.notes
        assert store.book.decided(["item2"])["item2"].raw is not None
        away.rename(queue)
        assert mend(store).leftovers == 1
        assert store.transact(reopen("again", ["item2"]), planned()).returned == ("item2",)
    assert "item2.json" in waiting(home)
    assert check(home) == []


def test_backups_that_were_removed_with_their_folder_are_told(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    BEFORE["approve"](home)
    assert killed_at("documents_synced=kill", RUN["approve"], home)
    (home / "memories" / "backups").rename(away)
    with closing(open_store(home)) as store:
        receipt = store.transact(decide("approve", ["item0"]), planned())
        assert receipt.notes == (f"the backup {receipt.backup} was removed by another program",)
        assert receipt.backup is not None
        assert receipt.backup.endswith(stamp("approve").change)
    assert leftovers(home) == []


def test_a_folder_that_is_made_while_it_is_looked_for_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = Folder.open_folder

    def late(self: Folder, name: str, **more: Any) -> Folder:
        try:
            return really(self, name, **more)
        except NoStore:
            (tmp_path / name).mkdir()
            raise

    monkeypatch.setattr(Folder, "open_folder", late)
    with Folder.open(tmp_path) as home:
        found = open_inside(home, "memories")
        assert found is not None
        found.close()
