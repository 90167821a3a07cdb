"""Reading while others write: who only looks sees a whole state each time, and nobody sees it go back.

Writers come and go as commands do, so the book's log appears, grows and is folded away under the readers: one reader
keeps everything open, another opens it anew for each look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from curator_tui.core.documents import Target
from curator_tui.curator import ledger_view
from curator_tui.curator.desk import Desk
from curator_tui.curator.doctor import examine
from tests.stores.races import outcome
from tests.stores.races.crew import Crew
from tests.worlds import chain_problems


@dataclass
class _Reader:
    """What one reader has seen so far."""

    looks: int = 0
    hashes: list[str] = field(default_factory=list)
    entries: Sequence[str] = ()

    def look(self, desk: Desk) -> None:
        self.looks += 1
        rows = desk.store.book.rows()
        assert chain_problems(rows) == []
        hashes = [row.hash for row in rows]
        assert hashes[: len(self.hashes)] == self.hashes, "the ledger went back, or is another one"
        self.hashes = hashes
        changes = desk.store.book.changes(count=None)
        # rows and changes are two questions, so a change more may be there by the second
        assert len(changes) >= len({row.row["change"] for row in rows})
        assert all(change.after for change in changes)
        desk.refresh()
        entries = desk.snapshot().document(Target.MEMORY).entries
        assert entries[: len(self.entries)] == self.entries, "the document went back"
        self.entries = entries
        desk.store.backups()


@pytest.mark.parametrize("visits", [pytest.param(100, marks=pytest.mark.slow), 8])
def test_readers_see_one_whole_state_after_the_other(pair: Crew, ground: Path, visits: int) -> None:
    home = outcome.build(ground / "home", [])
    pair.open(home)
    for who in pair.workers:
        texts = [f"{who} notes number {number}" for number in range(visits)]
        pair.prepare(who, {"do": "visit", "home": str(home), "texts": texts})
    staying, coming = _Reader(), _Reader()
    desk = outcome.look(home)
    try:
        pair.start(2)
        while not all(worker.speaks(within=0) for worker in pair.workers.values()):
            staying.look(desk)
            visitor = outcome.look(home)
            try:
                coming.look(visitor)
            finally:
                visitor.close()
        for who in pair.workers:
            answer = pair.answer(who)
            assert answer.error == "", answer
            assert all(receipt.done for receipt in answer.receipts)
        staying.look(desk)
    finally:
        desk.close()
    assert len(staying.entries) == 2 * visits + 1
    assert outcome.problems(home) == []
    print(f"{staying.looks} and {coming.looks} looks while {2 * visits} changes were made: all whole")


def _told(desk: Desk) -> list[str]:
    """Return everything that any of the checks calls wrong."""
    desk.refresh()
    verified = ledger_view.verify(desk).problems
    return [problem.message for found in (examine(desk).problems, desk.store.check(), verified) for problem in found]


@pytest.mark.parametrize("visits", [pytest.param(60, marks=pytest.mark.slow), 6])
def test_no_check_calls_anything_wrong_while_others_write(pair: Crew, ground: Path, visits: int) -> None:
    home = outcome.build(ground / "home", [])
    pair.open(home)
    texts = [f"note number {number}" for number in range(visits)]
    pair.prepare("ada", {"do": "visit", "home": str(home), "texts": texts})
    staying, looks = outcome.look(home), 0
    try:
        pair.start(1)
        while not pair.workers["ada"].speaks(within=0):
            assert _told(staying) == []
            coming = outcome.look(home)
            try:
                assert _told(coming) == []
            finally:
                coming.close()
            looks += 1
        assert pair.answer("ada").error == ""
        assert _told(staying) == []
    finally:
        staying.close()
    print(f"{looks} looks while {visits} changes were made: nothing wrong")
