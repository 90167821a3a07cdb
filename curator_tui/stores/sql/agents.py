"""Agents: who writes proposals in a tenant, and how far a person trusts each of them.

Here: the statements. Not here: what a word of trust means (``core.trust``), who may say one.
"""

from __future__ import annotations

from curator_tui.core.errors import UsageError, WriteFailed
from curator_tui.core.trust import Judged, Trust
from curator_tui.stores.book.db import ReadDb
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.database import WAIT_SECONDS, Database, Session, Unanswered
from curator_tui.stores.sql.transacting import replayed

LONGEST_NAME = 128
_JUDGED = "SELECT agent, trust, given_by FROM memory_agents WHERE tenant_id = :tenant"
_WRITING = """
    SELECT p.written_by, count(*) FROM memory_proposals p JOIN memory_scopes s ON s.scope = p.scope
    WHERE s.tenant_id = :tenant AND p.written_by <> '' GROUP BY p.written_by
"""
_SET = """
    INSERT INTO memory_agents (tenant_id, agent, trust, given_by) VALUES (:tenant, :agent, :trust, :by)
    ON CONFLICT (tenant_id, agent) DO UPDATE SET trust = excluded.trust, given_by = excluded.given_by,
        given_at = CURRENT_TIMESTAMP
"""
_DROP = "DELETE FROM memory_agents WHERE tenant_id = :tenant AND agent = :agent"


def agents_of(reader: ReadDb, tenant: str) -> list[Judged]:
    """Return the agents that somebody judged and those of which proposals wait, by name."""
    judged = {str(agent): (str(trust), str(by)) for agent, trust, by in reader.all(_JUDGED, tenant=tenant)}
    writing = {str(agent): int(count) for agent, count in reader.all(_WRITING, tenant=tenant)}
    words = {str(word): word for word in Trust}
    found: list[Judged] = []
    for name in sorted({*judged, *writing}):
        trust, by = judged.get(name, ("", ""))
        found.append(Judged(name, words.get(trust), by, writing.get(name, 0)))
    return found


def set_trust(database: Database, tenant: str, agent: str, trust: Trust | None, *, by: str) -> None:
    """Note how far an agent is trusted; None takes back what was noted.

    Raises:
        UsageError: that is no name of an agent.
        StoreError: it was not stored, or nobody knows.
    """
    if not agent or len(agent) > LONGEST_NAME or any(char == "\0" or "\ud800" <= char <= "\udfff" for char in agent):
        raise UsageError(f"the name of an agent has 1 to {LONGEST_NAME} characters.")

    def act(session: Session) -> None:
        if trust is None:
            session.run(_DROP, tenant=tenant, agent=agent)
        else:
            session.run(_SET, tenant=tenant, agent=agent, trust=str(trust), by=by)

    def once() -> None:
        with database.session(Bound(tenant)) as session:
            session.begin(WAIT_SECONDS)
            act(session)
            session.commit()

    try:
        replayed(once, WAIT_SECONDS)
    except Unanswered as error:
        raise WriteFailed("whether it was noted is not known.", way_out="Look again: curator-tui db agents") from error
