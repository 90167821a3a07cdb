"""The lossy rule: its seven parts, the cases T05 and T06, its quality on pairs it was not tuned on.

``tests/data/lossy-pairs.json`` was written after the rule. ``round`` 2 was written after the first tuning.
Pairs of one entry are all in one half; pairs looked at while tuning are in the half that is not held out.
``translation`` marks rewrites in another language: no word can be compared, so the flag is right to ask.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core import losses, scripts
from curator_tui.core.losses import (
    Losses,
    clauses,
    inside_only,
    lost_facts,
    shrinks_below_half,
    text_lines_lost,
    words,
)

PAIRS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "lossy-pairs.json").read_text("utf-8"))
HOME = "## Home\n- Bins: Tuesday evening\n\n## Machines\n- Atlas is the NAS\n- Borealis is retired"
NET = "[net] router is 10.0.0.1 [nas] web port 8080 [print] tray 2 holds A5"


def check(entry: str, match: str, content: str, *others: str) -> Losses:
    return lost_facts(entry, match, [content, *others], content)


def forms(text: str) -> list[str]:
    return [word.form for word in words(text)]


def cut(entry: str) -> list[str]:
    return [entry[clause.start : clause.end] for clause in clauses(entry)]


def held_out(kind: str) -> list[dict[str, Any]]:
    return [pair for pair in PAIRS if pair["held_out"] and pair["kind"] == kind]


def flagged(pairs: list[dict[str, Any]]) -> list[str]:
    return [pair["id"] for pair in pairs if check(pair["entry"], pair["match"], pair["content"])]


def test_pairs_are_many_and_well_formed() -> None:
    kinds = [pair["kind"] for pair in PAIRS]
    assert kinds.count("honest") >= 40
    assert kinds.count("patch") >= 40
    assert {"en", "de", "es", "fr", "zh", "ja", "ar", "ru"} <= {pair["language"] for pair in PAIRS}
    assert all(pair["entry"].count(pair["match"]) == 1 for pair in PAIRS)
    halves: dict[str, bool] = {}
    for pair in PAIRS:
        assert halves.setdefault(pair["entry"], pair["held_out"]) == pair["held_out"]


def test_honest_rewrites_are_rarely_flagged() -> None:
    pairs = held_out("honest")
    assert len(flagged(pairs)) <= 0.10 * len(pairs)


def test_span_patches_are_nearly_always_flagged() -> None:
    pairs = held_out("patch")
    assert len(flagged(pairs)) >= 0.95 * len(pairs)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_every_flag_names_what_is_lost(pair: dict[str, Any]) -> None:
    losses = check(pair["entry"], pair["match"], pair["content"])
    assert bool(losses) == bool(losses.lost)
    assert all(clause and clause in pair["entry"] for clause in losses.lost)


def test_a_blob_would_lose_its_other_lines() -> None:
    """T05."""
    losses = check(HOME, "Bins: Tuesday evening", "Bins: Monday evening")
    assert losses == Losses(("## Home", "## Machines", "Atlas is the NAS", "Borealis is retired"))
    assert text_lines_lost(HOME, "Bins: Monday evening") == (4, 1, 5)
    assert inside_only(HOME, "Bins: Tuesday evening", "Bins: Monday evening") == HOME.replace("Tuesday", "Monday")


def test_facts_around_an_anchor_are_lost() -> None:
    """T06."""
    losses = check(NET, "web port 8080", "[nas] web port 9090")
    assert losses.lost == ("[net] router is 10.0.0.1", "[print] tray 2 holds A5")
    assert inside_only(NET, "web port 8080", "[nas] web port 9090") == NET.replace("8080", "9090")


@pytest.mark.parametrize(
    ("entry", "match", "content", "lost"),
    [
        (
            "Lives in Graz; plays the cello on Mondays; allergic to pollen",
            "cello on Mondays",
            "Graz resident who plays the cello on Tuesdays",
            "allergic to pollen",
        ),
        (
            "Der Drucker heißt Otto. Papier liegt im Flur. Toner bestellt Frau Lang.",
            "heißt Otto",
            "Drucker Otto, Papier im Flur",
            "Toner bestellt Frau Lang.",
        ),
        ("用户住在成都，喜欢爬山，对花生过敏", "喜欢爬山", "用户住在成都，喜欢游泳和爬山", "对花生过敏"),
        (
            "犬の名前はポチ。病院は青葉動物病院。散歩は朝六時。",
            "ポチ",
            "犬の名前はポチ、散歩は朝七時",
            "病院は青葉動物病院。",
        ),
    ],
)
def test_one_dropped_fact_of_a_rewrite_is_named(entry: str, match: str, content: str, lost: str) -> None:
    """A rewrite that keeps most facts and drops one is not honest."""
    assert lost in check(entry, match, content).lost


@given(st.text(max_size=200), st.text(max_size=60))
def test_a_match_that_is_the_whole_entry_loses_nothing(entry: str, content: str) -> None:
    assert check(entry, f" {entry}\n", content) == Losses()


@given(st.text(min_size=1, max_size=200), st.data())
def test_content_that_holds_the_entry_loses_nothing(entry: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(entry) - 1))
    match = entry[start : data.draw(st.integers(start + 1, len(entry)))]
    assert not check(entry, match, f"{entry} and more")


@given(st.text(max_size=200), st.text(max_size=30), st.text(max_size=60))
def test_lost_clauses_stand_in_the_entry_in_order(entry: str, match: str, content: str) -> None:
    at = 0
    for clause in check(entry, match, content).lost:
        at = entry.index(clause, at) + len(clause)


def test_facts_moved_to_another_operation_are_not_lost() -> None:
    entry = "Lives in Graz; allergic to pollen"
    assert check(entry, "Lives in Graz", "Lives in Linz").lost == ("allergic to pollen",)
    assert not check(entry, "Lives in Graz", "Lives in Linz", "Has an allergy to pollen")


@pytest.mark.parametrize(
    ("entry", "pieces"),
    [
        ("1. Tea at four. Cake\n2) Milk and sugar", ["Tea at four.", "Cake", "Milk", "sugar"]),
        ("[a] one [b] two | three – four; five, six", ["[a] one", "[b] two", "three", "four", "five", "six"]),
        ("+49 30 555; -5 degrees", ["+49 30 555", "-5 degrees"]),
        ("Brot und Salz aber Wein", ["Brot", "Salz", "Wein"]),
        ("猫。犬，鳥", ["猫。", "犬，", "鳥"]),
        ("v1.2.3 at 10.0.0.1", ["v1.2.3 at 10.0.0.1"]),
        ("", []),
    ],
)
def test_an_entry_is_cut_into_clauses_at_its_marks(entry: str, pieces: list[str]) -> None:
    assert cut(entry) == pieces


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The user's port is 8 on nas-2.local:80", ["port", "8", "nas-2.local:80"]),
        ("Ｆｕｌｌ ＷＩＤＴＨ １２", ["full", "width", "12"]),
        ("never without x", ["not", "not"]),
        ("住在杭州", ["住", "杭", "州"]),
        ("서울에 산다", ["서울", "울에", "산다"]),
        ("ルーター", ["ルー", "ータ", "ター"]),
        ("働いている", ["働"]),
        ("ويفضل الإجابات", ["اجابات"]),
    ],
)
def test_words_are_folded_and_those_without_meaning_left_out(text: str, expected: list[str]) -> None:
    assert forms(text) == expected


@pytest.mark.parametrize(
    ("clause", "content", "lives"),
    [
        ("deployment", "deploys", True),
        ("cats", "cat", True),
        ("Server", "Kellerserver", True),
        ("lisbon", "Lisbon-based", True),
        ("Zürich", "Zurich", True),
        ("port8080", "port9090", True),
        ("8080", "9090", False),
        ("v2", "v3", False),
        ("carpet", "carbon", False),
    ],
)
def test_when_a_word_lives(clause: str, content: str, lives: bool) -> None:
    losses = check(f"{clause}; anchor", "anchor", f"anchor {content}")
    assert bool(losses) != lives


def test_the_clause_of_the_match_loses_its_other_words() -> None:
    assert check("Office door code 4471", "4471", "9023").lost == ("Office door code 4471",)
    assert check("Uses Blender 4.1", "4.1", "4.2").lost == ("Uses Blender 4.1",)
    assert not check("Prefers dark mode", "dark mode", "Wants light themes everywhere, in every single program")


def test_beyond_the_bound_nothing_is_computed() -> None:
    many = " ".join(f"fact{n}" for n in range(1_001))
    assert check(many, "fact7", "fact8") == Losses(too_long=True)
    assert check("short one; other", "short", "x " * 60_000) == Losses(too_long=True)
    assert bool(Losses(too_long=True))
    assert not check(many, many, "gone")


@pytest.mark.parametrize(
    ("entry", "match", "content"),
    [
        ("a" * 20_000, "a", "b"),
        ("[" * 20_000, "[[", "["),
        (" " * 19_999 + "x", "x", "y"),
        (
            " ".join("abcdefgh"[n % 8] * 19 for n in range(900)),
            "zz",
            " ".join("a" * 38 for _ in range(2_000)),
        ),
        ("x" * (1 << 20), "x", "y" * (1 << 20)),
    ],
)
def test_checking_is_bounded_in_time(entry: str, match: str, content: str) -> None:
    start = time.thread_time()
    check(entry, match, content)
    inside_only(entry, match, content)
    assert time.thread_time() - start < 0.5


@pytest.mark.parametrize(
    ("entry", "match", "content", "result"),
    [
        ("port is 80 here", "80", "port is 90", "port is 90 here"),
        ("port is 80 here", "80", "90 here", "port is 90 here"),
        ("port is 80 here", "80", "is 90 here", "port is 90 here"),
        ("port is 80 or 80", "80", "90", None),
        ("port is 80", "99", "90", None),
        ("port is 80", "", "90", None),
        ("port is 80", "80", "80", None),
        ("port is 80", "port is 80", "port is 90", None),
        ("port is 80", "80", "port is 90", None),
        ("aaa", "aa", "b", None),
        ("abMab", "M", "ab", "abab"),
    ],
)
def test_inside_only_replaces_what_the_content_does_not_share_with_its_surroundings(
    entry: str, match: str, content: str, result: str | None
) -> None:
    assert inside_only(entry, match, content) == result


@given(
    st.text("ab ", max_size=12),
    st.text("abM", min_size=1, max_size=4),
    st.text("ab ", max_size=12),
    st.text("abM "),
)
def test_inside_only_keeps_what_stands_around_the_match(left: str, match: str, right: str, content: str) -> None:
    """Text left and right of the match survives, in place or as the edge of the content."""
    entry = left + match + right
    result = inside_only(entry, match, content)
    if result is not None:
        at = entry.index(match.strip())
        assert result.startswith(entry[:at])
        assert result.endswith(entry[at + len(match.strip()) :])
        assert content in result


@pytest.mark.parametrize(
    ("entry", "after", "counts"),
    [
        ("- Tea\n- Milk", "- Milk\n- Tea", (0, 0, 2)),
        ("- Tea is hot\n- Milk", "Tea is hot; Milk", (0, 1, 2)),
        ("one fact", "", (1, 0, 1)),
        ("", "one fact", (0, 0, 0)),
    ],
)
def test_text_lines_lost(entry: str, after: str, counts: tuple[int, int, int]) -> None:
    assert text_lines_lost(entry, after) == counts


@given(st.text(max_size=200), st.text(max_size=200))
def test_lines_lost_never_exceed_the_lines(entry: str, after: str) -> None:
    gone, changed, total = text_lines_lost(entry, after)
    assert gone + changed <= total
    assert text_lines_lost(entry, entry)[:2] == (0, 0)


def test_shrinking_below_half() -> None:
    assert shrinks_below_half("abcdef", "ab")
    assert not shrinks_below_half("abcd", "ab")
    assert not shrinks_below_half("", "")


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=80))
def test_ascii_is_cut_alike_by_the_quick_patterns(text: str) -> None:
    """They only leave out what no ASCII text can hold."""
    assert [found.span() for found in losses._ASCII_WORD.finditer(text)] == [
        found.span() for found in losses._WORD.finditer(text)
    ]
    assert scripts._ASCII_PIECES.findall(text) == scripts._PIECES.findall(text)


RG = "ripgrep is installed as rg; fd is called fdfind on juniper."


@pytest.mark.parametrize(
    ("entry", "match", "taken"),
    [
        (RG, "ripgrep is installed as rg", ("fd is called fdfind on juniper.",)),
        (RG, "rg", ("fd is called fdfind on juniper.",)),
        (RG, "fd is called fdfind", ("ripgrep is installed as rg",)),
        ("Uses zsh", "zsh", ()),
        ("Uses zsh", "Uses zsh", ()),
        ("a; b; c", "a", ()),
        ("Uses zsh; likes tea", "tee", ()),
    ],
)
def test_facts_that_a_removal_takes_along_are_those_beside_its_match(
    entry: str, match: str, taken: tuple[str, ...]
) -> None:
    assert losses.facts_outside(entry, match) == taken


def test_a_fact_that_the_proposal_writes_elsewhere_is_not_taken_along() -> None:
    assert losses.facts_outside(RG, "ripgrep is installed as rg", ["On juniper fd is called fdfind."]) == ()
    assert losses.facts_outside(RG, "ripgrep is installed as rg", ["Likes tea."]) != ()


def test_facts_beside_the_match_are_counted_clause_by_clause() -> None:
    assert len(losses.facts_outside(HOME, "Bins: Tuesday evening")) == 4
    assert len(losses.facts_outside(NET, "web port 8080")) == 2


@pytest.mark.parametrize(
    ("entry", "match", "left"),
    [
        (RG, "ripgrep is installed as rg", "fd is called fdfind on juniper."),
        (RG, "fd is called fdfind on juniper", "ripgrep is installed as rg"),
        ("Likes tea, coffee and milk", "coffee", "Likes tea and milk"),
        ("Likes tea, coffee and milk", "and milk", "Likes tea, coffee"),
        ("Home:\n- tea time\n- milk white", "tea time", "Home:\n- milk white"),
        ("Uses zsh. Likes tea. Has a dog.", "Likes tea.", "Uses zsh. Has a dog."),
        ("Uses zsh. Likes tea. Has a dog.", "Uses zsh. Likes tea.", "Has a dog."),
        (RG, "ripgrep", None),
        (RG, RG, None),
        ("tea; milk; tea", "tea", None),
        ("Uses zsh; likes tea", "tee", None),
    ],
)
def test_a_removal_of_whole_clauses_can_leave_the_rest_of_the_entry(entry: str, match: str, left: str | None) -> None:
    assert losses.meant_only(entry, match) == left
