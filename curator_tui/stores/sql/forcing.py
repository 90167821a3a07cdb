"""Forcing: what the database itself says of a proposal that an agent adds, whatever the agent says of it.

Here: the statements. Not here: which scope it may be added to (``policies``), who counts as an agent (``roles``).

An agent that reaches the server past our own code could give its proposal another name, a time that puts it in front of
all others, or a digest that no decision finds. None of these is its to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from curator_tui.stores.sql.policies import TENANT
from curator_tui.stores.sql.roles import CURATOR, PROPOSERS

_AGENT = " OR ".join(f"pg_has_role(session_user, '{group}', 'USAGE')" for group in sorted(PROPOSERS))


def forcing_statements(schema: str) -> Iterator[str]:
    """Yield what makes the trigger, or puts it in the place of an older one.

    Args:
        schema: where the tables are, as an identifier.
    """
    yield f"""
        CREATE OR REPLACE FUNCTION memory_propose() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, {schema}, pg_temp AS $$
        BEGIN
            IF ({_AGENT}) AND NOT pg_has_role(session_user, '{CURATOR}', 'USAGE') THEN
                NEW.written_by := session_user;
                NEW.digest := encode(sha256(NEW.body), 'hex');
                NEW.ordered_at := extract(epoch FROM clock_timestamp());
                NEW.staged_at := clock_timestamp() AT TIME ZONE 'UTC';
                NEW.tenant_id := {TENANT};
            END IF;
            RETURN NEW;
        END $$
    """
    yield """
        CREATE OR REPLACE TRIGGER memory_proposals_said BEFORE INSERT ON memory_proposals
        FOR EACH ROW EXECUTE FUNCTION memory_propose()
    """
