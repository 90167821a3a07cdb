"""Whether a message names what an item holds: a request to remember is no proof of anything."""

from __future__ import annotations

import pytest

from curator_tui.core.documents import Target
from curator_tui.core.named_facts import names_fact, texts_of
from curator_tui.core.operations import Action, Operation
from curator_tui.core.proposals import Proposal


@pytest.mark.parametrize(
    ("said", "text", "named"),
    [
        ("Please keep this in mind", "Lives in Lisbon", False),
        ("ok, remember that", "Prefers short answers", False),
        ("By the way, I moved to Lisbon", "Lives in Lisbon", True),
        ("ich wohne jetzt in Lissabon", "Wohnt in Lissabon", True),
        ("my answers should be short", "Prefers a shorter answer", True),
        ("the nas listens on 8081 now", "port is 8080", False),
        ("port 8080", "[nas] port 8080", True),
        ("我住在上海", "上海に住んでいる", True),
        ("We have two cats", "Has a cat", True),
        ("please use python3", "Uses python 3.12", True),
        ("", "Lives in Lisbon", False),
        ("anything", "the of and", True),
    ],
)
def test_a_message_names_a_fact_where_it_shares_a_word_that_carries_one(said: str, text: str, named: bool) -> None:
    assert names_fact(said, [text]) is named


def test_every_text_of_an_item_counts() -> None:
    steps = (
        Operation(Action.ADD, Target.USER, content="Has a cat"),
        Operation(Action.REMOVE, Target.MEMORY, match="port", pin="[nas] port 8080"),
    )
    assert texts_of(Proposal("a", "", steps)) == ("Has a cat", "[nas] port 8080", "port")
    assert names_fact("the cat is called Tom", texts_of(Proposal("a", "", steps)))


def test_a_message_of_any_length_is_looked_at_quickly() -> None:
    assert not names_fact("please keep this in mind " * 100_000, ["Lives in Lisbon"])
