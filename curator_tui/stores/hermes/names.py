"""Names of a Hermes home that are read before anything else of it; this loads nothing, so it costs no start-up time.

Here: what tells a home, where its profiles and its queues are, and which folder ``~`` names. Not here: the rules that
use them (``home``, ``queue``).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HOME_VARIABLE = "HERMES_HOME"
PERSON_VARIABLE = "HOME"
HERMES_FOLDER = ".hermes"
"""The default home, in the folder that ``~`` names."""
DEFAULT_PROFILE = "default"
PROFILES = "profiles"
ACTIVE_PROFILE = "active_profile"
ACTIVE_LIMIT = 4096
HOME_SIGNS = ("config.yaml", "memories", "pending", "state.db", "SOUL.md")
PENDING = "pending"
MEMORY_QUEUE = "memory"
SKILL_QUEUE = "skills"
RECORD_SUFFIX = ".json"
OWN_FOLDER = "curator-tui"
DEFERRED_MARK = "deferred"
"""Stands beside the book while something may be deferred or a question open (``deferred_mark``)."""
RECORD_LIMIT = 1 << 20
"""Bytes up to which a record is parsed; what is larger is unreadable."""
DOCUMENT_LIMIT = 16 << 20
"""Bytes up to which a document, or an image of one, is read; what is larger cannot be read."""


def folder_of_person(environ: Mapping[str, str], registered: str) -> str:
    """Return the folder that ``~`` names for Hermes: ``HOME`` where it is set, even to nothing, else the other one.

    Args:
        environ: the environment.
        registered: the folder of the person in the password database; empty where it has none.
    """
    written = environ.get(PERSON_VARIABLE)
    return registered if written is None else written.rstrip("/") or "/"
