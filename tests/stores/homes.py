"""Small homes and hand-made plans for the tests of the store: no rule of the core takes part.

Whatever takes a home takes a scope of a database in its place (``ground``), so that one test serves every store.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, overload

from msgspec.structs import replace

from curator_tui.core.changes import (
    Applied,
    Change,
    Closed,
    Image,
    KeptText,
    NotApplied,
    Planner,
    Receipt,
    Returned,
    View,
)
from curator_tui.core.documents import FILE_NAMES, TARGETS, Target, parse, size_of
from curator_tui.core.endings import Ending
from curator_tui.core.ledger import committed, item_name, new_row
from curator_tui.core.requests import Actor, ActorKind, Decision, Kind, Request, Stamp, Verb
from curator_tui.stores.hermes.home import Binding
from curator_tui.stores.hermes.locks import Waits
from curator_tui.stores.hermes.store import HermesStore
from curator_tui.stores.port import Mended
from curator_tui.stores.sql.store import SqlStore
from tests.stores.ground import Scope, place_of

P = TypeVar("P", Path, Scope, Path | Scope)
MEMORY = Target.MEMORY
USER = Target.USER
ME = Actor(ActorKind.PERSON, "ada", "test")
AT = 1_796_000_000.25


def make_home(path: P, memory: bytes | None = b"one", user: bytes | None = b"who", records: int = 3) -> P:
    """Write a home with two documents and some waiting records ``item0`` …; each adds one entry."""
    if isinstance(path, Scope):
        waiting = {
            f"item{number}": (f"fact {number}", "user" if number == 1 else "memory") for number in range(records)
        }
        path.fill({MEMORY: memory, USER: user}, waiting)
        return path
    (path / "memories").mkdir(parents=True)
    (path / "pending" / "memory").mkdir(parents=True)
    (path / "config.yaml").write_text("memory:\n  write_approval: true\n")
    for target, raw in ((MEMORY, memory), (USER, user)):
        if raw is not None:
            (path / "memories" / FILE_NAMES[target]).write_bytes(raw)
    for number in range(records):
        add_record(path, f"item{number}", f"fact {number}", "user" if number == 1 else "memory")
    for folder in (path, path / "memories", path / "pending", path / "pending" / "memory"):
        folder.chmod(0o700)
    return path


def add_record(path: Path | Scope, name: str, content: str, target: str = "memory") -> None:
    """Write one waiting record as Hermes does, or as an agent stages it."""
    path = place_of(path)
    if isinstance(path, Scope):
        path.add(name, content, target)
        return
    payload = {"action": "add", "target": target, "content": content, "old_text": None}
    record = {"id": name, "subsystem": "memory", "action": "add", "origin": "assistant_tool", "created_at": 1.0}
    file = path / "pending" / "memory" / f"{name}.json"
    file.write_text(json.dumps({**record, "payload": payload}))


def take_record(path: Path | Scope, name: str) -> None:
    """Let another program take a waiting record away."""
    path = place_of(path)
    if isinstance(path, Scope):
        path.take(name)
    else:
        (path / "pending" / "memory" / f"{name}.json").unlink()


def write_document(path: Path | Scope, target: Target, raw: bytes | None) -> None:
    """Let another program, which takes no locks, write a document or take it away."""
    path = place_of(path)
    if isinstance(path, Scope):
        path.write(target, raw)
        return
    file = path / "memories" / FILE_NAMES[target]
    if raw is None:
        file.unlink()
    else:
        file.write_bytes(raw)


@overload
def open_store(path: Path, wait: float = 5.0) -> HermesStore: ...
@overload
def open_store(path: Scope, wait: float = 5.0) -> SqlStore: ...
@overload
def open_store(path: Path | Scope, wait: float = 5.0) -> HermesStore | SqlStore: ...
def open_store(path: Path | Scope, wait: float = 5.0) -> HermesStore | SqlStore:
    """Bind and open a home, or a scope of a database."""
    path = place_of(path)
    if isinstance(path, Scope):
        return path.open(wait)
    binding = Binding(path, path, "default", str(path))
    return HermesStore(binding, {}, Waits(wait))


def mend(store: HermesStore | SqlStore) -> Mended:
    """Finish or undo what was interrupted, and remove what was left behind."""
    return store.recover(stamp("mend"))


def stamp(name: str, actor: Actor = ME) -> Stamp:
    """Return a stamp that is the same for the same name, so that a repeated run does the same."""
    digest = hashlib.sha256(name.encode())
    return Stamp(actor, f"operation {name}", digest.hexdigest()[:16], AT, digest.digest())


def decide(name: str, ids: Sequence[str], verb: Verb = Verb.APPROVE) -> Request:
    """Return a request for decisions about these items."""
    return Request(stamp(name), Kind.DECIDE, tuple(Decision(item, verb) for item in ids))


def correct(name: str) -> Request:
    """Return a request that may write documents and names no item."""
    return Request(stamp(name), Kind.CORRECT)


def reopen(name: str, ids: Sequence[str]) -> Request:
    """Return a request that names decided items."""
    return Request(stamp(name), Kind.REOPEN, reopen=tuple(ids))


Edit = Callable[[bytes | None], bytes | None]


def added(text: str) -> Edit:
    """Return an edit that appends one entry, once."""

    def edit(raw: bytes | None) -> bytes:
        entries = parse(MEMORY, raw).entries
        return raw or b"" if text in entries else ((raw + "\n§\n".encode()) if raw else b"") + text.encode()

    return edit


def deleted(_: bytes | None) -> None:
    """Delete a document."""


def planned(edits: Mapping[Target, Edit] | None = None, *, image: bool = True) -> Planner:
    """Return a plan that edits documents, closes what the request decides and returns what it reopens."""

    def plan(view: View, request: Request) -> Change:
        waiting = {name for name, found in view.waiting.items() if not found.proposal.unreadable}
        missed = [NotApplied(name, "decided", "gone", "gone") for name in _named(request) if name not in waiting]
        unreadable = [target for target in edits or {} if not view.snapshot.document(target).usable]
        missed += [NotApplied("", "unreadable", "unreadable", str(target)) for target in unreadable]
        if missed:
            receipt = Receipt(None, request.kind, not_applied=tuple(missed))
            return Change(request.stamp.change, request.kind, receipt)
        return _change(view, request, edits or {}, image)

    return plan


def _change(view: View, request: Request, edits: Mapping[Target, Edit], image: bool) -> Change:
    mine = request.stamp.change
    before = {target: view.snapshot.document(target).raw for target in edits}
    after = {target: edits[target](before[target]) for target in edits}
    salts: list[KeptText] = []

    def part(what: str, raw: bytes | None) -> dict[str, object]:
        if raw is None:
            return {"absent": True}
        salts.append(KeptText(f"{mine}:{what}", "salt", b"", request.stamp.salt(what)))
        return committed(request.stamp.salt(what), raw, size_of(parse(MEMORY, raw).entries))

    documents = {
        str(target): {"before": part(f"{target}:before", before[target]), "after": part(f"{target}:after", raw)}
        for target, raw in after.items()
    }
    name = f"20261130T000000.250Z-{mine}"
    usable = {t: view.snapshot.document(t).raw for t in TARGETS if view.snapshot.document(t).usable}
    images = (Image(name, usable, "before a test"),) if image and after else ()
    image_part = {
        FILE_NAMES[target]: part(f"image:{name}:{target}", raw) for made in images for target, raw in made.files.items()
    }
    named = [(item, view.waiting[item]) for item in _named(request)]
    closed = tuple(
        Closed(item, found.proposal.digest, _ending(request, item), found.raw, found.proposal.targets)
        for item, found in named
    )
    returned = tuple(
        Returned(item, found.raw, found)
        for item in request.reopen
        if item not in view.occupied and (found := view.decided.get(item)) is not None and found.raw is not None
    )
    decisions = [
        {
            "proposal": item_name(item.proposal),
            "decision": item.ending,
            "record": part(f"record:{item_name(item.proposal)}", item.keep),
        }
        for item in closed
    ]
    decisions += [{"proposal": item_name(item.proposal), "decision": "returned"} for item in returned]
    row = new_row(
        request.stamp,
        str(request.kind),
        decisions=decisions,
        documents=documents,
        backup=images[0].id if images else None,
        image=image_part,
    )
    known = usable | after
    receipt = Receipt(
        mine,
        request.kind,
        applied=tuple(Applied(item.proposal, item.ending) for item in closed),
        returned=tuple(item.proposal for item in returned),
        backup=images[0].id if images else None,
    )
    return Change(
        mine,
        request.kind,
        receipt,
        documents=after,
        before=before,
        images=images,
        closed=closed,
        returned=returned,
        rows=(row,),
        texts=tuple(salts),
        known=known,
    )


def _ending(request: Request, item: str) -> Ending:
    return next(Ending(decision.verb) for decision in request.decisions if decision.proposal == item)


def undone(change: Change, name: str) -> Change:
    """Return the change as one that takes back another."""
    rows = ({**change.rows[0], "reverts": name, "takebacks": [name]},)
    return replace(change, rows=rows, reverts=name, takebacks=(name,))


def documents(path: Path | Scope) -> dict[str, bytes | None]:
    """Return the bytes of both documents."""
    path = place_of(path)
    if isinstance(path, Scope):
        return {FILE_NAMES[target]: raw for target, raw in path.documents().items()}
    files = {name: path / "memories" / name for name in FILE_NAMES.values()}
    return {name: file.read_bytes() if file.exists() else None for name, file in files.items()}


def waiting(path: Path | Scope) -> dict[str, bytes]:
    """Return the waiting records by file name."""
    path = place_of(path)
    if isinstance(path, Scope):
        return dict(sorted(path.waiting().items()))
    folder = path / "pending" / "memory"
    return {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder)) if name.endswith(".json")}


def _named(request: Request) -> tuple[str, ...]:
    """Return the items that the request decides."""
    return tuple(decision.proposal for decision in request.decisions)


def copy_home(source: P, to: P) -> P:
    """Copy a home so that its book takes the copy for the original."""
    if isinstance(found := place_of(source), Scope):
        found.copied(to if isinstance(to, Scope) else Scope("sqlite", to, None))
        return to
    assert isinstance(source, Path)
    assert isinstance(to, Path)
    shutil.copytree(source, to, symlinks=True)
    file = to / "curator-tui" / "book.sqlite"
    if file.exists() and file.stat().st_size:
        connection = sqlite3.connect(file, isolation_level=None)
        connection.execute("PRAGMA synchronous=OFF")
        for name, folder in (("home inode", to), ("folder inode", to / "curator-tui")):
            inode = str(folder.stat().st_ino)
            connection.execute("UPDATE memory_meta SET value = ? WHERE name = ?", (inode, name))
        connection.close()
    return to
