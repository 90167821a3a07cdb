"""Names of items where all people of a tenant are listed: the beginning of the name of the scope, and the item's id.

Here: making one. Not here: finding the scope that is meant (``tenant_store``). The name of a scope is random, so that
so many letters of it mean one, and say nothing about whose it is.
"""

from __future__ import annotations

SHORT = 12


def name_of(scope: str, item: str) -> str:
    """Return the name of an item of a scope."""
    return f"{scope[:SHORT]}.{item}"
