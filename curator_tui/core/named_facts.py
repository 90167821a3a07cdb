"""Named facts: whether a message says anything of what an item holds, or only asks that something be remembered.

Here: one rule on words, the same as the rule of lost facts uses. Not here: finding the message (``evidence``), what the
surfaces say of it. Like every rule on words it knows no meaning: a message that names the fact in other words counts as
one that names none, so it is said of a message and never decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from curator_tui.core.losses import words
from curator_tui.core.proposals import Proposal

NO_FACT = "no fact named here"
_LONGEST = 20_000
"""Code points of a message that are looked at."""
_STEM, _SHARE = 4, 0.6


def texts_of(proposal: Proposal) -> tuple[str, ...]:
    """Return the texts that say what an item is about: what it would write, and what it would change or remove."""
    steps = proposal.operations
    return tuple(text for step in steps for text in (step.content, step.pin, step.match) if text)


def names_fact(said: str, texts: Iterable[str]) -> bool:
    """Whether a message shares a word that may carry a fact with one of the texts.

    Two words are shared where they are equal, or begin with the same letters that make most of the longer one. Where
    the texts hold no such word nothing can be told, and the message is not spoken ill of.
    """
    known = {word.form for text in texts for word in words(text)}
    if not known:
        return True
    stems: dict[str, set[str]] = {}
    for form in known:
        stems.setdefault(form[:_STEM], set()).add(form)
    return any(_shared(word.form, known, stems) for word in words(said[:_LONGEST]))


def _shared(form: str, known: set[str], stems: dict[str, set[str]]) -> bool:
    if form in known:
        return True
    if len(form) < _STEM or any(letter.isdigit() for letter in form):
        return False
    return any(_alike(form, other) for other in stems.get(form[:_STEM], ()))


def _alike(one: str, other: str) -> bool:
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return same >= _SHARE * max(len(one), len(other))
