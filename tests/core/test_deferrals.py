"""Deferrals: what is put off, until when, by what word, and what its row holds."""

from __future__ import annotations

from msgspec.structs import replace

from curator_tui.core.asides import Asides, Deferral, revert_asides
from curator_tui.core.changes import Change, Decided, View
from curator_tui.core.endings import Ending
from curator_tui.core.ledger import commitment
from curator_tui.core.requests import Kind, Request, ToDefer
from tests.worlds import PERSON, add, hows, item, planned, reasons, snapshot, stamp, view

TODAY, DAY = "2026-12-24", "2026-12-27"
ITEM = item("c0000001", add("Has a cat"))


def deferral(digest: str = ITEM.digest, until: str = DAY, *, change: str = "c1", back: bool = False) -> Deferral:
    return Deferral(ITEM.id, digest, until, back, change, PERSON, 0.0)


def world(*deferrals: Deferral, **parts: object) -> View:
    return view(snapshot("Uses zsh"), ITEM, asides=Asides(deferrals), **parts)


def defer(found: View, *asked: ToDefer, note: str = "") -> Change:
    return planned(found, Request(stamp(), Kind.DEFER, defer=asked, today=TODAY, note=note))


def reopen(found: View, *names: str) -> Change:
    return planned(found, Request(stamp(), Kind.REOPEN, reopen=names, today=TODAY))


def test_a_deferral_is_a_row_without_words_and_touches_nothing_else() -> None:
    change = defer(world(), ToDefer(ITEM.id, DAY), note="after the holidays")
    assert hows(change) == {ITEM.id: "defer"}
    assert (change.documents, change.closed, change.returned, change.images) == ({}, (), (), ())
    (recorded,) = change.asides.deferrals
    assert (recorded.proposal, recorded.digest, recorded.until, recorded.back) == (ITEM.id, ITEM.digest, DAY, False)
    (row,) = change.rows
    part = row["deferrals"][0]
    salt = next(text.salt for text in change.texts if text.id.endswith(":deferral:c0000001"))
    assert part == {
        "proposal": ITEM.id,
        "decision": "defer",
        "until": DAY,
        "record": {"size": 64, "commit": commitment(salt, ITEM.digest.encode())},
    }
    assert row["action"] == "defer"
    assert ITEM.digest not in repr(row)
    assert "holidays" not in repr(row)
    assert row["note"] in row["notes"]


def test_without_a_day_it_has_none() -> None:
    (row,) = defer(world(), ToDefer(ITEM.id)).rows
    assert "until" not in row["deferrals"][0]


def test_what_is_deferred_just_so_is_no_change_and_another_day_is_one() -> None:
    again = defer(world(deferral()), ToDefer(ITEM.id, DAY))
    assert (hows(again), again.rows, again.receipt.change) == ({ITEM.id: "already in effect"}, (), None)
    assert defer(world(deferral()), ToDefer(ITEM.id)).receipt.change is not None
    assert defer(world(deferral()), ToDefer(ITEM.id, "2026-12-30")).receipt.change is not None


def test_what_does_not_wait_or_is_another_record_says_so_and_the_others_are_deferred() -> None:
    change = defer(world(), ToDefer("nothing1"), ToDefer(ITEM.id, digest="other"))
    assert reasons(change) == {
        "nothing1": ("unknown", "no waiting item has the id nothing1"),
        ITEM.id: ("moved", "its record changed since it was shown"),
    }
    assert change.rows == ()
    both = defer(world(), ToDefer("nothing1"), ToDefer(ITEM.id, digest=ITEM.digest))
    assert hows(both) == {ITEM.id: "defer"}
    assert not both.receipt.done


def test_a_deferral_holds_until_its_day_and_only_for_its_record() -> None:
    until = deferral()
    assert [until.holds(ITEM.digest, day) for day in ("2026-12-26", "2026-12-27", "2027-01-01")] == [True, False, False]
    assert not until.holds("another record", TODAY)
    assert deferral(until="").holds(ITEM.digest, "9999-12-31")
    assert not deferral(back=True).holds(ITEM.digest, TODAY)


def test_the_newest_word_in_force_counts() -> None:
    first, second = deferral(until=""), deferral(change="c2", back=True)
    assert Asides((first, second)).latest()[ITEM.id] is second
    assert Asides((first, replace(second, undone=True))).latest()[ITEM.id] is first
    assert Asides((replace(first, undone=True),)).latest() == {}


def test_reopen_brings_a_deferred_item_back_with_a_row_that_binds_it() -> None:
    change = reopen(world(deferral()), ITEM.id)
    assert (hows(change), change.receipt.returned) == ({ITEM.id: "reopen"}, (ITEM.id,))
    assert change.returned == ()
    assert change.asides.deferrals[0].back
    assert set(change.rows[0]["deferrals"][0]) == {"proposal", "decision", "record"}


def test_reopen_of_what_waits_already_says_so() -> None:
    waits = {ITEM.id: ("waiting", "it is waiting already")}
    assert reasons(reopen(world(), ITEM.id)) == waits
    assert reasons(reopen(world(deferral(until=TODAY)), ITEM.id)) == waits, "its day has come"
    assert reasons(reopen(world(deferral("other")), ITEM.id)) == waits, "its record is another one"


def test_a_decided_item_that_was_deferred_comes_back_into_the_queue_itself() -> None:
    decided = Decided(ITEM.id, ITEM.digest, Ending.REJECT, "c2", PERSON, 0.0, raw=b"record")
    change = reopen(world(deferral(), waiting={}, decided={ITEM.id: decided}), ITEM.id)
    assert [one.proposal for one in change.returned] == [ITEM.id]
    assert [one.back for one in change.asides.deferrals] == [True]


def test_a_revert_moves_what_its_changes_said() -> None:
    asides = Asides((deferral(), deferral(change="c2", until="")))
    assert revert_asides(asides, ["c2"], [], TODAY).back == (), "the older one holds again, and it is still not its day"
    assert [one.change for one in revert_asides(asides, ["c1", "c2"], [], TODAY).back] == ["c2"]
    undone = Asides((replace(deferral(), undone=True),))
    assert [one.change for one in revert_asides(undone, [], ["c1"], TODAY).away] == ["c1"]
    assert revert_asides(undone, [], ["c1"], DAY) == revert_asides(Asides(), [], [], DAY)
