"""Bounds: what a statement may reach, said to the database with every transaction.

Here: the value, and the settings in which the policies of a server find it (``policies``). Not here: the policies, who
may be bound to what. A file has no policies; what it answers is held by the statements alone.

A setting begins with ``=``, so that an empty name (the one tenant of a database that has no others) is something else
than a setting that was never made, or was made in a transaction that is over: a server gives both back as empty.
"""

from __future__ import annotations

from msgspec import Struct

# They travel in front of the statements they are for, in the same journey and the same transaction, and end with it.
BIND = """
    SELECT set_config('memory.tenant', :tenant, true), set_config('memory.user', :user, true),
        set_config('memory.agent', :agent, true)
"""


class Bound(Struct, frozen=True):
    """What may be reached: one scope, all of a tenant, or nothing that belongs to anybody.

    Attributes:
        tenant: the tenant; None for none.
        user: the person; None for all of the tenant.
        agent: the agent, empty for what all agents share; None for all of them.
    """

    tenant: str | None = None
    user: str | None = None
    agent: str | None = None

    @property
    def settings(self) -> dict[str, str]:
        """The values of :data:`BIND`."""
        parts = {"tenant": self.tenant, "user": self.user, "agent": self.agent}
        return {name: "" if value is None else f"={value}" for name, value in parts.items()}


NOTHING = Bound()
"""What belongs to nobody: versions, settings and the tables themselves."""
