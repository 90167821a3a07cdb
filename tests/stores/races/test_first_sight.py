"""Desks that saw an unpinned record at different moments: whoever looked, a bound decision comes through in the end.

A record of Hermes 0.19 does not say which entry it means, so the entry is pinned when the record is first seen, and the
pin goes into the book with the next change. Here: what happens when another program changes that entry before the pin
is recorded, or another desk records a pin of its own first. A desk may then be told once that what it shows has moved;
it must never be told so again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator_tui.core.changes import Receipt
from curator_tui.core.preflight import State
from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.desk import Desk
from tests import homes
from tests.stores.races import outcome

ITEM = "aaaaaaaa"
Opener = Callable[[], Desk]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return homes.make_home(tmp_path / "home", memory="foo one\n§\nbar", user="a person")


@pytest.fixture
def opened(home: Path) -> Iterator[Opener]:
    """Open desks on one home; all are closed in the end."""
    desks: list[Desk] = []

    def opener() -> Desk:
        desks.append(outcome.look(home))
        return desks[-1]

    yield opener
    for desk in desks:
        desk.close()


def _arrives(home: Path) -> None:
    homes.stage(home, homes.record(ITEM, "remove", None, "foo"))


def _writes(home: Path, text: str) -> None:
    homes.write(home / "memories" / "MEMORY.md", text.encode())


def _decide(desk: Desk, verb: Verb) -> Receipt:
    """Look, then decide what was seen, as a key on the review screen does."""
    item = desk.item(ITEM)
    decision = Decision(ITEM, verb, digest=item.found.proposal.digest)
    return desk.decide([decision], shown=desk.preview([decision]).digest)


def test_a_pin_that_no_change_has_recorded_yet_counts(home: Path, opened: Opener) -> None:
    desk = opened()
    desk.observe()
    _arrives(home)
    desk.refresh()
    _writes(home, "foo two\n§\nbar")
    desk.refresh()
    assert desk.item(ITEM).state is State.STALE
    receipt = _decide(desk, Verb.APPROVE)
    assert [part.state for part in receipt.not_applied] == ["stale"]
    assert not receipt.moved
    receipt = _decide(desk, Verb.REJECT)
    assert receipt.done, receipt
    assert [part.id for part in receipt.applied] == [ITEM]


def test_the_entry_of_a_first_sight_is_not_taken_for_another(home: Path, opened: Opener) -> None:
    """Typed blindly it is refused as stale, and not carried out on an entry that nobody meant."""
    desk = opened()
    desk.observe()
    _arrives(home)
    desk.refresh()
    _writes(home, "foo two\n§\nbar")
    receipt = desk.decide([Decision(ITEM, Verb.APPROVE)])
    assert [part.state for part in receipt.not_applied] == ["stale"]
    assert outcome.entries_of(home) == ("foo two", "bar")


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.REJECT])
def test_another_desk_recorded_its_first_sight_before(home: Path, opened: Opener, verb: Verb) -> None:
    _arrives(home)
    first = opened()
    assert first.item(ITEM).found.proposal.operations[0].pin == "foo one"
    _writes(home, "foo two\n§\nbar")
    second = opened()
    assert second.item(ITEM).found.proposal.operations[0].pin == "foo two"
    second.observe()
    first.refresh()
    assert _decide(first, verb).moved, "it showed another entry than the one that is recorded"
    assert first.item(ITEM).found.proposal.operations[0].pin == "foo two"
    receipt = _decide(first, verb)
    assert receipt.done, receipt
    assert outcome.entries_of(home) == (("bar",) if verb is Verb.APPROVE else ("foo two", "bar"))


def test_what_located_nothing_at_first_is_pinned_when_it_does(home: Path, opened: Opener) -> None:
    _writes(home, "bar")
    _arrives(home)
    desk = opened()
    assert desk.item(ITEM).state is State.STALE
    _writes(home, "bar\n§\nfoo came later")
    desk.refresh()
    assert desk.item(ITEM).state is State.READY
    receipt = _decide(desk, Verb.APPROVE)
    assert receipt.done, receipt
    assert outcome.entries_of(home) == ("bar",)
