"""Checking while others decide: a change that is made between two questions of a check is nothing wrong.

Here: one process, which decides in front of chosen questions. Not here: processes that race (``test_readers``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.errors import Locked
from curator_tui.core.operations import Action, Operation, Problem
from curator_tui.curator import ledger_view
from curator_tui.curator.doctor import absent_effects
from curator_tui.stores.book.db import Connected, Record
from curator_tui.stores.book.looking import ReadOnlyDb
from curator_tui.stores.hermes import checking
from tests.stores.races import outcome

At = Callable[[int], bool]


def decide(home: Path, text: str) -> None:
    """Make one change, by a desk that is opened for it and closed again."""
    desk = outcome.look(home)
    desk.correct([Operation(Action.ADD, Target.MEMORY, content=text)])
    desk.close()


class _Beside:
    """Another curator of the same home, who decides in front of some of the questions that are asked of a book."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
        self._home = home
        self._number: int | None = None  # of the next question; None while nobody counts
        self._at: At = lambda _: False
        self.decided = 0
        for kind in (ReadOnlyDb, Connected):
            monkeypatch.setattr(kind, "all", self._counted(kind.all))

    def _counted(self, real: Callable[..., list[Record]]) -> Callable[..., list[Record]]:
        def asked(db: object, statement: str, **values: Any) -> list[Record]:
            number, self._number = self._number, None
            if number is not None and self._at(number):
                self.decided += 1
                decide(self._home, f"note {self.decided}")
            found = real(db, statement, **values)
            self._number = None if number is None else number + 1
            return found

        return asked

    def during(self, look: Callable[[], Iterable[Problem]], at: At) -> list[str]:
        """Return what a look calls wrong while somebody decides in front of those of its questions."""
        self._number, self._at = 0, at
        try:
            return [problem.message for problem in look()]
        finally:
            self._number = None


@pytest.mark.parametrize("resting", [True, False])
def test_a_change_between_two_questions_of_a_check_is_nothing_wrong(
    ground: Path, monkeypatch: pytest.MonkeyPatch, resting: bool
) -> None:
    home = outcome.build(ground / "home", [])
    decide(home, "the first")
    desk, staying = outcome.look(home), outcome.look(home)
    if not resting:  # as long as it has the book open to write, the log stands beside it
        staying.correct([Operation(Action.ADD, Target.MEMORY, content="the second")])
    beside = _Beside(monkeypatch, home)
    for look in (desk.store.account_problems, desk.store.check, lambda: ledger_view.verify(desk).problems):
        assert beside.during(look, lambda number: number % 9 == 5) == []
    for place in (1, 3, 5, 8):
        assert beside.during(lambda: absent_effects(desk), lambda number, place=place: number == place) == []
    assert beside.decided > 8
    with pytest.raises(Locked, match="others decide all the time"):
        beside.during(lambda: absent_effects(desk), lambda number: number % 5 == 1)
    desk.close()
    staying.close()


class _Book:
    """A book whose head moves with every look, as beside somebody who decides all the time."""

    def __init__(self) -> None:
        self.seq = 0

    def head(self) -> tuple[int, str]:
        self.seq += 1
        return self.seq, ""

    def intent(self) -> None:
        return None


@pytest.mark.parametrize("order", ["pdpdpdpd", "dpdpdpdp", "ppdppdppd", "dddd"])
def test_damage_is_named_although_changes_are_open_whenever_somebody_looks(order: str) -> None:
    damage = Problem("backup-missing", "the backup is missing", ("c",))
    looks = (
        [damage] if one == "d" else [Problem("recovery-pending", "waits", (f"change {at}",))]
        for at, one in enumerate(order * 20)
    )
    assert checking._lasting(lambda: next(looks), _Book()) == [damage]


def test_a_change_that_stays_open_is_named() -> None:
    pending = Problem("recovery-pending", "waits", ("the same change",))
    assert checking._lasting(lambda: [pending], _Book()) == [pending]
