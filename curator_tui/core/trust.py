"""Trust: how far a person trusts an agent, as a word that stands beside everything the agent wrote.

Here: the words, what each means, who was judged. Not here: where that is kept (the stores). A word is no rule: nothing
leads from it to a write, and nothing is kept from anybody because of it.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Trust(StrEnum):
    """How far an agent is trusted."""

    TRUSTED = "trusted"
    WATCHED = "watched"
    DISTRUSTED = "distrusted"


MEANINGS = {
    Trust.TRUSTED: "what it wrote so far was right",
    Trust.WATCHED: "new, or changed: look closely",
    Trust.DISTRUSTED: "it wrote what was not true, or was misled",
}
"""What a person says with each word."""


class Judged(Struct, frozen=True):
    """An agent of a tenant.

    Attributes:
        name: as it stands on what it wrote.
        trust: how far it is trusted, None where nobody said, or said a word that is not known.
        by: who said so, empty for nobody.
        waiting: how many proposals of it wait.
    """

    name: str
    trust: Trust | None = None
    by: str = ""
    waiting: int = 0
