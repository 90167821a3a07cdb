"""Facts about a server: whom it let in, what it keeps through a power cut, where it notes what it refused.

Here: asking and putting into words. Not here: what follows from it (``opening``, ``curator.authority``, ``checking``).
"""

from __future__ import annotations

from collections.abc import Iterator

from curator_tui.core.counting import counted
from curator_tui.core.operations import Problem
from curator_tui.core.text import visible
from curator_tui.stores.book.db import ReadDb
from curator_tui.stores.sql.database import Login
from curator_tui.stores.sql.roles import CURATOR, PROPOSERS, ROLES

_SETTINGS = "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes')"
# A group counts whose rights the login has without asking; whoever made the groups may only give them away.
_LOGIN = """
    SELECT CAST(session_user AS text),
        ARRAY(SELECT CAST(r.rolname AS text) FROM pg_roles r
            WHERE r.rolname = ANY(:groups) AND pg_has_role(session_user, r.oid, 'USAGE')),
        COALESCE((SELECT pg_has_role(session_user, c.relowner, 'USAGE') FROM pg_class c
            WHERE c.oid = to_regclass('memory_scopes')), false),
        COALESCE((SELECT bool_or(r.rolsuper OR r.rolbypassrls) FROM pg_roles r
            WHERE r.rolname IN (session_user, current_user)), false)
"""
_LOGGED = """
    SELECT current_setting('log_min_messages'), current_setting('log_destination'),
        current_setting('log_min_error_statement')
"""
_HELD = r"""
    SELECT count(*) FILTER (WHERE relrowsecurity AND relforcerowsecurity), count(*) FROM pg_class
    WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind IN ('r', 'p') AND NOT relispartition
        AND (relname LIKE 'memory\_%' OR relname = 'agent_memory') AND relname <> 'memory_schema'
"""
_BOTH = """
    SELECT r.rolname FROM pg_roles r WHERE r.rolcanlogin AND NOT r.rolsuper
    AND EXISTS (SELECT 1 FROM pg_roles g WHERE g.rolname = ANY(:agents) AND pg_has_role(r.oid, g.oid, 'USAGE'))
    AND EXISTS (SELECT 1 FROM pg_roles g WHERE g.rolname = :decider AND pg_has_role(r.oid, g.oid, 'USAGE'))
    ORDER BY r.rolname
"""
# Levels of a log that leave errors out.
_SILENT = frozenset({"fatal", "panic"})


def login_of(reader: ReadDb) -> Login | None:
    """Return whom a server let in."""
    found = reader.one(_LOGIN, groups=list(ROLES))
    return None if found is None else Login(str(found[0]), frozenset(found[1]), bool(found[2]), bool(found[3]))


def holding_problems(reader: ReadDb) -> Iterator[Problem]:
    """Yield what of the roles and policies does not hold; nothing where none were ever installed."""
    found = reader.one(_HELD)
    held, every = (0, 0) if found is None else (int(found[0]), int(found[1]))
    if 0 < held < every:
        words = f"{counted(every - held, 'table')} of {every} keep no memories apart; run again: curator-tui db grants"
        yield Problem("policies-missing", words)
    for (name,) in reader.all(_BOTH, agents=sorted(PROPOSERS), decider=CURATOR):
        words = f"the login {visible(str(name), newlines=False)} proposes as an agent and decides as a curator"
        yield Problem("agent-decides", words)


def holding_notes(reader: ReadDb) -> tuple[str, ...]:
    """Return that nothing keeps memories apart, where that is so."""
    found = reader.one(_HELD)
    if found is None or found[0] or not found[1]:
        return ()
    return ("only whoever keeps the tables can use them, and no policy keeps memories apart: curator-tui db grants",)


def power_notes(reader: ReadDb) -> tuple[str, ...]:
    """Return which settings of a server let a power cut take what was acknowledged.

    ``synchronous_commit`` is not among them: that one is set for each connection of ours.
    """
    return tuple(
        f"the server runs with {name} {setting}: a power cut may take what it acknowledged"
        for name, setting in reader.all(_SETTINGS)
        if setting == "off"
    )


def refusal_notes(reader: ReadDb) -> tuple[str, ...]:
    """Return in words where the attempts are found that a server refused by itself."""
    found = reader.one(_LOGGED)
    if found is None:
        return ()
    level, destination, statements = map(str, found)
    if level in _SILENT:
        return (f"the server notes no attempt that it refuses: its log_min_messages is {level}",)
    without = ", without the statements" if statements in _SILENT else ""
    where = f"in the server's log ({destination}{without}): look for 'permission denied' and 'row-level security'"
    return (f"attempts that PostgreSQL refused by itself are in no ledger but {where}",)
