"""Hermes homes for tests: made by hand, from a numbered case, or copied from one that Hermes itself wrote.

Here: building folders and files. Not here: any rule about what is in them.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).parent
FIXTURE_HOME = TESTS / "fixtures" / "hermes-home"
CASES_FILE = TESTS / "cases" / "cases.json"
_CONFIG_KEYS = ("memory_char_limit", "user_char_limit")


def make_home(
    path: Path,
    *,
    memory: str | bytes | None = None,
    user: str | bytes | None = None,
    pending: Iterable[Mapping[str, Any]] = (),
    raw_files: Mapping[str, bytes] | None = None,
    config: Mapping[str, Any] | None = None,
    profile: str | None = None,
) -> Path:
    """Build a home as Hermes would and return it.

    Args:
        path: the root; made where it is missing.
        memory: MEMORY.md, text or exact bytes; None leaves it missing.
        user: USER.md, likewise.
        pending: records, each written to ``pending/memory/<id>.json``.
        raw_files: exact bytes of further files of ``pending/memory`` by name.
        config: keys of the section ``memory`` of config.yaml; with a key ``memory`` the whole file.
        profile: build this profile below the root instead of the root itself; the root gets a SOUL.md.

    Returns:
        The folder that was built: ``path``, or the profile's folder.
    """
    _folder(path)
    home = path
    if profile is not None:
        (path / "SOUL.md").touch()
        home = _folder(_folder(path / "profiles") / profile)
    memories = _folder(home / "memories")
    for name, content in (("MEMORY.md", memory), ("USER.md", user)):
        if content is not None:
            write(memories / name, content.encode() if isinstance(content, str) else content)
    queue = _folder(_folder(home / "pending") / "memory")
    for record in pending:
        stage(home, record)
    for name, raw in (raw_files or {}).items():
        write(queue / name, raw)
    if config:
        whole = dict(config) if "memory" in config else {"memory": dict(config)}
        write(home / "config.yaml", yaml.safe_dump(whole, allow_unicode=True).encode())
    return home


def stage(home: Path, record: Mapping[str, Any]) -> Path:
    """Write one record as Hermes does and return its file."""
    file = home / "pending" / "memory" / f"{record['id']}.json"
    write(file, json.dumps(record, ensure_ascii=False, indent=2).encode())
    return file


def stage_skill(home: Path, item: str, action: str, **payload: Any) -> Path:
    """Write one skill record as Hermes does and return its file."""
    queue = _folder(_folder(home / "pending") / "skills")
    made = {
        "id": item,
        "subsystem": "skills",
        "action": action,
        "summary": f"{action} '{payload.get('name')}'",
        "origin": "assistant_tool",
        "created_at": 1790000000.5,
        "payload": {"action": action, "replace_all": False, **payload},
    }
    write(queue / f"{item}.json", json.dumps(made, ensure_ascii=False, indent=2).encode())
    return queue / f"{item}.json"


def install_skill(home: Path, folder: str, text: str) -> Path:
    """Install a skill as Hermes lays it out and return its folder."""
    path = _folder(home / "skills" / folder)
    write(path / "SKILL.md", text.encode())
    return path


def record(
    item: str, action: str, content: str | None = None, old_text: str | None = None, **more: Any
) -> dict[str, Any]:
    """Return a record with one operation; ``target``, ``created_at``, ``origin`` and ``summary`` may be given."""
    return {
        "id": item,
        "subsystem": "memory",
        "action": action,
        "summary": more.get("summary", ""),
        "origin": more.get("origin", "assistant_tool"),
        "created_at": more.get("created_at", 1790000000.5),
        "payload": {
            "action": action,
            "target": more.get("target", "memory"),
            "content": content,
            "old_text": old_text,
        },
    }


@lru_cache
def _cases() -> dict[str, Any]:
    return {case["id"]: case for case in json.loads(CASES_FILE.read_text(encoding="utf-8"))}


def load_case(name: str) -> dict[str, Any]:
    """Return one numbered case, for example ``T07``."""
    case: dict[str, Any] = _cases()[name]
    return case


def home_for_case(path: Path, name: str) -> Path:
    """Build the world a case starts from and return the home."""
    given = load_case(name)["input"]
    memory = given.get("memory")
    if "memory_bytes_hex" in given:
        memory = bytes.fromhex(given["memory_bytes_hex"])
    config = {key: value for key, value in given.get("config", {}).items() if key in _CONFIG_KEYS}
    raw_files = {file: text.encode() for file, text in given.get("pending_raw_files", {}).items()}
    home = make_home(
        path,
        memory=memory,
        user=given.get("user"),
        pending=given.get("pending", ()),
        raw_files=raw_files,
        config=config,
    )
    if name == "T25":
        vault = _folder(home / "vault")
        write(vault / "MEMORY.md", b"Uses zsh")
        (vault / "MEMORY.md").chmod(0o660)
        (home / "memories" / "MEMORY.md").symlink_to("../vault/MEMORY.md")
    return home


def fixture_home(path: Path) -> Path:
    """Copy the home that Hermes 0.19.0 wrote (28 records, profile ``work``, sessions) and return the copy."""
    shutil.copytree(FIXTURE_HOME, path)
    for folder, _, files in os.walk(path):
        Path(folder).chmod(0o700)
        for file in files:
            (Path(folder) / file).chmod(0o600)
    return path


def picture(path: Path) -> dict[str, tuple[str, bytes, int, int]]:
    """Return kind, bytes, mode and modification time of everything below a folder, to show that nothing changed."""
    found: dict[str, tuple[str, bytes, int, int]] = {}
    for folder, folders, files in os.walk(path):
        for name in (".", *folders, *files):
            member = Path(folder) / name
            status = member.lstat()
            content = member.read_bytes() if name in files and member.is_file() and not member.is_symlink() else b""
            kind = "folder" if member.is_dir() else "file"
            found[str(member.relative_to(path))] = (kind, content, status.st_mode, status.st_mtime_ns)
    return found


def write(file: Path, raw: bytes) -> None:
    """Write a file for its owner only."""
    file.write_bytes(raw)
    file.chmod(0o600)


def _folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)
    return path
