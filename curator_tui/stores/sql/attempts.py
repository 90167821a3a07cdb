"""Attempts that our own code refused for who asked, as rows of the ledger of the scope they were made in.

Here: the one function by which a login that may not write the ledger adds such a row, and its call. Not here: what is
refused (``curator.authority``). What PostgreSQL refuses by itself never gets here; that is in the server's own log.

The function can do nothing else: it adds rows that say that this login was refused, for one of a few codes, and counts
repeats within a minute as ``core.refused`` does. What a row says of who and when comes from the server.
"""

from __future__ import annotations

from curator_tui.core.errors import WriteFailed
from curator_tui.core.ledger import ROW_DOMAIN
from curator_tui.core.refused import REFUSED, WINDOW_S
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.database import WAIT_SECONDS, Again, Database, Unanswered
from curator_tui.stores.sql.policies import AGENT_NAME, TENANT, USER
from curator_tui.stores.sql.roles import AGENT, SERVICE

FUNCTION = "memory_refuse(text, text)"
CODES = ("may-not-decide", "may-not-write")
_THROUGH = ("tui", "web", "cli", "mcp", "library")
_RANDOM = "left(encode(sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid()), 'UTF8')), 'hex'), 16)"


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"'{word}'" for word in words)


_MAKE = f"""
    CREATE OR REPLACE FUNCTION memory_refuse(code text, way text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, SCHEMA, pg_temp AS $$
    DECLARE
        mine memory_scopes%ROWTYPE;
        moment double precision := extract(epoch FROM clock_timestamp());
        at text := to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
        kind text := CASE WHEN pg_has_role(session_user, '{SERVICE}', 'USAGE') THEN 'service'
            WHEN pg_has_role(session_user, '{AGENT}', 'USAGE') THEN 'agent' ELSE 'person' END;
        part jsonb;
        counted jsonb;
        place integer;
        change text := {_RANDOM};
        body text;
        hashed text;
    BEGIN
        IF NOT coalesce(code IN ({_listed(CODES)}) AND way IN ({_listed(_THROUGH)}), false) THEN
            RAISE EXCEPTION 'no such refusal' USING ERRCODE = '22023';
        END IF;
        SELECT s.* INTO mine FROM memory_scopes s
            WHERE s.tenant_id = {TENANT} AND s.user_id = {USER} AND s.agent_id = {AGENT_NAME}
            AND memory_allowed() FOR UPDATE;
        IF NOT FOUND THEN
            RETURN;
        END IF;
        part := jsonb_build_object('reason', code,
            'actor', jsonb_build_object('kind', kind, 'name', session_user::text, 'through', way));
        SELECT value::jsonb INTO counted FROM memory_meta WHERE scope = mine.scope AND name = '{REFUSED}';
        counted := coalesce(counted, '[]'::jsonb);
        SELECT n - 1 INTO place FROM jsonb_array_elements(counted) WITH ORDINALITY AS held(one, n)
            WHERE one->'part' = part AND moment - (one->>'at')::double precision BETWEEN 0 AND {WINDOW_S} LIMIT 1;
        IF place IS NOT NULL THEN
            counted := jsonb_set(counted, ARRAY[place::text, 'repeats'],
                to_jsonb((counted->place->>'repeats')::integer + 1));
        ELSE
            counted := counted || jsonb_build_object('part', part, 'at', moment, 'since', at, 'repeats', 0);
            body := format('{{"action":"{REFUSED}","actor":{{"kind":%s,"name":%s,"through":%s}},"at":%s,'
                '"change":%s,"operation":%s,"prev":%s,"reason":%s,"seq":%s}}', to_json(kind),
                to_json(session_user::text), to_json(way), to_json(at), to_json(change), to_json({_RANDOM}),
                to_json(mine.ledger_head), to_json(code), mine.ledger_seq + 1);
            hashed := encode(sha256(decode('{ROW_DOMAIN.hex()}', 'hex') || convert_to(body, 'UTF8')), 'hex');
            INSERT INTO memory_meta (scope, name, value) VALUES (mine.scope, 'chain', {_RANDOM})
                ON CONFLICT (scope, name) DO NOTHING;
            INSERT INTO memory_ledger (scope, seq, hash, body)
                VALUES (mine.scope, mine.ledger_seq + 1, hashed, body);
            INSERT INTO memory_changes
                (scope, id, seq, at, actor_kind, actor_name, actor_through, kind, effect)
                VALUES (mine.scope, change, mine.ledger_seq + 1, moment, kind, session_user::text, way,
                    'decide', 0);
            UPDATE memory_scopes SET ledger_seq = mine.ledger_seq + 1, ledger_head = hashed
                WHERE scope = mine.scope;
        END IF;
        INSERT INTO memory_meta (scope, name, value) VALUES (mine.scope, '{REFUSED}', counted::text)
            ON CONFLICT (scope, name) DO UPDATE SET value = excluded.value;
    END $$
"""


def function_statement(schema: str) -> str:
    """Return what makes the function, or puts it in the place of an older one.

    Args:
        schema: where the tables are, as an identifier.
    """
    return _MAKE.replace("SCHEMA", schema)


def note_refusal(database: Database, bound: Bound, code: str, through: str) -> None:
    """Add the row of a refused attempt, or count it where its like has one; a file knows nobody it could refuse.

    Args:
        database: where.
        bound: the scope.
        code: one of :data:`CODES`.
        through: the surface that asked.

    Raises:
        StoreError: it was not noted, or nobody knows.
    """
    if database.dialect != "postgresql":
        return
    with database.session(bound) as session:
        session.begin(WAIT_SECONDS)
        session.one("SELECT memory_refuse(:code, :way)", code=code, way=through)
        try:
            session.commit()
        except (Again, Unanswered) as error:
            raise WriteFailed("whether the refusal was noted is not known.") from error
