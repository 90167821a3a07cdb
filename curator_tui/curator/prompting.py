"""Prompting: the block that the agent of a desk will read at its next session.

Here: which documents stand in it. Not here: how a block is rendered (``core.prompt``), which entries Hermes
blanks (``core.scanning``).
"""

from __future__ import annotations

from curator_tui.core.documents import TARGETS
from curator_tui.core.prompt import hermes_blocks
from curator_tui.core.scanning import hermes_verdict
from curator_tui.curator.desk import Desk


def as_the_model_reads(desk: Desk) -> str:
    """Return the blocks of the documents that are in use, as Hermes puts them into the system prompt.

    Raises:
        Unreadable: a document that is in use cannot be read, or its limit is not known.
    """
    enabled = desk.facts().enabled
    used = [target for target in TARGETS if enabled.get(target) is not False]
    return hermes_blocks(desk.snapshot(), used, hermes_verdict)
