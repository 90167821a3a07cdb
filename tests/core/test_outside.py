"""What others wrote since a backup: named where a rollback takes it away or brings it back, and only there."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from curator_tui.core.changes import Backup, PastChange, View
from curator_tui.core.outside import OutsideChanges, outside_changes
from curator_tui.core.requests import Kind
from tests.worlds import MEMORY, PERSON, USER, joined, snapshot

BACKUP = Backup("b", 0.0, "first", {MEMORY: joined("zsh", "rye"), USER: None})
_NOTHING = OutsideChanges()


def own(before: bytes | None, after: bytes) -> PastChange:
    """Return a recorded change of MEMORY.md."""
    return PastChange("c", 0, 0.0, PERSON, Kind.CORRECT, {MEMORY: before}, {MEMORY: after})


def told(now: bytes, *later: PastChange, restored: bytes | None = BACKUP.files[MEMORY]) -> OutsideChanges:
    """Return what is told of a rollback of MEMORY.md to the backup."""
    return outside_changes(View(snapshot(now), backup=BACKUP, later=later), {MEMORY: restored})


@pytest.mark.parametrize(
    ("now", "entries"),
    [
        (joined("zsh", "rye", "by hand"), ("by hand",)),
        (joined("zsh"), ("rye",)),
        (joined("zsh", "wheat"), ("wheat", "rye")),
        (joined("zsh", "rye"), ()),
    ],
)
def test_what_came_goes_and_what_went_comes_back(now: bytes, entries: tuple[str, ...]) -> None:
    assert told(now) == (OutsideChanges(1, entries) if entries else _NOTHING)


def test_each_time_others_wrote_counts_once_and_our_own_changes_do_not() -> None:
    found = joined("zsh", "rye", "by hand")
    ours = own(found, joined("zsh", "rye", "by hand", "tea"))
    assert told(ours.after[MEMORY], ours) == OutsideChanges(1, ("by hand",))
    assert told(joined("zsh", "by hand", "tea"), ours) == OutsideChanges(2, ("by hand", "rye"))


def test_what_others_wrote_and_a_change_took_away_again_does_not_go_with_the_rollback() -> None:
    removed = own(joined("zsh", "rye", "by hand"), joined("zsh", "rye"))
    brought = own(joined("zsh", "rye"), joined("zsh", "rye", "tea"))
    assert told(joined("zsh", "rye", "tea"), removed, brought) == _NOTHING


def test_what_others_took_away_and_a_change_brought_again_does_not_come_back_with_the_rollback() -> None:
    again = own(joined("zsh"), joined("zsh", "rye"))
    brought = own(joined("zsh", "rye"), joined("zsh", "rye", "tea"))
    assert told(joined("zsh", "rye", "tea"), again, brought) == _NOTHING


def test_what_stays_all_the_same_is_not_named() -> None:
    """A rollback may keep an entry that others wrote, and not bring one that they took away."""
    assert told(joined("zsh", "by hand"), restored=joined("zsh", "by hand", "tea")) == _NOTHING


def test_only_documents_that_are_restored_are_looked_at() -> None:
    looked = View(replace(snapshot(joined("zsh", "by hand"))), backup=BACKUP)
    assert outside_changes(looked, {}) == _NOTHING
