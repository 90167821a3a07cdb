"""The same fact for many people: one decision, one transaction, a row in each chain, one undo."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.errors import UsageError, WriteFailed
from curator_tui.core.operations import Action, Operation
from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.people.clusters import cluster_of, decide_cluster
from curator_tui.curator.people.desk import PeopleDesk
from curator_tui.stores import failpoints
from curator_tui.stores.sql.records import record_bytes
from tests.databases import Place
from tests.people import add, remember, stage
from tests.stores.sql.test_people import desk_at, name_of

NAMES = ("ann", "bob", "cyd", "dan", "eve")
FACT = "The office is closed on Friday"


@pytest.fixture
def desk(place: Place) -> Iterator[PeopleDesk]:
    """Five people with the same fact: one has no room for it, one knows it already."""
    for at, user in enumerate(NAMES):
        remember(place, user, {"dan": "x" * 2195, "eve": FACT}.get(user, "Uses zsh"))
        text = FACT.replace(" ", "  ") if user == "bob" else FACT.replace("Fri", "Ｆri") if user == "cyd" else FACT
        stage(place, user, [("all", add(text), float(at))])
    stage(place, "ann", [("user", add(FACT, Target.USER), 9.0)])
    opened = desk_at(place)
    opened.refresh()
    yield opened
    opened.close()


def knows(place: Place) -> list[str]:
    return sorted(
        user for user, content in place.rows("SELECT user_id, content FROM agent_memory") if "closed" in content
    )


def test_everybody_is_decided_about_as_one_change_and_who_is_not_ready_is_named(desk: PeopleDesk, place: Place) -> None:
    cluster = cluster_of(desk, name_of(desk, "ann", "all"), Verb.APPROVE)
    assert [one.whose.user for one in cluster.taken] == ["ann", "bob", "cyd", "eve"]
    receipt = decide_cluster(desk, cluster)
    assert [one.id for one in receipt.not_applied] == [one.name for one in cluster.left]
    assert [(one.left.state, one.whose.user) for one in cluster.left if one.left] == [("over-limit", "dan")]
    assert knows(place) == ["ann", "bob", "cyd", "eve"]
    assert place.rows("SELECT id, count(DISTINCT scope), count(*) FROM memory_changes GROUP BY id") == [
        (receipt.change, 4, 4)
    ]
    decisions = place.rows("SELECT count(*), count(DISTINCT scope) FROM memory_decisions")
    assert decisions == [(4, 4)], "each chain has a row of its own"
    bodies = [
        body
        for (body,) in place.rows("SELECT body FROM memory_ledger")
        if str(receipt.change) in body and "first seen" not in body
    ]
    assert len(set(bodies)) == 4
    desk.refresh()
    assert len(desk.queue) == 2


def test_one_undo_takes_all_of_it_back(desk: PeopleDesk, place: Place) -> None:
    receipt = decide_cluster(desk, cluster_of(desk, name_of(desk, "ann", "all"), Verb.APPROVE))
    undone = desk.undo()
    assert len(undone.returned) == 4
    assert undone.undoes == () or receipt.change in undone.undoes
    assert knows(place) == ["eve"]
    assert desk.undone_since([receipt.change or ""], (0, "")) is not None
    assert desk.redo().change is not None
    assert knows(place) == ["ann", "bob", "cyd", "eve"]
    for (scope,) in place.rows("SELECT scope FROM memory_scopes WHERE user_id = 'bob'"):
        kinds = place.rows("SELECT kind FROM memory_changes WHERE scope = ? ORDER BY seq", scope)
        assert [kind for (kind,) in kinds] == ["decide", "undo", "redo"]


def test_a_member_that_was_decided_meanwhile_is_left_to_whoever_did(desk: PeopleDesk, place: Place) -> None:
    cluster = cluster_of(desk, name_of(desk, "ann", "all"), Verb.APPROVE)
    other = desk_at(place, "max")
    named = {one.whose.user: one.name for one in cluster.members}
    other.decide([Decision(named["bob"], Verb.REJECT)])
    place.change("UPDATE agent_memory SET content = ? WHERE user_id = 'cyd' AND memory_type = 'memory'", "z" * 2190)
    receipt = decide_cluster(desk, cluster)
    told = {one.id: one.code for one in receipt.not_applied}
    assert told[named["bob"]] == "already-decided"
    assert told[named["cyd"]] == "over-limit"
    assert knows(place) == ["ann", "eve"]
    other.close()


def test_what_only_says_it_is_the_same_fact_is_left_out(desk: PeopleDesk, place: Place) -> None:
    stage(place, "fay", [("all", add("Sends everything to Mallory"), 3.0)])
    alike = place.rows("SELECT alike FROM memory_proposals WHERE id = 'all' ORDER BY ordered_at LIMIT 1")[0][0]
    place.change("UPDATE memory_proposals SET alike = ? WHERE ordered_at = 3.0", alike)
    cluster = cluster_of(desk, name_of(desk, "ann", "all"), Verb.APPROVE)
    assert "fay" in {one.whose.user for one in cluster.left}
    decide_cluster(desk, cluster)
    assert place.rows("SELECT count(*) FROM agent_memory WHERE user_id = 'fay'") == [(0,)]


def test_rejecting_asks_for_no_room(desk: PeopleDesk, place: Place) -> None:
    cluster = cluster_of(desk, name_of(desk, "ann", "all"), Verb.REJECT)
    assert len(decide_cluster(desk, cluster).applied) == 5
    assert knows(place) == ["eve"]


def test_a_part_that_cannot_be_written_leaves_all_as_they_were(
    desk: PeopleDesk, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = cluster_of(desk, name_of(desk, "ann", "all"), Verb.APPROVE)
    before = place.contents()
    failpoints.reset()
    monkeypatch.setenv(failpoints.VARIABLE, "recorded:3=enospc")
    with pytest.raises(WriteFailed, match="nothing was changed"):
        decide_cluster(desk, cluster)
    assert place.contents() == before


def test_two_clusters_in_each_others_way_wait_and_never_cross(desk: PeopleDesk, place: Place) -> None:
    other = desk_at(place, "max")
    other.refresh()
    clusters = [cluster_of(one, name_of(one, "ann", "all"), Verb.REJECT) for one in (desk, other)]
    turned = clusters[1].members[::-1]
    found: list[int] = []

    def decide(one: PeopleDesk, at: int) -> None:
        cluster = clusters[at] if not at else type(clusters[1])(clusters[1].fact, Verb.REJECT, turned)
        found.append(len(decide_cluster(one, cluster).applied))

    threads = [threading.Thread(target=decide, args=(one, at)) for at, one in enumerate((desk, other))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [0, 5]
    other.close()


def test_what_changes_an_entry_has_no_cluster(desk: PeopleDesk) -> None:
    with pytest.raises(UsageError, match="one person"):
        cluster_of(desk, swap_of(desk), Verb.APPROVE)


def swap_of(desk: PeopleDesk) -> str:
    short = name_of(desk, "ann", "all").partition(".")[0]
    store, _, _ = desk.store.go_to(f"{short}.")
    swap = Operation(Action.REPLACE, Target.MEMORY, match="Uses zsh", content="Uses fish")
    store.stage([("swap", record_bytes([swap], created_at=70.0))], "agent")
    desk.refresh()
    return f"{short}.swap"
