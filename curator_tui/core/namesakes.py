"""Namesakes: names of people that a person would read as one and the same.

Here: what such names have in common. Not here: who is called what (the stores), what is said about it (the surfaces).

Two names that differ only by blanks, case, invisible characters or letters that look like each other are two people to
a database, and one to whoever reads them: a decision lands in the wrong memory, or somebody was made to look like
somebody else. They are pointed out, and never taken for each other.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from curator_tui.core.normal import normal

# Letters of Cyrillic, Greek and others that are drawn as a Latin one (after case folding), and what is taken for each
# other in Latin itself. No language is written with these next to what they look like.
_ALIKE = str.maketrans(
    {
        **dict(zip("авеѕіјкмнорсԁһԛтухѡүьԍ", "abesijkmhopcdhqtyxwyb6", strict=True)),
        **dict(zip("αβγεικνορτυχωϲϳ", "abyeikvoptuxwcj", strict=True)),
        **dict(zip("օսոհ", "ounh", strict=True)),
        **dict.fromkeys("0", "o"),
        **dict.fromkeys("1|ıіι!", "l"),
        "i": "l",
        **dict.fromkeys("‐‑‒–—―−­_", "-"),
        **dict.fromkeys("’ʼ‘`´ʹ′", "'"),
    }
)
_DROPPED = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Mn"})
_PAIRS = (("rn", "m"), ("vv", "w"))


def likeness(name: str) -> str:
    """Return what all names have in common that are read as this one."""
    folded = normal("NFKC", normal("NFKC", name).casefold())
    kept = "".join(char for char in folded if unicodedata.category(char) not in _DROPPED or unicodedata.combining(char))
    found = kept.translate(_ALIKE)
    for pair, one in _PAIRS:
        found = found.replace(pair, one)
    return found


def namesakes(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the groups of different names that are read as one, each and all in the order of their code points."""
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for name in names:
        groups[likeness(name)].add(name)
    return sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1)
