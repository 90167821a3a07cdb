"""Holdings: every entry with what is known of it, in any order, by the same words as what was learned."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.core.documents import Target, entry_id
from curator_tui.core.errors import UsageError
from curator_tui.core.requests import ChallengeCode, Decision, Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.holdings import EntrySort, Holdings, holdings, listed
from curator_tui.curator.queries import Query
from tests.tui.desks import MEMORY, USER, desk_with, every_state


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A desk where one of the entries was approved and another one is disputed."""
    found = desk_with(tmp_path, every_state())
    found.refresh()
    found.decide([Decision("add00001", Verb.APPROVE)])
    found.challenge(Target.MEMORY, "Prefers tabs", ChallengeCode.WRONG)
    return found


def texts(found: Holdings, words: str = "", sort: EntrySort = EntrySort.DOCUMENT) -> list[str]:
    """Return what is listed."""
    return [one.text for one in listed(found, words, sort)]


def test_every_entry_stands_there_once_in_the_order_of_the_documents(desk: Desk) -> None:
    found = holdings(desk, trace=True)
    assert texts(found) == [*MEMORY, "Backups run on Sunday", *USER]
    assert [one.number for one in found.entries] == [*range(1, 8), *range(1, 5)]
    assert found.entries[0].journey == "memory:memory:0"


def test_what_waits_for_an_entry_and_who_disputes_it_stands_with_it(desk: Desk) -> None:
    tabs = next(one for one in holdings(desk, trace=False).entries if one.text == "Prefers tabs")
    assert {proposal.id for proposal in tabs.waiting} == {"alt00001", "alt00002", "alt00003"}
    assert [str(one.challenge.reason) for one in tabs.questions] == ["wrong"]
    assert not tabs.origin.seen


def test_orders_and_filters(desk: Desk) -> None:
    found = holdings(desk, trace=True)
    assert texts(found, sort=EntrySort.LARGEST)[0] == USER[3]
    assert texts(found, sort=EntrySort.NEWEST)[0] == texts(found, sort=EntrySort.OLDEST)[0] == "Backups run on Sunday"
    unseen = texts(found, sort=EntrySort.UNSEEN)
    assert (unseen[0], unseen[-1]) == ("Prefers tabs", "Backups run on Sunday")
    assert texts(found, "kind:user coffee") == ["Drinks coffee without milk"]
    assert texts(found, "-is:unseen") == ["Backups run on Sunday"]
    with pytest.raises(UsageError):
        listed(found, "is:nothing", EntrySort.DOCUMENT)


def test_the_queue_is_filtered_by_the_entry_it_is_about(desk: Desk) -> None:
    name = entry_id("Prefers tabs")
    page = desk.listings.page(Query(words=f"entry:{name[:6]}"))
    assert [row.members for row in page.rows if row is not None] == [("alt00001", "alt00002", "alt00003")]
    assert [row for row in desk.listings.page(Query(words="entry:000000000000")).rows if row is not None] == []
