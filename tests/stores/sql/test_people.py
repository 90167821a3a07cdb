"""The desk over all people of a tenant: one order, pages by key, exact numbers, and each decision where it belongs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.core.preflight import State
from curator_tui.core.requests import Actor, ActorKind, Decision, Verb
from curator_tui.curator.listing import Listing
from curator_tui.curator.looking import look
from curator_tui.curator.people.desk import PeopleDesk
from curator_tui.curator.queries import Query
from curator_tui.stores.sql.opening import open_database
from curator_tui.stores.sql.tenant_store import TenantStore
from curator_tui.stores.sql.tenants import START, Key
from tests.databases import Place
from tests.people import add, remember, stage

NAMES = ("ann", "bob", "cyd", "dan")


@pytest.fixture
def filled(place: Place) -> Place:
    """Four people of a tenant with two own facts and one they share each, and somebody of another tenant."""
    for at, user in enumerate(NAMES):
        remember(place, user, "Has a cat\n§\nUses zsh")
        swap = Operation(Action.REPLACE, Target.MEMORY, match="Has a cat", content=f"Has a dog called {user}")
        shared = add("The office  is closed on Friday" if at % 2 else "The office is closed on Friday")
        stage(place, user, [("own", add(f"Knows {user}"), 10.0 + at), ("all", shared, 50.0 + at), ("swap", swap, 60.0)])
    stage(place, "eve", [("own", add("The office is closed on Friday"), 1.0)], tenant="other")
    return place


@pytest.fixture
def desk(filled: Place) -> Iterator[PeopleDesk]:
    opened = desk_at(filled)
    yield opened
    opened.close()


def desk_at(place: Place, who: str = "cat") -> PeopleDesk:
    return PeopleDesk(TenantStore(open_database(place.address), "acme"), Actor(ActorKind.PERSON, who, "tui"))


def shown(desk: PeopleDesk, words: str = "") -> list[tuple[str, str]]:
    """Return whose items a filter shows, and their own ids."""
    found: Listing = desk.listings.page(Query(words))
    while not desk.queue.advance(1.0):
        pass
    found = desk.listings.page(Query(words))
    return [(row.whose, row.id.partition(".")[2]) for row in found.rows if row is not None]


def name_of(desk: PeopleDesk, whose: str, item: str) -> str:
    return next(one.id for one in desk.queue.proposals() if desk.whose(one.id) == whose and one.id.endswith(f".{item}"))


def test_what_waits_for_all_stands_in_one_order_and_what_is_alike_is_one_row(desk: PeopleDesk) -> None:
    own = [(name, "own") for name in NAMES]
    swaps = sorted((desk.store.split(name)[0], user) for user in NAMES for name in [name_of(desk, user, "swap")])
    assert shown(desk) == [*own, ("ann", "all"), *((whose, "swap") for _, whose in swaps)]
    assert len(desk.queue) == 12, "every proposal is counted"
    assert [row.people for row in desk.queue.rows()] == [1, 1, 1, 1, 4, 1, 1, 1, 1]
    assert {desk.queue.conditions(one.id)[0] for one in desk.queue.proposals()} == {State.READY}


def test_pages_begin_behind_the_key_of_the_one_before(desk: PeopleDesk) -> None:
    tenant, seen, key = desk.store.tenant(), [], START
    while rows := tenant.page(key, 2):
        seen += rows
        key = rows[-1].key
    assert [one.key for one in seen] == sorted(one.key for one in seen)
    assert len(seen) == 9
    assert tenant.key_behind(START, 9) != seen[8].key, "it counts every item, also what is alike"
    assert tenant.page(Key(10.0, "", ""), 1)[0].whose.user == "ann"


def test_a_decision_goes_to_the_scope_of_its_item_and_back(desk: PeopleDesk, filled: Place) -> None:
    name = name_of(desk, "bob", "swap")
    looked = look(desk, name)
    assert (looked.id, looked.whose) == (name, "bob")
    receipt = desk.decide([looked.decision(Verb.APPROVE)], shown=looked.digest)
    assert [one.id for one in receipt.applied] == [name]
    query = "SELECT user_id, content FROM agent_memory WHERE substr(content, 1, 9) = 'Has a dog'"
    assert filled.rows(query) == [("bob", "Has a dog called bob\n§\nUses zsh")]
    assert len(desk.queue) == 11 or desk.refresh()
    look(desk, name_of(desk, "ann", "own"))
    assert desk.undo().returned == (name,), "the newest change of this run, whoever was looked at since"
    assert filled.rows(query) == []
    assert filled.rows("SELECT count(*) FROM memory_changes WHERE kind IN ('decide', 'undo')") == [(2,)]


def test_items_of_several_people_are_a_change_of_each(desk: PeopleDesk, filled: Place) -> None:
    names = [name_of(desk, whose, "own") for whose in ("ann", "dan")]
    receipt = desk.decide([Decision(name, Verb.REJECT) for name in names])
    assert [one.id for one in receipt.applied] == names
    assert filled.rows("SELECT count(DISTINCT scope), count(DISTINCT id) FROM memory_changes") == [(2, 2)]


def test_a_late_decision_is_told_who_was_first(desk: PeopleDesk, filled: Place) -> None:
    name = name_of(desk, "cyd", "own")
    other = desk_at(filled, "max")
    other.claims.take(name)
    assert desk.claims.look() == {name: "max"}
    assert desk.claims.first_free([name, name_of(desk, "dan", "own")]) == name_of(desk, "dan", "own")
    other.decide([Decision(name, Verb.REJECT)])
    late = desk.decide([Decision(name, Verb.APPROVE)])
    assert late.not_applied[0].message.startswith("already decided: reject by max at ")
    other.close()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("user:bob", [("bob", "own"), ("bob", "swap")]),
        ("user:ann", [("ann", "own"), ("ann", "all"), ("ann", "swap")]),
        ("knows", [(name, "own") for name in NAMES]),
        ("dog called dan", [("dan", "swap")]),
        ("office", [("ann", "all")]),
        ("-user:bob op:add knows", [("ann", "own"), ("cyd", "own"), ("dan", "own")]),
        ("state:ready user:cyd", [("cyd", "own"), ("cyd", "swap")]),
        ("state:flagged", []),
        ("user:eve", []),
    ],
)
def test_a_filter_looks_through_everything(desk: PeopleDesk, words: str, found: list[tuple[str, str]]) -> None:
    assert shown(desk, words) == found


def test_a_filter_that_stopped_goes_on_where_it_was(desk: PeopleDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator_tui.stores.sql.tenant_queue._FIRST", 2)
    monkeypatch.setattr("curator_tui.stores.sql.tenant_queue._PORTION", 2)
    assert shown(desk, "knows") == [(name, "own") for name in NAMES]
    assert shown(desk, "op:rep user:d") == [("dan", "swap")]
    assert len(shown(desk)) == 9


def test_what_is_deferred_is_not_listed(desk: PeopleDesk) -> None:
    name = name_of(desk, "ann", "own")
    assert desk.defer([name]).change is not None
    desk.refresh()
    assert ("ann", "own") not in shown(desk)
    assert desk.deferral(name) is not None
    assert desk.reopen([name]).returned == (name,)
    desk.refresh()
    assert ("ann", "own") in shown(desk)


def test_how_people_stand(desk: PeopleDesk) -> None:
    tenant = desk.store.tenant()
    people = tenant.standing(tenant.people(None, 10))
    assert [(one.whose.user, one.waiting, one.oldest_at) for one in people] == [
        (user, 3, 10.0 + at) for at, user in enumerate(NAMES)
    ]
    assert people[0].documents[Target.MEMORY].size == 20
    assert [one.user for one in tenant.people(people[1].whose, 10)] == ["cyd", "dan"]
    assert [one.user for one in tenant.people(None, 10, "b")] == ["bob"]
    desk.decide([Decision(name_of(desk, "bob", "own"), Verb.REJECT)])
    longest = tenant.longest((10, ""), 10)
    assert longest[-1][0].user == "bob"
    assert [one.user for one, _ in tenant.longest(longest[2][1], 10)] == ["bob"]
