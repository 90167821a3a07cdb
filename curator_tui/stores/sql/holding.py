"""Holding: which memory a login of a server may speak of at all, whatever its program says.

Here: the rows of ``memory_bindings``, written by whoever keeps the tables. Not here: the policies that look there
(``policies``).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, text

from curator_tui.core.errors import UsageError, WriteFailed
from curator_tui.core.text import visible
from curator_tui.stores.sql.addresses import Address
from curator_tui.stores.sql.scopes import NAME_LENGTH
from curator_tui.stores.sql.upgrading import connected

_FOUND = """
    SELECT tenant_id, user_id, agent_id, any_agent FROM memory_bindings WHERE role = :role
    ORDER BY tenant_id, user_id, agent_id, any_agent
"""
_ADD = """
    INSERT INTO memory_bindings (role, tenant_id, user_id, agent_id, any_agent)
    VALUES (:role, :tenant, :user, :agent, :any_agent) ON CONFLICT DO NOTHING
"""


def hold(address: Address, role: str, whose: tuple[str, str | None, str] | None) -> tuple[str, ...]:
    """Hold a login to some memory besides what it is held to, or let go of all; return what it is held to now.

    Args:
        address: a database of a server.
        role: the login.
        whose: tenant, person (None for all) and agent, which without a person may be empty for all; None to let go.

    Raises:
        UsageError: it is a file, or there is no such login.
        StoreError: it cannot be done; nothing was changed.
    """
    if address.dialect != "postgresql":
        raise UsageError("a file knows no logins: whoever may open it may do everything.", way_out="Use a server.")
    if whose is not None and any(len(name or "") > NAME_LENGTH or "\0" in (name or "") for name in whose):
        raise UsageError(f"a name is longer than {NAME_LENGTH} characters, or no text.")
    with connected(address) as connection:
        _require(connection, address.label, role)
        if whose is None:
            connection.execute(text("DELETE FROM memory_bindings WHERE role = :role"), {"role": role})
        else:
            tenant, user, agent = whose
            values = {"tenant": tenant, "user": user or "", "agent": agent, "any_agent": int(not user and not agent)}
            connection.execute(text(_ADD), {"role": role, **values})
        return tuple(_words(row) for row in connection.execute(text(_FOUND), {"role": role}))


def _require(connection: Connection, label: str, role: str) -> None:
    """Make sure that there is such a login, and that whoever is in may say what it is held to."""
    found = connection.execute(
        text(
            "SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = :role), "
            "has_table_privilege('memory_bindings', 'INSERT'), current_user"
        ),
        {"role": role},
    ).one()
    if not found[1]:
        raise WriteFailed(f"{visible(str(found[2]))} does not keep the tables of {label}; nothing was changed.")
    if not found[0]:
        raise UsageError(f"{label} has no login {visible(role, newlines=False)}.", way_out="CREATE ROLE … LOGIN first.")


def _words(row: Any) -> str:
    tenant, user, agent, any_agent = row
    whose = f"the memory of {user}" if user else "everybody"
    more = f", agent {agent}" if agent else "" if any_agent else ", what all agents share"
    return visible(f"{whose} in tenant {tenant or '(none)'}{more}", newlines=False)
