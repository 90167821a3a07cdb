"""Alembic's entry: run the steps on the connection we were given, in the transaction it is in.

Here: nothing but that. Not here: connecting, locking, refusing (``stores.sql.upgrading``).
"""

from __future__ import annotations

from alembic import context

from curator_tui.stores.sql.schema import metadata
from curator_tui.stores.sql.versions import VERSION_TABLE


def run() -> None:
    """Run the steps."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        version_table=VERSION_TABLE,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


if hasattr(context, "config"):  # Alembic is at work; nobody else has a reason to load this
    run()
