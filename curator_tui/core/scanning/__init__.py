"""The deterministic scanner: :func:`scan` tells what is wrong with a text, linear and without effects.

Re-exports what others use. ``engine`` runs the rules, the modules ``*_rules`` hold them as data,
``characters`` judges single characters, ``rules`` says how a rule is written, ``findings`` what an answer is.
"""

from curator_tui.core.scanning.engine import ALL_RULES, MAX_LENGTH, RULES_VERSION, scan
from curator_tui.core.scanning.findings import Finding, Severity, has_secret, is_flagged
from curator_tui.core.scanning.hermes_rules import hermes_verdict

__all__ = [
    "ALL_RULES",
    "MAX_LENGTH",
    "RULES_VERSION",
    "Finding",
    "Severity",
    "has_secret",
    "hermes_verdict",
    "is_flagged",
    "scan",
]
