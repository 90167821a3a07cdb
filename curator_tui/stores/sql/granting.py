"""Granting: installing the roles of a server, their rights and the policies, in one transaction, again and again.

Here: working out the statements and running them. Not here: what they say (``roles``, ``policies``, ``attempts``), the
logins themselves: a person makes those and grants the groups to them.

Whoever keeps the tables may run it; only making roles that are not there yet needs the right to make roles.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from sqlalchemy import Connection

from curator_tui.core.errors import NoStore, UsageError, WriteFailed
from curator_tui.core.text import visible
from curator_tui.stores.sql.addresses import Address
from curator_tui.stores.sql.attempts import FUNCTION, function_statement
from curator_tui.stores.sql.forcing import forcing_statements
from curator_tui.stores.sql.policies import function_statements, policy_statements, tables
from curator_tui.stores.sql.roles import CURATOR, PRIVACY, ROLES, SERVICE, SUBJECT, rights
from curator_tui.stores.sql.upgrading import connected
from curator_tui.stores.sql.versions import HEAD, UPGRADE, VERSION_TABLE

_EVERYBODY = ", ".join(ROLES)
_COUNTING = """
    SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
    AND p.proname LIKE 'memory\\_%%' AND p.prorettype = 'trigger'::regtype ORDER BY 1
"""
_SEQUENCES = """
    SELECT quote_ident(c.relname) FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace
    AND c.relkind = 'S' AND c.relname LIKE 'memory\\_%%' ORDER BY 1
"""
_KEEPER = """
    SELECT quote_ident(pg_get_userbyid(c.relowner)), pg_has_role(current_user, c.relowner, 'MEMBER'),
        quote_ident(current_schema()), current_user::text,
        (SELECT r.rolsuper OR r.rolcreaterole FROM pg_roles r WHERE r.rolname = current_user)
    FROM pg_class c WHERE c.oid = to_regclass('memory_scopes')
"""


class Granted(Struct, frozen=True):
    """What was installed, or would be.

    Attributes:
        statements: every statement, in order.
        roles: groups that were not there before.
    """

    statements: tuple[str, ...]
    roles: tuple[str, ...]


def grant(address: Address, *, dry_run: bool = False) -> Granted:
    """Install roles, rights and policies; what is there already is put right.

    Args:
        address: a database of a server.
        dry_run: only work out the statements.

    Raises:
        UsageError: it is a file, which knows no roles.
        StoreError: it cannot be done; nothing was changed.
    """
    if address.dialect != "postgresql":
        raise UsageError("a file has no roles: whoever may open it may do everything.", way_out="Use a server.")
    with connected(address) as connection:
        found = _worked_out(connection, address.label, dry_run=dry_run)
        for statement in () if dry_run else found.statements:
            connection.exec_driver_sql(statement.replace("%", "%%"))
    return found


def _worked_out(connection: Connection, label: str, *, dry_run: bool) -> Granted:
    keeper = connection.exec_driver_sql(_KEEPER).one_or_none()
    if keeper is None or connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar() != HEAD:
        raise NoStore(f"{label} has not the tables of this version.", way_out=UPGRADE, code="needs-upgrade")
    owner, keeps, schema, me, makes_roles = keeper
    there = set(connection.exec_driver_sql("SELECT rolname::text FROM pg_roles").scalars())
    missing = tuple(role for role in ROLES if role not in there)
    made = [f"CREATE ROLE {role} NOLOGIN" for role in missing]
    if not keeps and not dry_run:
        raise WriteFailed(
            f"{visible(me)} does not keep the tables of {label}; nothing was changed.",
            way_out=f"Let {visible(owner)} run it, or print the statements with --dry-run.",
        )
    if missing and not makes_roles and not dry_run:
        raise WriteFailed(
            f"{visible(me)} may not make roles; nothing was changed.",
            way_out=f"Let an administrator run: {'; '.join(made)}. Then run it again.",
        )
    statements = (
        *made, *_rights(schema), *function_statements(schema), *forcing_statements(schema), *policy_statements(owner),
        *_functions(connection, schema), *_sequences(connection),
    )  # fmt: skip
    return Granted(statements, missing)


def _rights(schema: str) -> Iterator[str]:
    yield f"GRANT USAGE ON SCHEMA {schema} TO {_EVERYBODY}"
    yield f"GRANT SELECT ON {VERSION_TABLE} TO {_EVERYBODY}"
    for table in tables():
        yield f"REVOKE ALL ON {table.name} FROM PUBLIC, {_EVERYBODY}"
        for role in ROLES:
            if found := rights(role, table.name):
                yield f"GRANT {found} ON {table.name} TO {role}"


def _functions(connection: Connection, schema: str) -> Iterator[str]:
    """Yield what lets the database count for whoever adds a proposal, and refusals be noted, and nothing more."""
    for name in connection.exec_driver_sql(_COUNTING).scalars():
        yield f"ALTER FUNCTION {name} SECURITY DEFINER"
        yield f"ALTER FUNCTION {name} SET search_path = pg_catalog, {schema}, pg_temp"
    yield function_statement(schema)
    yield f"REVOKE ALL ON FUNCTION {FUNCTION} FROM PUBLIC"
    yield f"GRANT EXECUTE ON FUNCTION {FUNCTION} TO {_EVERYBODY}"


def _sequences(connection: Connection) -> Iterator[str]:
    for name in connection.exec_driver_sql(_SEQUENCES).scalars():
        yield f"GRANT USAGE ON SEQUENCE {name} TO {CURATOR}, {PRIVACY}, {SERVICE}, {SUBJECT}"
