"""Namesakes in a database: people of a tenant whose names are read as one.

Here: finding them, for one name by an index and for all by going through them. Not here: what makes two names alike
(``core.namesakes``). Whoever sees one memory only finds nobody: the policies of a server see to that.
"""

from __future__ import annotations

from curator_tui.core.namesakes import likeness, namesakes
from curator_tui.core.text import visible
from curator_tui.stores.book.db import ReadDb
from curator_tui.stores.sql.scopes import Whose

_NAMED = 5
_LIKE = """
    SELECT DISTINCT user_id FROM memory_scopes WHERE tenant_id = :tenant AND likeness = :likeness AND user_id <> :user
    ORDER BY user_id LIMIT :count
"""
_ALL = """
    SELECT user_id FROM memory_scopes WHERE tenant_id = :tenant
    UNION SELECT user_id FROM agent_memory WHERE tenant_id = :tenant
"""


def namesakes_of(reader: ReadDb, mine: Whose) -> tuple[str, ...]:
    """Return in words the others whose names are read as this one; those with a memory that we ever changed."""
    found = reader.all(_LIKE, tenant=mine.tenant, likeness=likeness(mine.user), user=mine.user, count=_NAMED)
    if not found:
        return ()
    others = ", ".join(_quoted(str(name)) for (name,) in found)
    return (f"{_quoted(mine.user)} is easily taken for somebody else: {others}",)


def all_namesakes(reader: ReadDb, tenant: str) -> tuple[str, ...]:
    """Return in words all people of a tenant whose names are read as one."""
    names = (str(name) for (name,) in reader.all(_ALL, tenant=tenant))
    return tuple(f"easily taken for each other: {', '.join(map(_quoted, group))}" for group in namesakes(names))


def _quoted(name: str) -> str:
    """Return a name so that blanks at its ends and letters of other scripts are seen."""
    shown = visible(name, newlines=False)
    strange = sorted({f"U+{ord(char):04X}" for char in name if not char.isascii()})
    return f"'{shown}'{f' ({chr(32).join(strange[:_NAMED])})' if strange else ''}"
