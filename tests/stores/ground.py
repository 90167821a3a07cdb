"""Where the tests of the store stand: a folder of Hermes homes, or databases of either engine, by the same few words.

Here: a place of a database as the helpers of ``homes`` take it, and the ground that gives places out. Not here: homes
(``homes``), what is tested.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation
from curator_tui.stores.sql.opening import open_database
from curator_tui.stores.sql.records import record_bytes
from curator_tui.stores.sql.scopes import Whose
from curator_tui.stores.sql.store import SqlStore
from curator_tui.stores.sql.transacting import Patience
from tests import databases
from tests.postgres import CURATOR, Server

FILE = "memory.db"
KINDS = ("hermes", "sqlite", "postgres")
ADA = Whose("acme", "ada", "")


@dataclass
class Scope:
    """One scope of a database of its own; made when it is first asked for.

    Attributes:
        kind: ``sqlite`` or ``postgres``.
        folder: where a file may lie.
        server: where the others are.
    """

    kind: str
    folder: Path
    server: Server | None
    made: list[databases.Place] = field(default_factory=list)

    @property
    def place(self) -> databases.Place:
        if not self.made and self.kind == "sqlite" and (self.folder / FILE).exists():
            self.made.append(databases.empty(self.kind, self.folder, None))
        if not self.made:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.made.append(databases.made(self.kind, self.folder, self.server))
        return self.made[0]

    def open(self, wait: float = 5.0) -> SqlStore:
        return SqlStore(open_database(self.place.address), ADA, Patience(wait))

    def fill(self, documents: Mapping[Target, bytes | None], records: Mapping[str, tuple[str, str]]) -> None:
        """Write documents as a service does, and let an agent stage records."""
        for target, raw in documents.items():
            if raw is not None:
                self.write(target, raw)
        for name, (content, target) in records.items():
            self.add(name, content, target)

    def write(self, target: Target, raw: bytes | None) -> None:
        """Let another program write a document, past the store."""
        self.place.change("DELETE FROM agent_memory WHERE user_id = 'ada' AND memory_type = ?", str(target))
        if raw is not None:
            self.place.change(
                "INSERT INTO agent_memory (tenant_id, user_id, memory_type, content) VALUES ('acme', 'ada', ?, ?)",
                str(target),
                raw.decode(),
            )

    def add(self, name: str, content: str, target: str = "memory") -> None:
        """Let an agent stage a record that adds one entry, or write another in its place."""
        raw = record_bytes([Operation(Action.ADD, Target(target), content=content)], created_at=1.0)
        self.take(name)
        store = self.open()
        assert store.stage([(name, raw)], "an agent") == ()
        store.close()

    def take(self, name: str) -> None:
        """Let another program take a record away."""
        self.place.change("DELETE FROM memory_proposals WHERE id = ?", name)

    def documents(self) -> dict[Target, bytes | None]:
        rows = self.place.rows("SELECT memory_type, content FROM agent_memory WHERE user_id = 'ada'")
        found = {Target(name): str(content).encode() for name, content in rows}
        return {target: found.get(target) for target in Target}

    def waiting(self) -> dict[str, bytes]:
        return {f"{name}.json": bytes(raw) for name, raw in self.place.rows("SELECT id, body FROM memory_proposals")}

    def copied(self, to: Scope) -> Scope:
        """Copy everything there is."""
        if self.server is None:
            to.folder.mkdir(parents=True, exist_ok=True)
            to.made.append(databases.empty(self.kind, to.folder, None))
            self.place.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            Path(to.place.address.file).write_bytes(Path(self.place.address.file).read_bytes())
            return to
        name = self.place.url.split("/")[3].split("?")[0]
        until = time.monotonic() + 10
        while True:
            try:
                to.made.append(
                    databases.Place(self.server.as_login(self.server.database(template=name), CURATOR), self.server)
                )
            except psycopg.errors.ObjectInUse:  # somebody who was killed is not quite gone
                assert time.monotonic() < until
                time.sleep(0.02)
            else:
                return to


def place_of(path: Path | Scope) -> Path | Scope:
    """Return the scope whose file lies in a folder, and the folder where it is a home: sweeps name both by a path."""
    # in a sweep this look may be the one that fails, and pathlib would raise it
    return Scope("sqlite", path, None) if isinstance(path, Path) and os.path.exists(path / FILE) else path


@dataclass(frozen=True)
class Ground:
    """Gives places out by name, as a folder does: ``ground / "home"``."""

    kind: str
    folder: Path
    server: Server | None

    def __truediv__(self, name: str) -> Path | Scope:
        if self.kind == "hermes":
            return self.folder / name
        return Scope(self.kind, self.folder / name, self.server)
