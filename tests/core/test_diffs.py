"""Laws and pinned values of the outcome diff: words of an entry, entries of a document, the nearest entry."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator_tui.core.diffs import EntryDiff, entry_diff
from curator_tui.core.likeness import nearest
from curator_tui.core.scripts import tokens
from curator_tui.core.word_diffs import MAX_COMPARED, Span, ascending, comparable, word_diff

ANY_TEXT = st.text(max_size=120)
FEW_WORDS = st.lists(
    st.sampled_from(["a", "b", "cat", "5.1", " ", "  ", "\n", "[", "]", ",", "猫", "が", "é", "e\u0301"])
).map("".join)
TEXT = st.one_of(ANY_TEXT, FEW_WORDS)
ENTRIES = st.lists(
    st.sampled_from(["red door", "red gate", "blue door", "x", "tea at four", "tea at five"]), max_size=9
)


def old_side(spans: tuple[Span, ...]) -> str:
    return "".join(span.text for span in spans if span.kind != "new")


def new_side(spans: tuple[Span, ...]) -> str:
    return "".join(span.text for span in spans if span.kind != "gone")


def painted(before: str, after: str) -> str:
    marks = {"same": "{}", "gone": "[-{}-]", "new": "[+{}+]"}
    return "".join(marks[span.kind].format(span.text) for span in word_diff(before, after))


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Milliseconds of the quickest run: what the work costs when nothing else runs."""
    took = []
    for _ in range(runs):
        start = time.thread_time()
        work()
        took.append(time.thread_time() - start)
    return min(took) * 1_000


@given(TEXT, TEXT)
@example("a " * 1_000, "a b " * 500)
@example("\u200d" * 60, "x\u200d" * 40)
@example("a\x1cb", "a\x1c c")
@example("one\rtwo\x85", "one\ntwo\u2028")
def test_both_sides_can_be_read_back(before: str, after: str) -> None:
    spans = word_diff(before, after)
    assert old_side(spans) == before
    assert new_side(spans) == after


@given(TEXT, TEXT)
def test_spans_are_never_empty_and_neighbours_differ(before: str, after: str) -> None:
    spans = word_diff(before, after)
    assert all(span.text for span in spans)
    assert all(one.kind != two.kind for one, two in pairwise(spans))
    assert ("new", "gone") not in [(one.kind, two.kind) for one, two in pairwise(spans)]


@given(TEXT)
def test_equal_texts_are_one_span(text: str) -> None:
    assert word_diff(text, text) == ((Span(text, "same"),) if text else ())


@given(TEXT)
def test_tokens_join_to_the_text(text: str) -> None:
    assert "".join(tokens(text)) == text


@given(st.text("abc \n-[", max_size=60), st.text("abc \n-[", max_size=60))
def test_no_span_begins_or_ends_inside_a_word(before: str, after: str) -> None:
    spans = word_diff(before, after)
    for side, hidden in ((before, "new"), (after, "gone")):
        at = 0
        for span in spans:
            if span.kind != hidden:
                at += len(span.text)
                assert not (side[at - 1 : at].isalnum() and side[at : at + 1].isalnum())


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "Uses Krita 5.2 for drawings",
            "Uses Krita 5.1 for drawings",
            "Uses Krita [-5.2-][+5.1+] for drawings",
        ),
        ("foo bar", "baz qux", "[-foo bar-][+baz qux+]"),
        ("The cat sat", "The big cat sat", "The [+big +]cat sat"),
        ("- one\n- two", "- one\n- new\n- two", "- one\n[+- new\n+]- two"),
        ("住在杭州", "住在苏州", "住在[-杭-][+苏+]州"),
        ("古いルーター", "古いサーバー", "古い[-ルーター-][+サーバー+]"),
        ("อยู่", "อยู้", "อ[-ยู่-][+ยู้+]"),
        ("Fährt 👩‍💻 gern", "Fährt 👩‍🔬 gern", "Fährt [-👩‍💻-][+👩‍🔬+] gern"),
        ("cafe\u0301s here", "cafes here", "[-cafe\u0301s-][+cafes+] here"),
    ],
)
def test_diffs_read_well(before: str, after: str, expected: str) -> None:
    assert painted(before, after) == expected


def test_facts_around_an_anchor_show_as_gone() -> None:
    """T06: computed from the real outcome, not from the match and the content."""
    before = "[net] router is 10.0.0.1 [nas] web port 8080 [print] tray 2 holds A5"
    assert painted(before, "[nas] web port 9090") == (
        "[-[net] router is 10.0.0.1 -][nas] web port [-8080 [print] tray 2 holds A5-][+9090+]"
    )


def test_a_lost_blob_shows_every_lost_line() -> None:
    """T05: a file without separators is one entry."""
    before = "## Home\n- Bins: Tuesday evening\n\n## Machines\n- Atlas is the NAS\n- Borealis is retired"
    gone = "".join(span.text for span in word_diff(before, "Bins: Monday evening") if span.kind == "gone")
    assert "Atlas is the NAS" in gone
    assert "Borealis is retired" in gone
    assert "Tuesday" in gone


def test_texts_beyond_the_bound_come_back_whole() -> None:
    long = "a " * MAX_COMPARED
    assert not comparable(long, "a")
    assert word_diff(long, "a") == (Span(long, "gone"), Span("a", "new"))
    assert word_diff(long, long) == (Span(long, "same"),)


HOSTILE = [
    ("a " * 1_000, "a b " * 500),
    ("a " * 130, "a b b a " * 60),
    (" ".join(map(str, range(500))), " ".join(f"x {n}" for n in range(320))),
    ("的一是" * 700, "一的是不" * 550),
    ("(" * 2_200, "()" * 1_100),
    ("\n" * 2_200, " \n" * 1_100),
]


@pytest.mark.parametrize(("before", "after"), HOSTILE)
def test_no_text_of_a_full_document_makes_the_screen_wait(before: str, after: str) -> None:
    """Measured below 12 ms; the bound leaves room for a busy machine."""
    assert best_of(5, lambda: word_diff(before, after)) < 60


@given(ENTRIES, ENTRIES)
def test_every_entry_appears_once_and_in_order(before: list[str], after: list[str]) -> None:
    parts = entry_diff(before, after)
    assert [part.index_after for part in parts if part.index_after is not None] == list(range(len(after)))
    assert [part.index_before for part in parts if part.index_before is not None] == list(range(len(before)))
    for part in parts:
        assert part.before == (None if part.index_before is None else before[part.index_before])
        assert part.after == (None if part.index_after is None else after[part.index_after])
        assert (part.kind == "added") == (part.before is None)
        assert (part.kind == "removed") == (part.after is None)
        assert (part.kind == "same") == (part.before == part.after)


@given(st.lists(st.text("abcdef", min_size=1, max_size=3), unique=True, max_size=8), st.data())
def test_known_replacements_are_shown_as_changed(before: list[str], data: st.DataObject) -> None:
    """However different the texts are, and wherever the new entry stands."""
    chosen = data.draw(st.lists(st.sampled_from(before), unique=True) if before else st.just([]))
    pairs = [(old, f"{old} now {number}") for number, old in enumerate(chosen)]
    known = dict(pairs)
    after = data.draw(st.permutations([known.get(entry, entry) for entry in before]))
    parts = entry_diff(before, after, pairs)
    assert {(part.before, part.after) for part in parts if part.kind == "changed"} >= set(pairs)
    assert sorted(part.index_before for part in parts if part.index_before is not None) == list(range(len(before)))
    assert [part.index_after for part in parts if part.index_after is not None] == list(range(len(after)))


def test_kinds_of_one_document() -> None:
    before = ["Uses Krita 5.0", "Prefers metric units", "Cat is called Miso"]
    after = [
        "Drawing happens in Blender",
        "Prefers metric units",
        "Cat is named Miso",
        "Backups run on Sunday",
    ]
    parts = entry_diff(before, after, [("Uses Krita 5.0", "Drawing happens in Blender")])
    assert parts == (
        EntryDiff("changed", before[0], after[0], 0, 0),
        EntryDiff("same", before[1], after[1], 1, 1),
        EntryDiff("changed", before[2], after[2], 2, 2),
        EntryDiff("added", None, after[3], None, 3),
    )


def test_a_chain_of_replacements_is_one_change() -> None:
    parts = entry_diff(["one"], ["three things"], [("one", "two"), ("two", "three things")])
    assert [(part.kind, part.before, part.after) for part in parts] == [("changed", "one", "three things")]


def test_unlike_entries_at_one_place_are_not_paired() -> None:
    kinds = [part.kind for part in entry_diff(["Prefers metric units"], ["Backups run on Sunday"])]
    assert kinds == ["removed", "added"]


def test_a_replacement_that_met_its_twin_leaves_the_twin_alone() -> None:
    parts = entry_diff(["A", "B"], ["B"], [("A", "B")])
    assert [(part.kind, part.before) for part in parts] == [("removed", "A"), ("same", "B")]


def test_a_huge_changed_entry_says_that_its_words_are_not_compared() -> None:
    old, new = "tea " * 10_000, "tea " * 9_999 + "milk"
    (part,) = entry_diff([old], [new])
    assert part.whole
    assert part.kind == "changed"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            [f"entry {n} of " + "words " * 80 for n in range(2_000)],
            [f"other {n} with " + "terms " * 80 for n in range(2_000)],
        ),
        ([f"{n}" for n in range(2_000)], [f"{n}" for n in reversed(range(2_000))]),
        (["a " * 500_000], ["a b " * 250_000]),
    ],
    ids=["all-new", "reversed", "two-texts-of-a-megabyte"],
)
def test_large_documents_stay_quick(before: list[str], after: list[str]) -> None:
    """Measured below 80 ms, words included."""

    def whole_job() -> None:
        for part in entry_diff(before, after):
            if part.kind == "changed":
                word_diff(part.before or "", part.after or "")

    assert best_of(3, whole_job) < 400


@given(st.lists(st.integers(0, 40), unique=True, max_size=20))
def test_ascending_choice_ascends_and_is_longest(places: list[int]) -> None:
    chosen = ascending(dict(enumerate(places)))
    assert list(chosen) == sorted(chosen)
    assert list(chosen.values()) == sorted(chosen.values())
    lengths: list[int] = []
    for at, place in enumerate(places):
        lengths.append(1 + max((lengths[i] for i in range(at) if places[i] < place), default=0))
    assert len(chosen) == max(lengths, default=0)


def test_nearest_entry_of_a_vanished_anchor() -> None:
    """T07: the entry has been rewritten since the proposal was staged."""
    entries = ["Prefers metric units", "Uses Krita 5.2 for drawings"]
    found = nearest(["Krita 5.0", "Uses Krita 5.1 for drawings"], entries)
    assert found is not None
    assert found[0] == "Uses Krita 5.2 for drawings"
    by_match_alone = nearest(["Krita 5.0"], entries)
    assert by_match_alone is not None
    assert by_match_alone[0] == "Uses Krita 5.2 for drawings"


@pytest.mark.parametrize("texts", [["Backups run on Sunday"], ["a"], [""], [], ["§"]])
def test_nothing_is_offered_when_nothing_is_near(texts: list[str]) -> None:
    assert nearest(texts, ["Prefers metric units", "Uses Krita 5.2 for drawings"]) is None


@given(st.lists(ANY_TEXT, max_size=3), st.lists(ANY_TEXT, max_size=5))
def test_nearest_is_one_of_the_entries(texts: list[str], entries: list[str]) -> None:
    found = nearest(texts, entries)
    assert found is None or (found[0] in entries and 65 <= found[1] <= 100)


def test_nearest_is_quick_on_hostile_text() -> None:
    assert best_of(3, lambda: nearest(["ab " * 700, "ab c " * 12], ["ba " * 700] * 2_000)) < 200
