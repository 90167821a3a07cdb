"""Probes: what an operator should know, looked up without changing anything.

Here: the session history against the live documents. Not here: what is worth knowing about a store's own place (the
stores), whether our own parts agree (``doctor``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator_tui.core.documents import FILE_NAMES, TARGETS, Target
from curator_tui.core.errors import StoreError
from curator_tui.core.prompt import HERMES_TITLES, hermes_block
from curator_tui.core.scanning import hermes_verdict
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.evidence.hermes_sessions import HermesSessions

_HEADER = {target: re.compile(re.escape(title) + r" \[([^\]\n]*)\]") for target, title in HERMES_TITLES.items()}


def place_notes(desk: Desk) -> Iterator[str]:
    """Return what is worth knowing about where a desk's memory and sessions are kept; a probe that fails says so."""
    yield from desk.store.probe()
    if isinstance(desk.evidence, HermesSessions):
        yield from _session_notes(desk, desk.evidence)


def _session_notes(desk: Desk, sessions: HermesSessions) -> Iterator[str]:
    health = sessions.health()
    if health["note"]:
        yield str(health["note"])
    messages, indexed = health["messages"], health["indexed"]
    if messages is not None and indexed is not None and messages != indexed:
        yield f"the full-text index of the session history has {indexed} rows for {messages} messages"
    newest = sessions.newest_block()
    if newest is not None:
        session, prompt = newest
        for target in TARGETS:
            yield from _block_note(desk, target, visible(session, newlines=False), prompt)


def _block_note(desk: Desk, target: Target, session: str, prompt: str) -> Iterator[str]:
    """Compare the live document with the block the newest session read."""
    snapshot = desk.snapshot()
    try:
        live = hermes_block(snapshot.document(target), snapshot.limits.get(target), hermes_verdict)
    except StoreError:
        return
    header = _HEADER[target].search(prompt)
    name = FILE_NAMES[target]
    if live and live in prompt:
        return
    if header is not None:
        read = visible(header.group(1), newlines=False)
        yield (
            f"{name} differs from what the newest session {session} read ({read}); agents read it at their next session"
        )
    elif live:
        yield f"{name} is not in the prompt of the newest session {session}"
