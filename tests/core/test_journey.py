"""Journey ids: the ones Hermes 0.19.0 shows (seen with ``hermes journey --json``), and names a person may give."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.documents import Target, entry_id, parse, unreadable
from curator_tui.core.errors import UnknownItem
from curator_tui.core.journey import cards, journey_ids, resolve


def documents(memory: bytes | None, user: bytes | None = b"u1"):
    return {Target.MEMORY: parse(Target.MEMORY, memory), Target.USER: parse(Target.USER, user)}


D = "\n§\n".encode()


@pytest.mark.parametrize(
    ("memory", "shown", "first_of_user"),
    [
        (b"apple" + D + b"banana", ["apple", "banana"], 2),
        (
            b"apple\n\xc2\xa7\n\n\xc2\xa7\nbanana" + D + b"apple" + D + b"cherry",
            ["apple", "banana", "apple", "cherry"],
            4,
        ),
        (b"apple\r\n\xc2\xa7\r\nbanana", ["apple", "banana"], 2),
        (b"apple" + D + b"banana" + D, ["apple", "banana\n§"], 2),
        (D + b"apple" + D + b"banana", ["§\napple", "banana"], 2),
        ("a\n§\n\u200b\n§\nb".encode(), ["a", "\u200b", "b"], 3),
        (b"", [], 0),
        (None, [], 0),
    ],
)
def test_cards_are_cut_and_counted_as_hermes_counts_them(memory: bytes | None, shown: list[str], first_of_user: int):
    both = documents(memory)
    assert list(cards(both[Target.MEMORY])) == shown
    assert journey_ids(both)[Target.USER] == (f"memory:profile:{first_of_user}",)


def test_each_entry_has_the_id_of_its_first_card():
    both = documents(b"a" + D + b"b" + D + b"a" + D + b"c", b"u" + D + b"v")
    ids = journey_ids(both)
    assert ids[Target.MEMORY] == ("memory:memory:0", "memory:memory:1", "memory:memory:3")
    assert ids[Target.USER] == ("memory:profile:4", "memory:profile:5")
    assert resolve("memory:memory:2", both) == (Target.MEMORY, "a")
    assert resolve("memory:profile:5", both) == (Target.USER, "v")


def test_a_card_that_is_no_entry_is_refused_instead_of_its_neighbour():
    both = documents(D + b"apple" + D + b"banana")
    assert both[Target.MEMORY].entries == ("apple", "banana")
    assert journey_ids(both)[Target.MEMORY] == ("", "memory:memory:1")
    with pytest.raises(UnknownItem, match=r"cuts MEMORY\.md differently"):
        resolve("memory:memory:0", both)
    assert resolve("memory:memory:1", both) == (Target.MEMORY, "banana")


@pytest.mark.parametrize("reference", ["memory:memory:2", "memory:profile:0", "memory:profile:9"])
def test_an_id_of_no_card_is_stale(reference: str):
    with pytest.raises(UnknownItem, match="is stale"):
        resolve(reference, documents(b"a" + D + b"b"))


def test_behind_a_document_that_cannot_be_read_no_count_is_known():
    both = {**documents(None), Target.MEMORY: unreadable(Target.MEMORY, "no permission")}
    assert journey_ids(both)[Target.USER] == ("",)
    with pytest.raises(UnknownItem, match="cannot be read"):
        resolve("memory:profile:0", both)
    with pytest.raises(UnknownItem, match="cannot be read"):
        resolve("memory:memory:0", documents(b"\xff"))


def test_an_entry_is_found_by_id_by_a_beginning_of_it_and_by_its_text():
    both = documents("apple\n§\nbänana".encode(), b"cherry")
    for text, target in (("apple", Target.MEMORY), ("bänana", Target.MEMORY), ("cherry", Target.USER)):
        assert resolve(entry_id(text), both) == (target, text)
        assert resolve(entry_id(text)[:6], both) == (target, text)
        assert resolve(f" {text}\n", both) == (target, text)


@pytest.mark.parametrize(
    "reference", ["", "app", "nothing", "abc", "0000", "memory:other:1", "memory:memory:x", "\x1b[2J"]
)
def test_a_name_of_nothing_says_so_and_is_shown_safely(reference: str):
    with pytest.raises(UnknownItem, match="no entry has") as caught:
        resolve(reference, documents(b"apple"))
    assert caught.value.exit_code == 2
    assert "\x1b" not in str(caught.value)


def test_a_text_that_stands_in_both_documents_is_ambiguous():
    with pytest.raises(UnknownItem, match="names 2 entries"):
        resolve("same", documents(b"same", b"same"))
    with pytest.raises(UnknownItem, match="names 2 entries"):
        resolve(entry_id("same"), documents(b"same", b"same"))


def test_an_entry_whose_text_looks_like_an_id_is_found_by_its_text_first():
    lookalike = entry_id("apple")
    both = documents(b"apple", lookalike.encode())
    assert resolve(lookalike, both) == (Target.USER, lookalike)


@pytest.mark.parametrize("digest", [hashlib.sha256, hashlib.sha1])
def test_a_fingerprint_counts_only_where_it_is_a_digest_of_the_text(digest):
    both = documents(b"apple" + D + b"banana")
    fingerprint = digest(b"banana").hexdigest()[:12]
    assert resolve(f"memory:memory:0:{fingerprint}", both) == (Target.MEMORY, "banana")
    for reference in (
        f"memory:profile:2:{fingerprint}",
        "memory:memory:1:0123456789ab",
        f"memory:memory:1:{fingerprint[:4]}",
    ):
        with pytest.raises(UnknownItem, match="fingerprint"):
            resolve(reference, both)


TEXTS = st.text(st.sampled_from("ab§\n\r \u200b"), max_size=30)


@given(TEXTS, TEXTS)
def test_an_id_that_is_shown_always_leads_back_to_its_entry(memory: str, user: str):
    both = documents(memory.encode(), user.encode())
    ids = journey_ids(both)
    for target, document in both.items():
        assert len(ids[target]) == len(document.entries)
        for reference, entry in zip(ids[target], document.entries, strict=True):
            if reference:
                assert resolve(reference, both) == (target, entry)
