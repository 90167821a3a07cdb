"""Prompt blocks: exactly the text of a snapshot that a model gets to read.

Here: the generic block of services, and the block as Hermes Agent renders it. Not here: which documents an
agent uses (the stores know), which entries Hermes would blank (``scanning``; its answer is handed in).

Equal snapshots give equal bytes: no clock, counter or id stands in a block.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from curator_tui.core.documents import DELIMITER, FILE_NAMES, Document, Target, percent, size_of
from curator_tui.core.errors import Unreadable
from curator_tui.core.operations import RULE_LINE
from curator_tui.core.preflight import Snapshot

# Titles and order of the generic block (``contracts``: Generic block).
GENERIC_TITLES: Mapping[Target, str] = {Target.USER: "USER PROFILE", Target.MEMORY: "AGENT MEMORY"}
# Titles and order of the blocks in a prompt of Hermes (``hermes`` section 2.3).
HERMES_TITLES: Mapping[Target, str] = {
    Target.MEMORY: "MEMORY (your personal notes)",
    Target.USER: "USER PROFILE (who the user is)",
}
MEMORY_DATA_TAG = "persistent_memory_data"
_PLACEHOLDER = "[BLOCKED:"


def generic_block(snapshot: Snapshot) -> str:
    """Return the one block a service puts into its prompt, both documents in it.

    Raises:
        Unreadable: a document cannot be read or its limit is not known.
    """
    sections: list[str] = []
    for target, title in GENERIC_TITLES.items():
        document = _readable(snapshot.document(target))
        limit = _known(target, snapshot.limits.get(target))
        head = f"{title} [{percent(document.size, limit)}% - {document.size}/{limit} characters]"
        sections.append("\n".join([head, DELIMITER.join(document.entries)] if document.entries else [head]))
    return f"<{MEMORY_DATA_TAG}>\n" + "\n\n".join(sections) + f"\n</{MEMORY_DATA_TAG}>"


def hermes_block(document: Document, limit: int | None, verdict: Callable[[str], Sequence[str]]) -> str:
    """Return the block of one document as it stands in a prompt of Hermes; empty when it has no entries.

    Args:
        document: the document.
        limit: its limit in code points.
        verdict: names the threat patterns for which Hermes blanks an entry; empty for one it keeps.

    Raises:
        Unreadable: the document cannot be read or its limit is not known.
    """
    _readable(document)
    if not document.entries:
        return ""
    bound = _known(document.target, limit)
    shown = tuple(_as_hermes_shows(document.target, entry, verdict) for entry in document.entries)
    size = size_of(shown)
    head = f"{HERMES_TITLES[document.target]} [{percent(size, bound)}% — {size:,}/{bound:,} chars]"
    return "\n".join([RULE_LINE, head, RULE_LINE, DELIMITER.join(shown)])


def hermes_blocks(snapshot: Snapshot, targets: Sequence[Target], verdict: Callable[[str], Sequence[str]]) -> str:
    """Return the blocks of several documents as they follow each other in a system prompt of Hermes."""
    blocks = [
        hermes_block(snapshot.document(target), snapshot.limits.get(target), verdict)
        for target in HERMES_TITLES
        if target in targets
    ]
    return "\n\n".join(block for block in blocks if block)


def _as_hermes_shows(target: Target, entry: str, verdict: Callable[[str], Sequence[str]]) -> str:
    """Return an entry or the placeholder for it; one that looks like a placeholder passes unscanned."""
    patterns = () if entry.startswith(_PLACEHOLDER) else tuple(verdict(entry))
    if not patterns:
        return entry
    return (
        f"{_PLACEHOLDER} {FILE_NAMES[target]} entry contained threat pattern(s): {', '.join(patterns)}. "
        "Removed from system prompt; use memory(action=remove) to delete the original.]"
    )


def _readable(document: Document) -> Document:
    if not document.usable:
        raise Unreadable(
            f"{FILE_NAMES[document.target]} cannot be read: {document.trouble}",
            way_out="Nothing is shown in its place: an unreadable document is not an empty one.",
        )
    return document


def _known(target: Target, limit: int | None) -> int:
    if limit is None:
        raise Unreadable(
            f"The limit of {FILE_NAMES[target]} is not known, so its block cannot be rendered.",
            way_out="Mend the limit in the configuration of the store.",
        )
    return limit
