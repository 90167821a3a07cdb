"""Schema: the tables as they are now, for SQLite and PostgreSQL.

Here: tables, their keys and the triggers that belong to them. Not here: how a database came to have them
(``migrations``; a test holds both against each other), the statements that read and write.

``agent_memory`` is shared with the services that serve people; everything else is ours. The book's tables have the
columns they have on a home, and ``scope`` in them is the random name that ``memory_scopes`` gave a scope: it says
nothing about whose it is. What is compared or ordered is kept in the order of its code points on both engines, because
ledger rows commit to that order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TIMESTAMP

metadata = MetaData()

# Names and words that are compared or ordered: by code points, whatever the language of the server.
Word = Text().with_variant(Text(collation="C"), "postgresql")
Identity = String(128).with_variant(String(128, collation="C"), "postgresql")
Count = BigInteger().with_variant(Integer(), "sqlite")


def _whose() -> tuple[Column[Any], ...]:
    """Return the columns of a scope as people and services name it."""
    return (
        Column("tenant_id", Identity, nullable=False, server_default=""),
        Column("user_id", Identity, nullable=False),
        Column("agent_id", Identity, nullable=False, server_default=""),
    )


def _moment(name: str) -> Column[Any]:
    return Column(name, TIMESTAMP(), nullable=False, server_default=text("CURRENT_TIMESTAMP"))


def _book(name: str, columns: Mapping[str, Any], key: Sequence[str], *more: Any) -> Table:
    """Return a table of the book: all columns required but those marked by a tuple."""
    parts = [
        Column(column, kind[0] if isinstance(kind, tuple) else kind, nullable=isinstance(kind, tuple))
        for column, kind in columns.items()
    ]
    return Table(
        name, metadata, Column("scope", Word, nullable=False), *parts, PrimaryKeyConstraint("scope", *key), *more
    )


agent_memory = Table(
    "agent_memory",
    metadata,
    *_whose(),
    Column("memory_type", String(16), nullable=False),
    Column("content", Text(), nullable=False),
    Column("schema_version", SmallInteger(), nullable=False, server_default="1"),
    Column("revision", Count, nullable=False, server_default="1"),
    _moment("created_at"),
    _moment("updated_at"),
    PrimaryKeyConstraint("tenant_id", "user_id", "agent_id", "memory_type"),
    CheckConstraint("memory_type IN ('user', 'memory')", name="agent_memory_type"),
)

scopes = Table(
    "memory_scopes",
    metadata,
    Column("scope", Word, nullable=False),
    *_whose(),
    Column("user_revision", Count, nullable=False, server_default="0"),
    Column("memory_revision", Count, nullable=False, server_default="0"),
    Column("user_limit", Integer()),
    Column("memory_limit", Integer()),
    Column("ledger_seq", Count, nullable=False, server_default="0"),
    Column("ledger_head", Word, nullable=False, server_default=""),
    Column("key_id", Word),
    # what the names of people have in common that are read as this one (``core.namesakes``)
    Column("likeness", Word, nullable=False, server_default=""),
    _moment("created_at"),
    PrimaryKeyConstraint("scope"),
    UniqueConstraint("tenant_id", "user_id", "agent_id", name="memory_scopes_whose"),
    Index("memory_scopes_likeness", "tenant_id", "likeness"),
)

proposals = Table(
    "memory_proposals",
    metadata,
    Column("scope", Word, nullable=False),
    Column("id", Word, nullable=False),
    Column("digest", Word, nullable=False),
    Column("body", LargeBinary(), nullable=False),
    Column("ordered_at", Double(), nullable=False),
    Column("written_by", Word, nullable=False),
    Column("tenant_id", Identity, nullable=False),
    Column("alike", Word),
    _moment("staged_at"),
    PrimaryKeyConstraint("scope", "id"),
    Index("memory_proposals_order", "scope", "ordered_at", "id"),
    # the one order of a desk at which all people of a tenant are, and what is proposed alike for several of them
    Index("memory_proposals_desk", "tenant_id", "ordered_at", "scope", "id"),
    Index(
        "memory_proposals_alike", "tenant_id", "alike", "ordered_at", "scope", "id",
        sqlite_where=text("alike IS NOT NULL"), postgresql_where=text("alike IS NOT NULL"),
    ),
)  # fmt: skip

# Who wrote a proposal stays known when it is decided, and when it returns.
written = _book("memory_written", {"proposal": Word, "digest": Word, "written_by": Word}, ["proposal", "digest"])

waiting = Table(
    "memory_waiting",
    metadata,
    Column("scope", Word, nullable=False),
    Column("tenant_id", Identity, nullable=False),
    Column("waiting", Count, nullable=False),
    PrimaryKeyConstraint("scope"),
    Index("memory_waiting_desk", "tenant_id", "waiting", "scope"),
)

# Which logins of a server are held to which memory (``policies``): a person of a tenant, or with ``user_id`` empty all
# of them, and one agent, or with ``any_agent`` every one.
bindings = Table(
    "memory_bindings",
    metadata,
    Column("role", Word, nullable=False),
    Column("tenant_id", Identity, nullable=False, server_default=""),
    Column("user_id", Identity, nullable=False, server_default=""),
    Column("agent_id", Identity, nullable=False, server_default=""),
    Column("any_agent", SmallInteger(), nullable=False, server_default="0"),
    PrimaryKeyConstraint("role", "tenant_id", "user_id", "agent_id", "any_agent"),
)

# How far the agents of a tenant are trusted, by the name that stands on what they propose.
agents = Table(
    "memory_agents",
    metadata,
    Column("tenant_id", Identity, nullable=False, server_default=""),
    Column("agent", Word, nullable=False),
    Column("trust", Word, nullable=False),
    Column("given_by", Word, nullable=False),
    _moment("given_at"),
    PrimaryKeyConstraint("tenant_id", "agent"),
)

# What two persons have to approve, and the first approvals that wait for a second one (``two_persons``).
rules = Table(
    "memory_rules",
    metadata,
    Column("tenant_id", Identity, nullable=False),
    Column("name", Word, nullable=False),
    PrimaryKeyConstraint("tenant_id", "name"),
)
approvals = Table(
    "memory_approvals",
    metadata,
    Column("scope", Word, nullable=False),
    Column("proposal", Word, nullable=False),
    Column("digest", Word, nullable=False),
    Column("noted_by", Word, nullable=False),
    _moment("noted_at"),
    PrimaryKeyConstraint("scope", "proposal"),
)

# Who looks at what just now: help for others at the same desk, of which nothing is kept (``claims``).
claims = Table(
    "memory_claims",
    metadata,
    Column("scope", Word, nullable=False),
    Column("proposal", Word, nullable=False),
    Column("holder", Word, nullable=False),
    Column("desk", Word, nullable=False),
    Column("until", Double(), nullable=False),
    PrimaryKeyConstraint("scope", "proposal"),
)

images = _book("memory_images", {"id": Word, "change_id": Word, "at": Double(), "reason": Word}, ["id"])
image_files = _book(
    "memory_image_files", {"image": Word, "target": Word, "body": (LargeBinary(),)}, ["image", "target"]
)

_book("memory_meta", {"name": Word, "value": Word}, ["name"])
_book(
    "memory_texts",
    {"id": Word, "change_id": Word, "kind": Word, "body": LargeBinary(), "salt": (LargeBinary(),)},
    ["id"],
    Index("memory_texts_change", "scope", "change_id"),
)
_book("memory_ledger", {"seq": Count, "hash": Word, "body": Word}, ["seq"])
_book(
    "memory_changes",
    {
        "id": Word, "seq": Count, "at": Double(), "actor_kind": Word, "actor_name": Word, "actor_through": Word,
        "kind": Word, "effect": Integer(), "reverts": (Word,), "undone_by": (Word,), "backup": (Word,),
    },
    ["id"],
    UniqueConstraint("scope", "seq", name="memory_changes_seq"),
)  # fmt: skip
_book(
    "memory_change_documents",
    {"change_id": Word, "target": Word, "before_text": (Word,), "after_text": (Word,)},
    ["change_id", "target"],
    Index("memory_change_documents_before", "scope", "before_text"),
    Index("memory_change_documents_after", "scope", "after_text"),
)
_book("memory_takebacks", {"change_id": Word, "undone": Word}, ["change_id", "undone"])
_book(
    "memory_decisions",
    {
        "change_id": Word, "place": Integer(), "proposal": Word, "digest": Word, "verb": Word, "targets": Word,
        "raw_text": (Word,), "ended_by": (Word,),
    },
    ["change_id", "place"],
    Index(
        "memory_decisions_live", "scope", "proposal", "digest", unique=True,
        sqlite_where=text("ended_by IS NULL"), postgresql_where=text("ended_by IS NULL"),
    ),
    Index("memory_decisions_ended", "scope", "ended_by"),
)  # fmt: skip
_book("memory_known", {"target": Word, "text_id": (Word,), "digest": Word}, ["target"])
_book(
    "memory_pins",
    {"proposal": Word, "digest": Word, "operation": Integer(), "text_id": Word},
    ["proposal", "digest", "operation"],
)
_book("memory_operations", {"operation": Word, "receipt_text": Word}, ["operation"])
_book(
    "memory_deferrals",
    {"change_id": Word, "place": Integer(), "proposal": Word, "digest": Word, "until": Word, "back": Integer()},
    ["change_id", "place"],
)
_book(
    "memory_challenges",
    {"question": Word, "change_id": Word, "target": Word, "entry_text": Word, "reason": Word, "note_text": Word},
    ["question"],
)
_book("memory_answers", {"change_id": Word, "question": Word, "verb": Word}, ["change_id"])
_book(
    "memory_tombstones",
    {
        "id": Word, "change_id": Word, "at": Double(), "actor_kind": Word, "actor_name": Word, "actor_through": Word,
        "target": Word, "reason": Word, "key_id": (Word,), "fingerprint": (LargeBinary(),),
    },
    ["id"],
)  # fmt: skip
_book("memory_scope_keys", {"key_id": Word, "secret": LargeBinary()}, ["key_id"])

# What stands beside the tables, by its name; a migration that makes a table anew makes these anew too.
TRIGGERS: Mapping[str, Mapping[str, str]] = {
    "sqlite": {
        "memory_proposals_added": """
            CREATE TRIGGER memory_proposals_added AFTER INSERT ON memory_proposals BEGIN
                INSERT INTO memory_waiting (scope, tenant_id, waiting) VALUES (NEW.scope, NEW.tenant_id, 1)
                    ON CONFLICT (scope) DO UPDATE SET waiting = memory_waiting.waiting + 1;
            END
        """,
        "memory_proposals_taken": """
            CREATE TRIGGER memory_proposals_taken AFTER DELETE ON memory_proposals BEGIN
                UPDATE memory_waiting SET waiting = waiting - 1 WHERE scope = OLD.scope;
            END
        """,
    },
    "postgresql": {
        "memory_count_waiting": """
            CREATE OR REPLACE FUNCTION memory_count_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF TG_OP = 'INSERT' THEN
                    INSERT INTO memory_waiting (scope, tenant_id, waiting) VALUES (NEW.scope, NEW.tenant_id, 1)
                        ON CONFLICT (scope) DO UPDATE SET waiting = memory_waiting.waiting + 1;
                ELSE
                    UPDATE memory_waiting SET waiting = waiting - 1 WHERE scope = OLD.scope;
                END IF;
                RETURN NULL;
            END $$
        """,
        "memory_proposals_counted": """
            CREATE TRIGGER memory_proposals_counted AFTER INSERT OR DELETE ON memory_proposals
                FOR EACH ROW EXECUTE FUNCTION memory_count_waiting()
        """,
    },
}
