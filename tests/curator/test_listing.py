"""The queue in the order of a query: nothing lost, nothing twice, and every page is a part of the same list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from curator_tui.core.requests import Decision, Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.listing import SKIPPED, Listing, Listings
from curator_tui.curator.queries import Group, Query, Sort, Term, filter_trouble, parse
from curator_tui.curator.queue_model import Row
from tests.homes import stage
from tests.tui.desks import NOW, desk_with, every_state, item

ALL = Query()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    opened = desk_with(tmp_path_factory.mktemp("listing"), every_state())
    opened.queue.advance(60)
    return opened


def named(rows: Sequence[Row] | None) -> tuple[str, ...]:
    assert rows is not None
    return tuple(row.id for row in rows)


def ids(listing: Listing) -> list[str]:
    return [row.id for row in listing.rows if row is not None]


def found(desk: Desk, words: str) -> set[str]:
    return set(desk.listings.ids(Query(words)))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", ""), ("rye", ""), ("state:ready !op:add age:>3d is:deferred", ""), ("10:30", ""), ("state:", ""),
        ("stat:ready", "there is no field stat:"), ("!colour:red", "there is no field colour:"),
        ("age:3d", "age wants > or <"), ("state:done", "state: is one of"), ("is:open", "is: is one of"),
        ("rye op:move", "op: is one of add replace remove batch"),
    ],
)  # fmt: skip
def test_a_word_that_only_looks_like_a_field_is_told(words: str, told: str) -> None:
    assert filter_trouble(words).startswith(told)
    assert bool(filter_trouble(words)) is bool(told)


@pytest.mark.parametrize("group", list(Group))
@pytest.mark.parametrize("sort", list(Sort))
def test_every_order_holds_every_row_once(desk: Desk, group: Group, sort: Sort) -> None:
    listing = desk.listings.page(Query(group=group, sort=sort))
    assert sorted(ids(listing)) == sorted(row.id for row in desk.queue.rows())
    assert sum(section.waiting for section in listing.sections) == (0 if group is Group.NOTHING else len(desk.queue))
    for section in listing.sections:
        assert listing.rows[section.place] is None
        members = listing.rows[section.place + 1 : section.place + 1 + section.rows]
        assert all(row is not None for row in members)
        assert sum(len(row.members) for row in members if row is not None) == section.waiting


@pytest.mark.parametrize("size", [1, 3, 7, 600])
def test_pages_are_parts_of_one_list(desk: Desk, size: int) -> None:
    whole = desk.listings.page(ALL)
    for place in range(whole.lines):
        page = desk.listings.page(ALL, place, size)
        assert page.start <= place < page.start + len(page.rows)
        assert page.rows == whole.rows[page.start : page.start + size]
        assert (page.lines, page.sections, page.found) == (whole.lines, whole.sections, whole.found)


def test_an_item_is_found_where_it_stands_also_within_its_group(desk: Desk) -> None:
    whole = desk.listings.page(ALL)
    for row in desk.queue.rows():
        for name in row.members:
            page = desk.listings.page(ALL, name, 3)
            assert page.place is not None
            assert whole.rows[page.place] == row
    assert desk.listings.page(ALL, "not-there").place is None


def test_ids_between_two_places_are_the_rows_between_them(desk: Desk) -> None:
    whole = desk.listings.page(ALL)
    between = tuple(row.id for row in whole.rows[2:7] if row is not None)
    assert named(whole.between(2, 6)) == between
    page = desk.listings.page(ALL, 3, 4)
    assert page.between(2, 6) is None, "the page lacks some"
    assert named(page.between(page.start, page.start + 3)) == tuple(ids(page))
    assert named(desk.listings.between(page, 2, 6)) == between
    for first, last in ((between[0], 6), (between[-1], 2)):
        assert named(desk.listings.between(page, first, last)) == between
    assert desk.listings.between(page, "not-there", 6) == ()


def test_places_of_a_list_that_is_another_one_by_now_mean_nothing(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    desk.queue.advance(60)
    page = desk.listings.page(ALL, 0, 4)
    assert desk.listings.between(page, 0, 9) is not None
    stage(tmp_path / "hermes", item("new00001", "add", "the oldest of all", age=10_000))
    desk.refresh()
    assert named(desk.listings.page(ALL).between(0, 1)) == ("new00001",)
    assert desk.listings.between(page, 0, 9) is None


def test_what_is_skipped_stands_last_under_its_own_heading(desk: Desk) -> None:
    listing = desk.listings.page(Query(skipped=frozenset({"add00001", "los00001"})))
    assert listing.sections[-1].key == SKIPPED
    assert set(ids(listing)[-2:]) == {"add00001", "los00001"}
    assert len(ids(listing)) == len(desk.queue.rows())


def test_every_order_sorts_by_what_it_is_named_after(tmp_path: Path) -> None:
    waiting = [
        item("mid00001", "add", "bbb " * 20, age=50),
        item("old00001", "add", "ccc", age=90),
        item("new00001", "add", "aaa aaa", age=10),
    ]
    desk = desk_with(tmp_path, waiting)
    plain = {sort: ids(desk.listings.page(Query(group=Group.NOTHING, sort=sort))) for sort in Sort}
    assert plain[Sort.OLDEST] == ["old00001", "mid00001", "new00001"]
    assert plain[Sort.NEWEST] == ["new00001", "mid00001", "old00001"]
    assert plain[Sort.GROWTH] == ["mid00001", "new00001", "old00001"]
    assert plain[Sort.TEXT] == ["new00001", "mid00001", "old00001"]


# -- the filter ------------------------------------------------------------------------------------------------------


def test_a_filter_is_read_once() -> None:
    assert parse("Tea !state:READY ~coffe op:add age:>3d") == (
        Term("", "tea"),
        Term("state", "ready", wanted=False),
        Term("", "coffe", like=True),
        Term("op", "add"),
        Term("age", ">3d"),
    )


@pytest.mark.parametrize("word", ["http://x", "nofield:3", "age:3d", "age:>3y", "age:>", "state:", "!", "~", ":"])
def test_what_is_no_field_is_a_word(word: str) -> None:
    assert parse(word) == (Term("", word),)


def test_a_field_narrows_and_its_opposite_gives_the_rest(desk: Desk) -> None:
    everything = {row.id for row in desk.queue.rows()}
    assert found(desk, "state:stale") == {"sta00001"}
    assert found(desk, "!state:stale") == everything - {"sta00001"}
    assert found(desk, "state:stale state:ready") == set()
    assert found(desk, "id:add") == {"add00001", "add00002"}
    assert found(desk, "op:add") | found(desk, "!op:add") == everything
    assert found(desk, "op:add") & found(desk, "!op:add") == set()
    assert "alt00001" in found(desk, "is:group")
    assert found(desk, "age:>0s") | found(desk, "age:<0s") <= everything
    assert found(desk, "age:<1s") == set()


def test_marked_and_skipped_are_asked_of_the_query(desk: Desk) -> None:
    marked = Query("is:marked", marked=frozenset({"los00001"}))
    assert desk.listings.ids(marked) == ("los00001",)
    assert desk.listings.ids(Query("is:marked")) == ()
    assert desk.listings.ids(Query("is:skipped", skipped=frozenset({"add00001"}))) == ("add00001",)


@pytest.mark.parametrize("words", ["is:marked", "is:group,marked", "IS:Marked", "!is:marked", "target:user is:mark"])
def test_whatever_asks_for_marks_follows_them(desk: Desk, words: str) -> None:
    """The order of a list is remembered, and made anew where a mark makes it another one."""
    for marked in (frozenset[str](), frozenset({"add00002"}), frozenset({"los00001"})):
        query = Query(words, marked=marked)
        assert query.names_marks
        fresh = Listings(desk.queue, lambda: NOW)
        assert desk.listings.ids(query) == fresh.ids(query)


@pytest.mark.parametrize("words", ["age:>2h", "AGE:>2h", "op:add !age:<2h"])
def test_whatever_asks_for_ages_follows_the_clock(desk: Desk, words: str) -> None:
    now = [NOW]
    listings = Listings(desk.queue, lambda: now[0])
    before = listings.ids(Query(words))
    now[0] += 1e6
    assert set(listings.ids(Query(words))) > set(before)


@pytest.mark.parametrize(
    ("words", "away"),
    [
        ("is:deferred", True),
        ("is:deferred,group", True),
        ("is:group,def", True),
        ("!is:deferred", False),
        ("is:g", False),
    ],
)
def test_what_is_deferred_is_listed_wherever_it_is_asked_for(tmp_path: Path, words: str, away: bool) -> None:
    desk = desk_with(tmp_path, every_state())
    desk.defer(("add00001",), "")
    desk.queue.advance(60)
    assert Query(words).deferred is away
    assert ("add00001" in desk.listings.ids(Query(words))) is away


def test_a_word_is_found_anywhere_in_the_texts(tmp_path: Path) -> None:
    long = "likes " + "very " * 60 + "strong coffee"
    desk = desk_with(tmp_path, [item("lng00001", "add", long), item("oth00001", "add", "likes tea")])
    assert found(desk, "coffee") == {"lng00001"}
    assert found(desk, "COFFEE likes") == {"lng00001"}
    assert found(desk, "coffe3") == set()
    assert found(desk, "~coffe3") == {"lng00001"}
    assert found(desk, "!~coffe3") == {"oth00001"}


@pytest.mark.parametrize("words", ["op:del", "op:DEL", "op:remove", "op:rem", "op:ask,del", "!op:REP !op:bat !op:ask"])
def test_an_operation_is_found_by_its_name_and_by_the_letters_of_its_column(tmp_path: Path, words: str) -> None:
    assert filter_trouble(words) == ""
    waiting = [item("del00001", "remove", old="Prefers tabs"), item("rep00001", "replace", "Uses", "Staging needs")]
    assert found(desk_with(tmp_path, waiting), words) == {"del00001"}


def test_a_group_is_found_by_each_of_its_wordings(tmp_path: Path) -> None:
    waiting = [
        item("one00001", "replace", "Lives in Oslo", old="Lives in Bergen"),
        item("two00001", "replace", "Lives in Paris", old="Lives in Bergen"),
    ]
    desk = desk_with(tmp_path, waiting, memory=["Lives in Bergen"])
    assert found(desk, "paris") == found(desk, "oslo") == {"one00001"}


def test_hostile_words_are_looked_for_as_they_are_displayed(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, [item("evl00001", "add", "plain \x1b[2J words")])
    assert found(desk, "\x1b[2j") == {"evl00001"}
    assert found(desk, "words") == {"evl00001"}


def test_a_row_keeps_its_place_while_states_are_worked_out_again(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, every_state())
    desk.queue.advance(60)
    before = ids(desk.listings.page(ALL))
    receipt = desk.decide([Decision("add00001", Verb.APPROVE)])
    assert receipt.change is not None
    assert not desk.queue.complete
    assert ids(desk.listings.page(ALL)) == [name for name in before if name != "add00001"]
    desk.undo(receipt.change)
    assert ids(desk.listings.page(ALL)) == before
