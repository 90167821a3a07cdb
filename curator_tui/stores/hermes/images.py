"""Images: plain copies of both documents in ``memories/backups``, readable without us.

Here: building, placing, listing and reading them. Not here: when one is due (``core.recording``), their commitments
(the ledger row that names an image), retention.

One image is a folder ``<UTC stamp>-<change>`` with MEMORY.md and USER.md byte for byte, as far as they existed, and
``about.json``. It is built under another name (``.part``), so a folder under its final name is complete and one under
the other is never needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from curator_tui.core.changes import Backup, Image
from curator_tui.core.documents import FILE_NAMES, Target
from curator_tui.core.errors import NoStore, StoreError, Unreadable
from curator_tui.core.operations import Problem
from curator_tui.core.text import visible
from curator_tui.core.times import utc_text
from curator_tui.stores.failpoints import hit
from curator_tui.stores.hermes.names import DOCUMENT_LIMIT
from curator_tui.stores.new_files import NewFiles
from curator_tui.stores.safe_files import Folder

BACKUPS = "backups"
PART_SUFFIX = ".part"
ABOUT = "about.json"
_NAME = re.compile(r"\d{8}T\d{6}(?:\.\d+)?Z-[A-Za-z0-9_-]{1,64}")


def is_part(name: str) -> bool:
    """Whether a name is that of an image under construction."""
    return name.endswith(PART_SUFFIX) and _NAME.fullmatch(name.removesuffix(PART_SUFFIX)) is not None


def build(backups: Folder, image: Image, change: str, at: float, files: NewFiles) -> None:
    """Write an image under its working name; ``files`` and then :func:`sync` make it durable.

    Raises:
        WriteFailed: it cannot be written; what was begun is removed with the other leftovers of the change.
    """
    part = image.id + PART_SUFFIX
    backups.make_folder(part)
    with backups.open_folder(part) as folder:
        for target, raw in image.files.items():
            if raw is not None:
                files.write(folder, FILE_NAMES[target], raw)
                hit("image_file_written")
        files.write(folder, ABOUT, _about(image, change, at))
    hit("image_written")


def sync(backups: Folder, name: str) -> None:
    """Make the entries of an image that is still being built durable (not the folder that holds it).

    Raises:
        WriteFailed: its folder cannot be synced.
    """
    with backups.open_folder(name + PART_SUFFIX) as folder:
        folder.fsync()


def _about(image: Image, change: str, at: float) -> bytes:
    about = {
        "id": image.id,
        "at": utc_text(at),
        "change": change,
        "reason": image.reason,
        "documents": {
            str(target): {"state": _state(raw), "bytes": len(raw or b"")} for target, raw in image.files.items()
        },
    }
    return json.dumps(about, indent=2).encode() + b"\n"


def _state(raw: bytes | None) -> str:
    return "missing" if raw is None else "present" if raw else "empty"


def place(backups: Folder, name: str) -> bool:
    """Give an image its final name; doing it twice is harmless. Return False when there is no such image any more.

    Raises:
        WriteFailed: it cannot be renamed.
    """
    part = name + PART_SUFFIX
    if backups.stat(part) is None:
        return backups.stat(name) is not None
    backups.rename(part, name)
    return True


def withdraw(backups: Folder, name: str) -> bool:
    """Give an image its working name back; return whether it had its final one.

    Raises:
        WriteFailed: it cannot be renamed.
    """
    if backups.stat(name) is None:
        return False
    backups.rename(name, name + PART_SUFFIX)
    return True


def discard(backups: Folder, name: str) -> None:
    """Remove an image that was not placed; a missing one is no error.

    Raises:
        WriteFailed: it cannot be removed.
    """
    part = name + PART_SUFFIX
    if backups.stat(part) is not None:
        backups.remove_folder(part)


def open_backups(memories: Folder | None) -> Folder | None:
    """Open the folder of images for looking; None when there is none."""
    if memories is None or memories.stat(BACKUPS) is None:
        return None
    return memories.open_folder(BACKUPS)


def image_names(backups: Folder) -> list[str]:
    """Return the names of all images, damaged ones included; folders that are not ours are ignored."""
    return [name for name in backups.names() if _NAME.fullmatch(name)]


def list_images(backups: Folder) -> tuple[list[Backup], list[Problem]]:
    """Return every usable image by name, and what is wrong with the others; folders that are not ours are ignored."""
    found: list[Backup] = []
    problems: list[Problem] = []
    for name in image_names(backups):
        try:
            image = read_image(backups, name)
        except StoreError as error:
            problems.append(Problem("backup-damaged", f"backup {visible(name)} cannot be used: {error.message}"))
            continue
        if image is not None:
            found.append(image)
    return found, problems


def read_image(backups: Folder, name: str) -> Backup | None:
    """Read one image; None when no folder has that name.

    Raises:
        Unreadable: it is there but damaged; such an image is never restored.
    """
    if not _NAME.fullmatch(name) or backups.stat(name) is None:
        return None
    try:
        folder = backups.open_folder(name)
    except NoStore as error:
        raise Unreadable(error.message) from error
    with folder:
        about = _read_about(folder)
        if about.get("id") != name:
            raise Unreadable(f"{folder.label(ABOUT)} belongs to another backup.")
        try:
            at = datetime.fromisoformat(str(about["at"])).timestamp()
            files = {Target(target): part for target, part in about["documents"].items()}
            change = str(about["change"]).encode().decode()  # half a surrogate pair is no name the book could hold
        except (KeyError, ValueError, TypeError, AttributeError, OverflowError, OSError) as error:
            raise Unreadable(f"{folder.label(ABOUT)} does not say what it should.") from error
        return Backup(name, at, change, {target: _read_file(folder, target, part) for target, part in files.items()})


def reason_of(backups: Folder, name: str) -> str:
    """Return the words of ``about.json`` for why an image was made; empty where they are none."""
    with backups.open_folder(name) as folder:
        words = _read_about(folder).get("reason")
    return words if isinstance(words, str) else ""


def _read_about(folder: Folder) -> dict[str, Any]:
    raw = folder.read_file(ABOUT)
    if raw is None:
        raise Unreadable(f"{folder.label(ABOUT)} is missing.")
    try:
        about = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{folder.label(ABOUT)} is not JSON.") from error
    if not isinstance(about, dict):
        raise Unreadable(f"{folder.label(ABOUT)} is not an object.")
    return about


def _read_file(folder: Folder, target: Target, part: Mapping[str, Any]) -> bytes | None:
    name = FILE_NAMES[target]
    raw = folder.read_file(name, DOCUMENT_LIMIT)
    if not isinstance(part, dict) or part.get("state") != _state(raw) or part.get("bytes") != len(raw or b""):
        raise Unreadable(f"{folder.label(name)} is not as {ABOUT} says it was.")
    return raw
