"""Building the demo home: Hermes's files as Hermes writes them, a past that went through the real desk, and sessions.

Here: writing files into a new folder. Not here: the texts (``world``). The past decisions are carried out by the same
door as everything else, with a clock set back, so that backups, ledger and undo of the demo are real.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from curator_tui.core.documents import FILE_NAMES, Target, render
from curator_tui.core.errors import UsageError
from curator_tui.core.requests import Decision, ReasonCode, Verb
from curator_tui.curator.desk import Desk
from curator_tui.demo import world
from curator_tui.demo.sessions import SessionWriter
from curator_tui.demo.skills import write_skills
from curator_tui.demo.world import DAY, Staged

_CONFIG = "memory:\n  write_approval: true\nskills:\n  write_approval: true\n_config_version: 33\n"


def build(path: Path, now: float | None = None) -> Path:
    """Build the demo home in a folder that does not exist yet or is empty.

    Args:
        path: where; parents must exist.
        now: the moment the demo is built for, UTC seconds; the present when None.

    Returns:
        The home.

    Raises:
        UsageError: there is something at that place already; it is left as it is.
    """
    path = Path(os.path.abspath(path))
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path} exists and is not an empty folder.", way_out="Name another place with --keep.")
    moment = time.time() if now is None else now
    user = _before(world.USER_ENTRIES, world.EARLIER_USER)
    _one_home(path, user, _before(world.MEMORY_ENTRIES, world.EARLIER_MEMORY))
    _past(path, moment)
    _wait(path, world.WAITING, moment)
    for name, raw in world.BROKEN:
        _write(path / "pending" / "memory" / name, raw)
    work = path / "profiles" / "work"
    _one_home(work, world.WORK_USER, world.WORK_MEMORY)
    _wait(work, world.WORK_WAITING, moment)
    write_skills(path, moment, _write)
    return path


def _before(entries: Sequence[str], earlier: dict[str, str]) -> tuple[str, ...]:
    """Return the entries as they stood before the demo's own history."""
    approved = [record.payload for record, how, _ in world.DECIDED if how == "approve"]
    added = {payload["content"] for payload in approved if payload["action"] == "add"}
    return tuple(earlier.get(entry, entry) for entry in entries if entry not in added)


def _write(path: Path, raw: bytes, mode: int = 0o600) -> None:
    path.write_bytes(raw)
    path.chmod(mode)


def _one_home(path: Path, user: Sequence[str], memory: Sequence[str]) -> None:
    for folder in (path, path / "memories", path / "pending", path / "pending" / "memory", path / "pending" / "skills"):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write(path / "config.yaml", _CONFIG.encode())
    _write(path / "SOUL.md", b"You are a careful assistant.\n", 0o644)
    for target, entries in ((Target.USER, user), (Target.MEMORY, memory)):
        _write(path / "memories" / FILE_NAMES[target], render(entries))


def _stage(home: Path, staged: Staged, at: float, names: random.Random) -> str:
    name = f"{names.getrandbits(32):08x}"
    action = str(staged.payload["action"])
    record: dict[str, Any] = {
        "id": name,
        "subsystem": "memory",
        "action": action,
        "summary": _summary(staged.payload),
        "origin": staged.origin,
        "created_at": round(at, 6),
        "payload": staged.payload,
        **staged.extra,
    }
    raw = json.dumps(record, ensure_ascii=False, indent=2).encode()
    _write(home / "pending" / "memory" / f"{name}.json", raw, 0o644)
    return name


def _summary(payload: dict[str, Any]) -> str:
    where = "user profile" if payload.get("target") == "user" else "memory"
    action = payload["action"]
    if action == "add":
        return f"add to {where}: {str(payload.get('content') or payload.get('text'))[:120]}".strip()
    if action == "replace":
        return f"replace in {where}: old: {payload['old_text']}\nnew: {payload['content'][:100]}".strip()
    if action == "remove":
        return f"remove from {where}: {payload['old_text']}"
    return f"apply {len(payload.get('operations', []))} op(s) to {where}"


def _wait(home: Path, records: Sequence[Staged], now: float) -> None:
    names = random.Random(f"demo {home.name}")  # noqa: S311 - stable ids for a demo, no secret
    sessions = SessionWriter(home / "state.db", names)
    for staged in records:
        at = now - staged.age
        name = _stage(home, staged, at, names)
        if staged.origin != "background_review":
            sessions.turn(staged.said or "Please keep this in mind.", staged.payload, name, at)
        elif staged.said:
            sessions.chat(staged.said, at - 300)
    sessions.close()


def _past(home: Path, now: float) -> None:
    """Let earlier records be decided through the real desk, each at its own time."""
    from curator_tui.curator.opening import open_desk

    names = random.Random("demo past")  # noqa: S311 - stable ids for a demo, no secret
    for staged, how, days in world.DECIDED:
        at = now - days * DAY
        name = _stage(home, replace(staged, age=0), at - 3600, names)
        opened = open_desk(home=home, profile="default", environ={}, through="tui")
        desk = Desk(opened.store, opened.actor, clock=partial(float, at))
        verb = Verb.APPROVE if how == "approve" else Verb.REJECT
        reason = None if verb is Verb.APPROVE else ReasonCode.NOT_USEFUL
        receipt = desk.decide([Decision(name, verb, reason=reason, seen="100%")])
        desk.close()
        if not receipt.done:
            raise AssertionError(f"the demo's history does not apply: {receipt.not_applied}")
