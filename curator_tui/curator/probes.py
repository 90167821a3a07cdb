"""Probes: what an operator of a Hermes home should know, looked up without changing anything.

Here: leftovers of Hermes, its locks, its session history against the live documents. Not here: whether our
own parts agree (``doctor``).
"""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterator

from curator_tui.core.documents import FILE_NAMES, TARGETS, Target
from curator_tui.core.errors import StoreError
from curator_tui.core.prompt import HERMES_TITLES, hermes_block
from curator_tui.core.scanning import hermes_verdict
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.evidence.hermes_sessions import HermesSessions
from curator_tui.stores.book.book import FOLDER_NAME, is_of_another_folder
from curator_tui.stores.file_errors import describe
from curator_tui.stores.hermes.locks import LOCK_SUFFIX, OWN_LOCK, held
from curator_tui.stores.hermes.reading import MEMORIES, open_inside
from curator_tui.stores.hermes.store import HermesStore
from curator_tui.stores.safe_files import Folder

_DRIFT_COPY = re.compile(r"(?:MEMORY|USER)\.md\.bak\.\d+")
_LEFT_BEHIND = re.compile(r"\.mem_.*\.tmp")
_HEADER = {target: re.compile(re.escape(title) + r" \[([^\]\n]*)\]") for target, title in HERMES_TITLES.items()}


def home_notes(desk: Desk) -> Iterator[str]:
    """Return what is worth knowing about the home of a desk; a probe that fails says so."""
    if isinstance(desk.store, HermesStore):
        yield from _looked_into(desk.store.home, MEMORIES, _file_notes)
        yield from _looked_into(desk.store.home, FOLDER_NAME, _own_notes)
        yield from _copied_note(desk.store)
    if isinstance(desk.evidence, HermesSessions):
        yield from _session_notes(desk, desk.evidence)


def _looked_into(home: Folder, name: str, look: Callable[[Folder], Iterator[str]]) -> Iterator[str]:
    """Look into a folder of the home where there is one; one that may not be looked at is itself worth a note."""
    try:
        folder = open_inside(home, name)
        if folder is not None:
            with folder:
                yield from look(folder)
    except StoreError as error:
        yield f"the folder {name} cannot be looked at: {error.message}"


def _own_notes(folder: Folder) -> Iterator[str]:
    if held(folder, OWN_LOCK):
        yield "another curator-tui is writing to this home right now"


def _copied_note(store: HermesStore) -> Iterator[str]:
    """Say that the book was made beside another home, or in another folder: the next decision goes on beside it."""
    try:
        is_copy = is_of_another_folder(store.home, store.book)
    except StoreError:
        return  # a book that cannot be read is told among the problems
    if is_copy:
        yield (
            "the book was written in another folder: this home is a copy, or its folder was put back; with the next "
            "decision its ledger goes on as a chain of its own, which names the one so far"
        )


def _file_notes(folder: Folder) -> Iterator[str]:
    names = folder.names()
    if copies := [name for name in names if _DRIFT_COPY.fullmatch(name)]:
        yield (
            f"drift copies: {len(copies)} (newest {visible(max(copies))}); Hermes refused to change a "
            "hand-edited document that often; nothing removes them"
        )
    if left := [name for name in names if _LEFT_BEHIND.fullmatch(name)]:
        yield f"temporary files (.mem_*.tmp): {len(left)}, left behind by a Hermes killed while writing"
    for target in TARGETS:
        yield from _document_file(folder, FILE_NAMES[target])
        yield from _lock_file(folder, FILE_NAMES[target])


def _document_file(folder: Folder, name: str) -> Iterator[str]:
    status = folder.stat(name)
    if status is not None and stat.S_ISLNK(status.st_mode):
        yield f"{name} is a symbolic link; the file behind it is replaced and the link stays"


def _lock_file(folder: Folder, document: str) -> Iterator[str]:
    name = document + LOCK_SUFFIX
    status = folder.stat(name)
    if status is None or not stat.S_ISREG(status.st_mode):  # what is no file is told by the store itself
        return
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        yield f"{name} can be locked by others ({describe(status)})"
    holding = held(folder, name)
    if holding:
        yield f"{name} is held right now: an agent or another curator is writing {document}"
    elif holding is None:
        yield f"whether {name} is held right now cannot be told on this system"


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
