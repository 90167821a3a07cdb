"""Roles: the groups that a person grants to the logins of a server, and what each may do with which table.

Here: names and rights as data. Not here: the statements that install them (``granting``), which rows of a table they
may see (``policies``).

No group can log in itself. What is not named here for a group it may not do, whatever its program tries: an agent reads
documents and puts proposals beside them, and nothing it may write is a decision, a document or a row of the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping

AGENT = "memory_agent"
SERVICE = "memory_service"
CURATOR = "memory_curator"
AUDITOR = "memory_auditor"
PRIVACY = "memory_privacy"
SUBJECT = "memory_subject"
ROLES: Mapping[str, str] = {
    AGENT: "reads the documents of its scope and its own proposals, and proposes",
    SERVICE: "an agent that also writes its own finished turns; it decides no proposal",
    CURATOR: "decides, corrects, takes back, in one tenant",
    AUDITOR: "reads everything of one tenant",
    PRIVACY: "reads and erases in one tenant",
    SUBJECT: "one person with their own memory: reads, corrects, removes, disputes",
}
"""What each group is for."""

ONE_SCOPE = (AGENT, SERVICE, SUBJECT)
"""Those that see one whole scope at a time and never a tenant."""
PROPOSERS = frozenset({AGENT, SERVICE})
"""Those whose name stands on what they propose, and who see no proposal of others."""

# One letter a right, in the order of a GRANT.
_RIGHTS = {"S": "SELECT", "I": "INSERT", "U": "UPDATE", "D": "DELETE"}
# Tables that say who may what; whoever keeps the database writes them, and each login finds its own rows by policy.
_KEEPING = {"memory_bindings": "S"}
# The ledger is only ever added to, and what is counted or remembered by the database itself is written by nobody else.
_ANYBODY = {
    "memory_ledger": "SI", "memory_waiting": "S", "memory_written": "SI", "memory_agents": "S", "memory_rules": "S",
    **_KEEPING,
}  # fmt: skip
_ADDED = dict.fromkeys(
    (
        "memory_images", "memory_image_files", "memory_change_documents", "memory_takebacks", "memory_pins",
        "memory_operations", "memory_deferrals", "memory_challenges", "memory_answers",
    ),
    "SI",
)  # fmt: skip
_WRITER = {
    **_ANYBODY, **_ADDED, "memory_scopes": "SIU", "memory_proposals": "SI", "memory_meta": "SIU",
    "memory_changes": "SIU", "memory_known": "SIU", "memory_texts": "SIUD", "agent_memory": "SIUD",
}  # fmt: skip
_PROPOSER = {"agent_memory": "S", "memory_known": "S", "memory_scopes": "SI", "memory_proposals": "SI"}
# What a table that is not named here may be used for, and what differs.
_TABLES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    AGENT: ("", {**_PROPOSER, **_KEEPING}),
    SERVICE: ("S", {**_WRITER, "memory_written": "S", "memory_takebacks": "S"}),
    SUBJECT: ("S", {**_WRITER, "memory_proposals": "S", "memory_written": "S"}),
    CURATOR: (
        "SIUD",
        {
            **_WRITER,
            "memory_proposals": "SIUD",
            "memory_decisions": "SIU",
            "memory_agents": "SIUD",
            "memory_approvals": "SID",
        },
    ),
    AUDITOR: ("S", {}),
    PRIVACY: ("SIUD", {**_ANYBODY, "memory_scopes": "SIU"}),
}
_PROPOSED = ("scope", "id", "digest", "body", "ordered_at", "alike", "tenant_id", "written_by")
# Of these an agent chooses nothing but these columns; the rest is said by the database.
_COLUMNS: Mapping[tuple[str, str], tuple[str, ...]] = {
    (AGENT, "memory_scopes"): ("scope", "tenant_id", "user_id", "agent_id", "likeness"),
    (AGENT, "memory_proposals"): _PROPOSED,
    (SERVICE, "memory_proposals"): _PROPOSED,
}


def rights(role: str, table: str) -> str:
    """Return what a group may do with a table, as it stands in a GRANT; empty for nothing."""
    others, named = _TABLES[role]
    columns = _COLUMNS.get((role, table), ())
    found = [_RIGHTS[letter] for letter in named.get(table, others)]
    return ", ".join(f"{right} ({', '.join(columns)})" if columns and right == "INSERT" else right for right in found)
