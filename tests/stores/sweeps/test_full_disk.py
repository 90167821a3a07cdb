"""A disk that fills up at any moment, and a home that may not be written: no damage, an error with a way out."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from curator_tui.core.errors import StoreError, Unfinished
from tests.disks import KILO, fill, memory_disk
from tests.stores.consistency import check, state_of
from tests.stores.homes import MEMORY, added, copy_home, correct, documents, open_store, planned
from tests.stores.operations import BEFORE, RUN

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["approve", "plan", "reject", "delete"])
def test_a_disk_that_fills_up(tmp_path: Path, name: str) -> None:
    source, reference = tmp_path / "source", tmp_path / "reference"
    BEFORE[name](source)
    BEFORE[name](reference)
    RUN[name](reference)
    old, new = state_of(source), state_of(reference)
    refused = done = unfinished = 0
    answers: list[str] = []
    for free in range(0, 260, 4):
        with memory_disk(tmp_path / f"disk{free}", 1024 * KILO) as disk:
            home = copy_home(source, disk / "home")
            filler = fill(disk, free * KILO)
            try:
                RUN[name](home)
                wanted = new
                done += 1
            except Unfinished:
                wanted = new
                unfinished += 1
            except StoreError as error:
                wanted = old
                refused += 1
                answers.append(f"{error}")
            if wanted is old:
                assert documents(home) == dict(old.documents), free
            filler.unlink()
            assert check(home) == [], free
            assert state_of(home) == wanted, free
            RUN[name](home)
            assert state_of(home) == new, free
    assert all("Free some space" in answer or "full" in answer or "disk I/O" in answer for answer in answers), answers
    print(f"{name} on a disk that fills up: {refused} refused, {done} done, {unfinished} finished later")
    assert refused
    assert done


def test_a_home_that_may_only_be_read(tmp_path: Path) -> None:
    with memory_disk(tmp_path / "disk", 1024 * KILO) as disk:
        BEFORE["approve"](tmp_path / "source")
        home = copy_home(tmp_path / "source", disk / "home")
        before = state_of(home)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        store = open_store(home)
        with pytest.raises(StoreError, match="Read-only file system"):
            store.transact(correct("one"), planned({MEMORY: added("x")}))
        assert len(store.book.rows()) == 1
        assert store.backups()[0]
        store.close()
        assert state_of(home) == before


def test_a_document_that_may_not_be_replaced(tmp_path: Path) -> None:
    if shutil.which("chattr") is None or os.geteuid() != 0:
        pytest.skip("NOT TRIED: chattr needs root")
    BEFORE["approve"](tmp_path / "home")
    before = state_of(tmp_path / "home")
    file = tmp_path / "home" / "memories" / "MEMORY.md"
    if subprocess.run(["chattr", "+i", str(file)], capture_output=True, check=False).returncode != 0:
        pytest.skip("NOT TRIED: this file system has no immutable files")
    try:
        with pytest.raises(StoreError) as caught:
            RUN["approve"](tmp_path / "home")
    finally:
        subprocess.run(["chattr", "-i", str(file)], check=True)
    assert str(file) in caught.value.message
    assert f"mode 0644, owner {file.owner()}" in caught.value.message
    assert check(tmp_path / "home") == []
    assert state_of(tmp_path / "home") == before
    RUN["approve"](tmp_path / "home")
