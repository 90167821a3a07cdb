"""Policies: which rows of a table a transaction reaches, by what it is bound to (``bounds``) and by who logged in.

Here: the statements, made from the tables as ``schema`` has them. Not here: who may use a table at all (``roles``).

Every table is held by a policy for everybody, its owner included: rows of the tenant that the transaction is bound to,
and where it is bound to a person, only theirs. Bound to nothing, it finds nothing and can add nothing. The settings say
what a transaction is about; who may say what is said by ``memory_bindings``, and a login that stands there is held to
that whatever it sets. A subject has to stand there.

What is the same for every row is asked once for each statement, of functions that keep their plans: written out in each
policy it made planning take longer than all the rest of a decision.
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
_OWN = f"FROM {BINDINGS} b WHERE b.role = session_user::text"
# Whether the login may speak of what the transaction is bound to.
_ALLOWED = (
    f"CASE WHEN EXISTS (SELECT 1 {_OWN}) THEN EXISTS (SELECT 1 {_OWN} AND b.tenant_id = {TENANT} "
    f"AND (b.user_id = '' OR b.user_id = {USER}) AND (b.any_agent = 1 OR b.agent_id = {AGENT_NAME})) "
    f"ELSE {TENANT} IS NOT NULL AND NOT pg_has_role(session_user, '{SUBJECT}', 'USAGE') END"
)
# The one scope it is bound to. Whoever keeps the tables may pass by the policies, so the same is asked here again.
_MINE = (
    f"SELECT s.scope FROM memory_scopes s WHERE s.tenant_id = {TENANT} AND s.user_id = {USER} "
    f"AND s.agent_id = {AGENT_NAME} AND {_ALLOWED}"
)
_FUNCTIONS = {"memory_allowed() RETURNS boolean": _ALLOWED, "memory_scope() RETURNS text": f"({_MINE})"}


def tables() -> tuple[Table, ...]:
    """Return every table that belongs to a tenant, a person or a scope."""
    return tuple(table for _, table in sorted(metadata.tables.items()))


def function_statements(schema: str) -> Iterator[str]:
    """Yield what makes the functions that policies ask.

    Args:
        schema: where the tables are, as an identifier.
    """
    for head, expression in _FUNCTIONS.items():
        yield f"""
            CREATE OR REPLACE FUNCTION {head} LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE
            SET search_path = pg_catalog, {schema}, pg_temp AS $$ BEGIN RETURN {expression}; END $$
        """


def reached(table: Table) -> str:
    """Return which rows of a table are within what a transaction is bound to.

    Raises:
        ValueError: nothing in a row says whose it is.
    """
    columns = table.columns.keys()
    # a function that asks the scopes has planned this already
    allowed = f"{_ALLOWED if table.name == 'memory_scopes' else '(SELECT memory_allowed())'} AND tenant_id = {TENANT}"
    if "user_id" in columns:
        person = f"user_id = {USER} AND ({AGENT_NAME} IS NULL OR agent_id = {AGENT_NAME})"
        return f"{allowed} AND ({USER} IS NULL OR {person})"
    # what a whole tenant is looked at for says which tenant, so that no row of others is asked for its scope
    wide = f"({USER} IS NULL OR {AGENT_NAME} IS NULL)"
    if "tenant_id" in columns and "scope" in columns:
        # asked once, and so guessed to hold for half of the rows: else a server goes through all of them for a page
        return f"{allowed} AND ((SELECT {wide}) OR scope = (SELECT memory_scope()))"
    if "tenant_id" in columns:
        return allowed
    if "scope" not in columns:
        raise ValueError(f"nothing says whose a row of {table.name} is")
    # the second half is asked for each row, and only where a whole tenant is looked at; what it asks is held itself
    every = f"EXISTS (SELECT 1 FROM memory_scopes s WHERE s.scope = {table.name}.scope)"
    return f"scope = (SELECT memory_scope()) OR {wide} AND {every}"


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
        one = f"{USER} IS NOT NULL AND {AGENT_NAME} IS NOT NULL"
        yield from _policy(name, "memory_scope", f"AS RESTRICTIVE TO {', '.join(ONE_SCOPE)} USING ({one})")
    own = "written_by = session_user::text"
    proposers = ", ".join(sorted(PROPOSERS))
    yield from _policy("memory_proposals", "memory_writer", f"AS RESTRICTIVE TO {proposers} USING ({own})")
    # nobody notes an approval in the name of somebody else
    yield from _policy(
        "memory_approvals", "memory_noter", "AS RESTRICTIVE FOR INSERT WITH CHECK (noted_by = session_user::text)"
    )
    shared = f"(SELECT memory_allowed()) AND tenant_id = {TENANT} AND user_id = {USER} AND agent_id = ''"
    yield from _policy("agent_memory", "memory_shared", f"FOR SELECT TO {AGENT}, {SERVICE} USING ({shared})")


def _policy(table: str, name: str, rest: str) -> Iterator[str]:
    yield f"DROP POLICY IF EXISTS {name} ON {table}"
    yield f"CREATE POLICY {name} ON {table} {rest}"
