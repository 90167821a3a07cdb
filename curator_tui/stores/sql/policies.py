"""Policies: which rows of a table a transaction reaches, by what it is bound to (``bounds``) and by who logged in.

Here: the statements, made from the tables as ``schema`` has them. Not here: who may use a table at all (``roles``).

Every table is held by at least one policy for everybody, its owner included: rows of the tenant that the transaction is
bound to, and where it is bound to a person, only theirs. Bound to nothing, it finds nothing and can add nothing. The
settings say what a transaction is about; who may say what is said by ``memory_bindings``, and a login that stands there
is held to it whatever it sets. A subject has to stand there.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Table

from curator_tui.stores.sql.roles import AGENT, ONE_SCOPE, PROPOSERS, SERVICE, SUBJECT
from curator_tui.stores.sql.schema import metadata

BINDINGS = "memory_bindings"


def _setting(name: str) -> str:
    return f"substr(nullif(current_setting('memory.{name}', true), ''), 2)"


TENANT, USER, AGENT_NAME = _setting("tenant"), _setting("user"), _setting("agent")
_SCOPE = (
    f"SELECT s.scope FROM memory_scopes s WHERE s.tenant_id = {TENANT} AND s.user_id = {USER} "
    f"AND s.agent_id = {AGENT_NAME}"
)
_MINE = f"SELECT 1 FROM {BINDINGS} b WHERE b.role = session_user::text"
_HELD = (
    f"{_MINE} AND b.tenant_id = {TENANT} AND (b.user_id = '' OR b.user_id = {USER}) "
    f"AND (b.any_agent = 1 OR b.agent_id = {AGENT_NAME})"
)
_BY_ROLE = f"NOT EXISTS ({_MINE}) OR EXISTS ({_HELD})"


def tables() -> tuple[Table, ...]:
    """Return every table that belongs to a tenant, a person or a scope."""
    return tuple(table for _, table in sorted(metadata.tables.items()))


def reached(table: Table) -> str:
    """Return which rows of a table are within what a transaction is bound to.

    Raises:
        ValueError: nothing in a row says whose it is.
    """
    columns = table.columns.keys()
    if "user_id" in columns:
        person = f"user_id = {USER} AND ({AGENT_NAME} IS NULL OR agent_id = {AGENT_NAME})"
        return f"tenant_id = {TENANT} AND ({USER} IS NULL OR {person})"
    if "tenant_id" in columns:
        return f"tenant_id = {TENANT}"
    if "scope" not in columns:
        raise ValueError(f"nothing says whose a row of {table.name} is")
    # the second half is asked for each row, and only where a whole tenant is looked at
    every = f"EXISTS (SELECT 1 FROM memory_scopes s WHERE s.scope = {table.name}.scope AND s.tenant_id = {TENANT})"
    return f"scope = ({_SCOPE}) OR ({USER} IS NULL OR {AGENT_NAME} IS NULL) AND {every}"


def policy_statements(owner: str) -> Iterator[str]:
    """Yield what puts every policy in the place of the one of its name that may be there.

    Args:
        owner: whoever keeps the tables, as an identifier.
    """
    for table in tables():
        name = table.name
        yield f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY"
        yield f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY"
        if name == BINDINGS:
            yield from _policy(name, "memory_own", "FOR SELECT USING (role = session_user::text)")
            yield from _policy(name, "memory_keeper", f"TO {owner} USING (true)")
            continue
        yield from _policy(name, "memory_bound", f"USING ({reached(table)})")
        yield from _policy(name, "memory_login", f"AS RESTRICTIVE USING ({_BY_ROLE})")
        yield from _policy(name, "memory_subject", f"AS RESTRICTIVE TO {SUBJECT} USING (EXISTS ({_HELD}))")
        one = f"{USER} IS NOT NULL AND {AGENT_NAME} IS NOT NULL"
        yield from _policy(name, "memory_scope", f"AS RESTRICTIVE TO {', '.join(ONE_SCOPE)} USING ({one})")
    own = "written_by = session_user::text"
    proposers = ", ".join(sorted(PROPOSERS))
    yield from _policy("memory_proposals", "memory_writer", f"AS RESTRICTIVE TO {proposers} USING ({own})")
    shared = f"tenant_id = {TENANT} AND user_id = {USER} AND agent_id = ''"
    yield from _policy("agent_memory", "memory_shared", f"FOR SELECT TO {AGENT}, {SERVICE} USING ({shared})")


def _policy(table: str, name: str, rest: str) -> Iterator[str]:
    yield f"DROP POLICY IF EXISTS {name} ON {table}"
    yield f"CREATE POLICY {name} ON {table} {rest}"
