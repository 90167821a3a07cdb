"""Names of a Hermes home that are read before anything else of it. Constants only, so that this costs no start-up time.

Here: what tells a home, where its profiles and its queues are. Not here: the rules that use them (``home``, ``queue``).
"""

HOME_VARIABLE = "HERMES_HOME"
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
"""Stands beside the book while something may be deferred (``deferred_mark``)."""
RECORD_LIMIT = 1 << 20
"""Bytes up to which a record is parsed; what is larger is unreadable."""
DOCUMENT_LIMIT = 16 << 20
"""Bytes up to which a document, or an image of one, is read; what is larger cannot be read."""
