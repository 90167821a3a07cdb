"""The first tables; a table ``agent_memory`` that a service made before is taken over with all of its rows."""

from __future__ import annotations

from alembic import op

from curator_tui.stores.sql.adopting import adopt_agent_memory

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# {word}: a text that is compared or ordered; {name}: a name of a person, tenant or agent; {bytes}: bytes as they are;
# {count}: a number that only grows.
_KINDS = {
    "sqlite": {"word": "TEXT", "name": "VARCHAR(128)", "bytes": "BLOB", "count": "INTEGER", "real": "DOUBLE"},
    "postgresql": {
        "word": 'TEXT COLLATE "C"', "name": 'VARCHAR(128) COLLATE "C"', "bytes": "BYTEA", "count": "BIGINT",
        "real": "DOUBLE PRECISION",
    },
}  # fmt: skip
_AGENT_MEMORY = """
    CREATE TABLE agent_memory (
        tenant_id {name} DEFAULT '' NOT NULL, user_id {name} NOT NULL, agent_id {name} DEFAULT '' NOT NULL,
        memory_type VARCHAR(16) NOT NULL, content TEXT NOT NULL,
        schema_version SMALLINT DEFAULT '1' NOT NULL, revision {count} DEFAULT '1' NOT NULL,
        created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL,
        updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL,
        PRIMARY KEY (tenant_id, user_id, agent_id, memory_type),
        CONSTRAINT agent_memory_type CHECK (memory_type IN ('user', 'memory')))
"""
_TABLES = (
    """
    CREATE TABLE memory_scopes (
        scope {word} NOT NULL, tenant_id {name} DEFAULT '' NOT NULL, user_id {name} NOT NULL,
        agent_id {name} DEFAULT '' NOT NULL,
        user_revision {count} DEFAULT '0' NOT NULL, memory_revision {count} DEFAULT '0' NOT NULL,
        user_limit INTEGER, memory_limit INTEGER,
        ledger_seq {count} DEFAULT '0' NOT NULL, ledger_head {word} DEFAULT '' NOT NULL, key_id {word},
        likeness {word} DEFAULT '' NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL,
        PRIMARY KEY (scope), CONSTRAINT memory_scopes_whose UNIQUE (tenant_id, user_id, agent_id))
    """,
    "CREATE INDEX memory_scopes_likeness ON memory_scopes (tenant_id, likeness)",
    """
    CREATE TABLE memory_proposals (
        scope {word} NOT NULL, id {word} NOT NULL, digest {word} NOT NULL, body {bytes} NOT NULL,
        ordered_at {real} NOT NULL, written_by {word} NOT NULL, tenant_id {name} NOT NULL, alike {word},
        staged_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL,
        PRIMARY KEY (scope, id))
    """,
    "CREATE INDEX memory_proposals_order ON memory_proposals (scope, ordered_at, id)",
    "CREATE INDEX memory_proposals_desk ON memory_proposals (tenant_id, ordered_at, scope, id)",
    """
    CREATE INDEX memory_proposals_alike ON memory_proposals (tenant_id, alike, ordered_at, scope, id)
        WHERE alike IS NOT NULL
    """,
    """
    CREATE TABLE memory_written (
        scope {word} NOT NULL, proposal {word} NOT NULL, digest {word} NOT NULL, written_by {word} NOT NULL,
        PRIMARY KEY (scope, proposal, digest))
    """,
    """
    CREATE TABLE memory_waiting (
        scope {word} NOT NULL, tenant_id {name} NOT NULL, waiting {count} NOT NULL, PRIMARY KEY (scope))
    """,
    "CREATE INDEX memory_waiting_desk ON memory_waiting (tenant_id, waiting, scope)",
    """
    CREATE TABLE memory_bindings (
        role {word} NOT NULL, tenant_id {name} DEFAULT '' NOT NULL, user_id {name} DEFAULT '' NOT NULL,
        agent_id {name} DEFAULT '' NOT NULL, any_agent SMALLINT DEFAULT '0' NOT NULL,
        PRIMARY KEY (role, tenant_id, user_id, agent_id, any_agent))
    """,
    """
    CREATE TABLE memory_agents (
        tenant_id {name} DEFAULT '' NOT NULL, agent {word} NOT NULL, trust {word} NOT NULL,
        given_by {word} NOT NULL, given_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL,
        PRIMARY KEY (tenant_id, agent))
    """,
    """
    CREATE TABLE memory_rules (tenant_id {name} NOT NULL, name {word} NOT NULL, PRIMARY KEY (tenant_id, name))
    """,
    """
    CREATE TABLE memory_approvals (
        scope {word} NOT NULL, proposal {word} NOT NULL, digest {word} NOT NULL, noted_by {word} NOT NULL,
        noted_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL, PRIMARY KEY (scope, proposal))
    """,
    """
    CREATE TABLE memory_claims (
        scope {word} NOT NULL, proposal {word} NOT NULL, holder {word} NOT NULL, desk {word} NOT NULL,
        until {real} NOT NULL, PRIMARY KEY (scope, proposal))
    """,
    """
    CREATE TABLE memory_images (
        scope {word} NOT NULL, id {word} NOT NULL, change_id {word} NOT NULL, at {real} NOT NULL,
        reason {word} NOT NULL,
        PRIMARY KEY (scope, id))
    """,
    """
    CREATE TABLE memory_image_files (
        scope {word} NOT NULL, image {word} NOT NULL, target {word} NOT NULL, body {bytes},
        PRIMARY KEY (scope, image, target))
    """,
    """
    CREATE TABLE memory_meta (
        scope {word} NOT NULL, name {word} NOT NULL, value {word} NOT NULL, PRIMARY KEY (scope, name))
    """,
    """
    CREATE TABLE memory_texts (
        scope {word} NOT NULL, id {word} NOT NULL, change_id {word} NOT NULL, kind {word} NOT NULL,
        body {bytes} NOT NULL, salt {bytes}, PRIMARY KEY (scope, id))
    """,
    "CREATE INDEX memory_texts_change ON memory_texts (scope, change_id)",
    """
    CREATE TABLE memory_ledger (
        scope {word} NOT NULL, seq {count} NOT NULL, hash {word} NOT NULL, body {word} NOT NULL,
        PRIMARY KEY (scope, seq))
    """,
    """
    CREATE TABLE memory_changes (
        scope {word} NOT NULL, id {word} NOT NULL, seq {count} NOT NULL, at {real} NOT NULL,
        actor_kind {word} NOT NULL, actor_name {word} NOT NULL, actor_through {word} NOT NULL,
        kind {word} NOT NULL, effect INTEGER NOT NULL, reverts {word}, undone_by {word}, backup {word},
        PRIMARY KEY (scope, id), CONSTRAINT memory_changes_seq UNIQUE (scope, seq))
    """,
    """
    CREATE TABLE memory_change_documents (
        scope {word} NOT NULL, change_id {word} NOT NULL, target {word} NOT NULL,
        before_text {word}, after_text {word}, PRIMARY KEY (scope, change_id, target))
    """,
    "CREATE INDEX memory_change_documents_before ON memory_change_documents (scope, before_text)",
    "CREATE INDEX memory_change_documents_after ON memory_change_documents (scope, after_text)",
    """
    CREATE TABLE memory_takebacks (
        scope {word} NOT NULL, change_id {word} NOT NULL, undone {word} NOT NULL,
        PRIMARY KEY (scope, change_id, undone))
    """,
    """
    CREATE TABLE memory_decisions (
        scope {word} NOT NULL, change_id {word} NOT NULL, place INTEGER NOT NULL, proposal {word} NOT NULL,
        digest {word} NOT NULL, verb {word} NOT NULL, targets {word} NOT NULL, raw_text {word}, ended_by {word},
        PRIMARY KEY (scope, change_id, place))
    """,
    "CREATE UNIQUE INDEX memory_decisions_live ON memory_decisions (scope, proposal, digest) WHERE ended_by IS NULL",
    "CREATE INDEX memory_decisions_ended ON memory_decisions (scope, ended_by)",
    """
    CREATE TABLE memory_known (
        scope {word} NOT NULL, target {word} NOT NULL, text_id {word}, digest {word} NOT NULL,
        PRIMARY KEY (scope, target))
    """,
    """
    CREATE TABLE memory_pins (
        scope {word} NOT NULL, proposal {word} NOT NULL, digest {word} NOT NULL, operation INTEGER NOT NULL,
        text_id {word} NOT NULL, PRIMARY KEY (scope, proposal, digest, operation))
    """,
    """
    CREATE TABLE memory_operations (
        scope {word} NOT NULL, operation {word} NOT NULL, receipt_text {word} NOT NULL,
        PRIMARY KEY (scope, operation))
    """,
    """
    CREATE TABLE memory_deferrals (
        scope {word} NOT NULL, change_id {word} NOT NULL, place INTEGER NOT NULL, proposal {word} NOT NULL,
        digest {word} NOT NULL, until {word} NOT NULL, back INTEGER NOT NULL, PRIMARY KEY (scope, change_id, place))
    """,
    """
    CREATE TABLE memory_challenges (
        scope {word} NOT NULL, question {word} NOT NULL, change_id {word} NOT NULL, target {word} NOT NULL,
        entry_text {word} NOT NULL, reason {word} NOT NULL, note_text {word} NOT NULL, PRIMARY KEY (scope, question))
    """,
    """
    CREATE TABLE memory_answers (
        scope {word} NOT NULL, change_id {word} NOT NULL, question {word} NOT NULL, verb {word} NOT NULL,
        PRIMARY KEY (scope, change_id))
    """,
    """
    CREATE TABLE memory_tombstones (
        scope {word} NOT NULL, id {word} NOT NULL, change_id {word} NOT NULL, at {real} NOT NULL,
        actor_kind {word} NOT NULL, actor_name {word} NOT NULL, actor_through {word} NOT NULL,
        target {word} NOT NULL, reason {word} NOT NULL, key_id {word}, fingerprint {bytes}, PRIMARY KEY (scope, id))
    """,
    """
    CREATE TABLE memory_scope_keys (
        scope {word} NOT NULL, key_id {word} NOT NULL, secret {bytes} NOT NULL, PRIMARY KEY (scope, key_id))
    """,
)
_BESIDE = {
    "sqlite": (
        """
        CREATE TRIGGER memory_proposals_added AFTER INSERT ON memory_proposals BEGIN
            INSERT INTO memory_waiting (scope, tenant_id, waiting) VALUES (NEW.scope, NEW.tenant_id, 1)
                ON CONFLICT (scope) DO UPDATE SET waiting = memory_waiting.waiting + 1;
        END
        """,
        """
        CREATE TRIGGER memory_proposals_taken AFTER DELETE ON memory_proposals BEGIN
            UPDATE memory_waiting SET waiting = waiting - 1 WHERE scope = OLD.scope;
        END
        """,
    ),
    "postgresql": (
        """
        CREATE FUNCTION memory_count_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
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
        """
        CREATE TRIGGER memory_proposals_counted AFTER INSERT OR DELETE ON memory_proposals
            FOR EACH ROW EXECUTE FUNCTION memory_count_waiting()
        """,
    ),
}


def upgrade() -> None:
    """Make the tables."""
    connection = op.get_bind()
    dialect = connection.dialect.name
    kinds = _KINDS[dialect]
    adopt_agent_memory(connection, _AGENT_MEMORY.format(**kinds), kinds)
    for statement in (*(table.format(**kinds) for table in _TABLES), *_BESIDE[dialect]):
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    """Refuse: going back would lose what people decided."""
    raise NotImplementedError
