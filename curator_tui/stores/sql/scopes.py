"""Scopes: whose memory it is, and the one row that everything about it hangs on.

Here: naming a scope, finding its row, locking it, and what is noted there. Not here: what else a scope has.

The row is made by the first change and never deleted, so that even a scope without documents has something to lock, and
revisions only grow. Its name is random: nothing else in the database says whose it is.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from msgspec import Struct

from curator_tui.core.documents import DEFAULT_LIMITS, Target
from curator_tui.core.errors import UsageError
from curator_tui.core.namesakes import likeness
from curator_tui.core.text import visible
from curator_tui.stores.book.db import ReadDb
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.database import Again, Session

NAME_LENGTH = 128
_FIND = """
    SELECT scope, user_revision, memory_revision, user_limit, memory_limit, ledger_seq, ledger_head FROM memory_scopes
    WHERE tenant_id = :tenant AND user_id = :user AND agent_id = :agent
"""
_MAKE = """
    INSERT INTO memory_scopes (scope, tenant_id, user_id, agent_id, likeness)
    VALUES (:scope, :tenant, :user, :agent, :likeness)
    ON CONFLICT (tenant_id, user_id, agent_id) DO NOTHING
"""
_CHAIN = """
    INSERT INTO memory_meta (scope, name, value) VALUES (:scope, 'chain', :chain) ON CONFLICT (scope, name) DO NOTHING
"""
_NOTE = """
    UPDATE memory_scopes SET user_revision = :user, memory_revision = :memory, ledger_seq = :seq, ledger_head = :head
    WHERE scope = :scope
"""


class Whose(Struct, frozen=True):
    """Whose memory: a person of a tenant, and the agent whose own it is; no agent stands for what all of them share."""

    tenant: str
    user: str
    agent: str

    @property
    def values(self) -> dict[str, str]:
        """The three as parameters of a statement."""
        return {"tenant": self.tenant, "user": self.user, "agent": self.agent}

    @property
    def bound(self) -> Bound:
        """What a statement about this memory may reach: this one and no other."""
        return Bound(self.tenant, self.user, self.agent)

    @property
    def within(self) -> str:
        """Person and agent in words safe to print, for where the tenant is known."""
        return visible(f"{self.user}, agent {self.agent}" if self.agent else self.user, newlines=False)

    @property
    def words(self) -> str:
        """The three in words safe to print."""
        parts = [self.user, *([f"tenant {self.tenant}"] if self.tenant else [])]
        return visible(", ".join([*parts, *([f"agent {self.agent}"] if self.agent else [])]), newlines=False)


def whose(tenant: str, user: str | None, agent: str) -> Whose:
    """Return the scope that a command line or an authentication names.

    Raises:
        UsageError: it names none.
    """
    if not user:
        raise UsageError("--user says whose memory is meant, and is missing.", way_out="Name the person: --user NAME")
    for name, value in (("tenant", tenant), ("user", user), ("agent", agent)):
        if len(value) > NAME_LENGTH or "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
            raise UsageError(f"--{name} is longer than {NAME_LENGTH} characters, or no text.")
    return Whose(tenant, user, agent)


class Scope(Struct, frozen=True):
    """What is noted of a scope.

    Attributes:
        name: its random name.
        limits: code points each document may have.
        revisions: of both documents; they only grow, also while a document has no row.
        head: sequence number and hash of the newest ledger row.
        fresh: whether this transaction made it.
    """

    name: str
    limits: Mapping[Target, int | None]
    revisions: Mapping[Target, int]
    head: tuple[int, str]
    fresh: bool = False


NOBODY = Scope("", DEFAULT_LIMITS, dict.fromkeys(Target, 0), (0, ""))
"""A scope that nothing was ever changed in: it has no row yet, and no statement finds anything under its name."""


def find(db: ReadDb, mine: Whose, for_update: str = "") -> Scope | None:
    """Return what is noted of a scope, None where nothing is yet."""
    found = db.one(_FIND + for_update, **mine.values)
    if found is None:
        return None
    name, user, memory, user_limit, memory_limit, seq, head = found
    defaults = DEFAULT_LIMITS
    return Scope(
        str(name),
        {
            Target.USER: defaults[Target.USER] if user_limit is None else int(user_limit),
            Target.MEMORY: defaults[Target.MEMORY] if memory_limit is None else int(memory_limit),
        },
        {Target.USER: int(user), Target.MEMORY: int(memory)},
        (int(seq), str(head)),
    )


def lock(session: Session, mine: Whose) -> Scope:
    """Lock a scope's row until the end of the transaction, making it where there is none.

    Raises:
        Again: another transaction made it at the same moment.
        Locked: another one holds it for longer than we wait.
    """
    scope = _found_or_made(session, mine, session.for_update)
    if scope.head == NOBODY.head:  # whoever only proposes may write nothing of the book
        session.run_many(_CHAIN, [{"scope": scope.name, "chain": secrets.token_hex(8)}])
    return scope


def enter(session: Session, mine: Whose) -> Scope:
    """Return a scope for a transaction that keeps nobody from changing it, making its row where there is none.

    Raises:
        Again: another transaction made it at the same moment.
    """
    return _found_or_made(session, mine, "")


def _found_or_made(session: Session, mine: Whose, for_update: str) -> Scope:
    found = find(session, mine, for_update)
    if found is not None:
        return found
    if session.run(_MAKE, scope=secrets.token_hex(16), likeness=likeness(mine.user), **mine.values) != 1:
        raise Again
    made = find(session, mine)
    if made is None:
        raise Again
    return Scope(made.name, made.limits, made.revisions, made.head, fresh=True)


def note(session: Session, scope: Scope, revisions: Mapping[Target, int], head: tuple[int, str]) -> None:
    """Note the revisions and the head of the ledger that a change leaves."""
    new = {"user": revisions[Target.USER], "memory": revisions[Target.MEMORY], "seq": head[0], "head": head[1]}
    session.run_many(_NOTE, [{"scope": scope.name, **new}])
