"""Named facts: whether a message says anything of what an item holds, or only asks that something be remembered.

Here: one rule on words, the same as the rule of lost facts uses. Not here: finding the message (``evidence``), what the
surfaces say of it. Like every rule on words it knows no meaning: a message that names the fact in other words counts as
one that names none, so it is said of a message and never decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from curator_tui.core.losses import Living, words
from curator_tui.core.proposals import Proposal

NO_FACT = "no fact named here"
_LONGEST = 20_000
"""Code points of a message that are looked at."""


def texts_of(proposal: Proposal) -> tuple[str, ...]:
    """Return the texts that say what an item is about: what it would write, and what it would change or remove."""
    steps = proposal.operations
    return tuple(text for step in steps for text in (step.content, step.pin, step.match) if text)


def names_fact(said: str, texts: Iterable[str]) -> bool:
    """Whether a message shares a word that may carry a fact with one of the texts.

    A word is shared where it would live on in these texts by the rule of lost facts. Where they hold no word that may
    carry a fact nothing can be told, and the message is not spoken ill of.
    """
    known = Living(texts)
    return not known or any(word.form in known for word in words(said[:_LONGEST]))
