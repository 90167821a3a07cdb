"""The version of the tables, known without loading what makes them.

Here: names and numbers. Not here: the tables (``schema``), how they are made (``upgrading``).
"""

from __future__ import annotations

# Alembic's own table of versions; a service that uses Alembic too keeps its alembic_version.
VERSION_TABLE = "memory_schema"
HEAD = "0001"
# Content format and validation rules of ``agent_memory`` (``contracts``: SQL).
CONTENT_VERSION = 1
UPGRADE = "Make or upgrade its tables with: curator-tui --db … db upgrade"
