"""Actors in words: you, a name, or a kind; nothing of a name acts on a terminal."""

from __future__ import annotations

import pytest

from curator_tui.core.actors import actor_words, counted_actors
from curator_tui.core.requests import OUTSIDE, Actor, ActorKind

ANA = Actor(ActorKind.PERSON, "ana", "tui")


@pytest.mark.parametrize(
    ("actor", "words"),
    [
        (ANA, "you"),
        (Actor(ActorKind.PERSON, "ana", "web"), "you"),
        (Actor(ActorKind.PERSON, "ben", "tui"), "ben"),
        (Actor(ActorKind.POLICY, "ana", "tui"), "ana"),
        (OUTSIDE, "outside"),
        (Actor(ActorKind.PERSON, "e\x1b[2J", "cli"), "e⟨ESC⟩[2J"),
    ],
)
def test_whoever_looks_is_you_and_others_have_their_name(actor: Actor, words: str) -> None:
    assert actor_words(actor, ANA) == words


def test_rows_are_counted_under_the_names_that_rows_have() -> None:
    counts = {("outside", ""): 2, ("person", "ben"): 3, ("person", "ana"): 12}
    assert list(counted_actors(counts, ANA).items()) == [("you", 12), ("ben", 3), ("outside", 2)]
