"""Facts about a server: whom it let in, what it keeps through a power cut, where it notes what it refused.

Here: asking and putting into words. Not here: what follows from it (``opening``, ``curator.authority``, ``checking``).
"""

from __future__ import annotations

from curator_tui.stores.book.db import ReadDb
from curator_tui.stores.sql.database import Login
from curator_tui.stores.sql.roles import ROLES

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
# Levels of a log that leave errors out.
_SILENT = frozenset({"fatal", "panic"})


def login_of(reader: ReadDb) -> Login | None:
    """Return whom a server let in."""
    found = reader.one(_LOGIN, groups=list(ROLES))
    return None if found is None else Login(str(found[0]), frozenset(found[1]), bool(found[2]), bool(found[3]))


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
