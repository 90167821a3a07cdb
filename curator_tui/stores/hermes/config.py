"""Settings of a Hermes home that matter to a curator: limits, the gate, which stores are on, the provider.

Here: reading ``config.yaml`` and the managed layer above it, and saying what could not be honoured. Not here: other
settings, writing any of them.

What cannot be read is unknown, never the default: a limit that is guessed too large lets a document grow past what
Hermes accepts. A key that is not there has Hermes's documented default (``hermes`` section 1.4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from curator_tui.core.documents import DEFAULT_LIMITS, Target
from curator_tui.core.errors import NoStore, StoreError
from curator_tui.core.text import one_line, visible
from curator_tui.stores.hermes.reading import locate
from curator_tui.stores.safe_files import Folder

GATE_COMMAND = "hermes config set memory.write_approval true"
MANAGED_VARIABLE = "HERMES_MANAGED_DIR"
CONFIG_FILE = "config.yaml"
CONFIG_LIMIT = 1 << 20
_MANAGED_FOLDER = "/etc/hermes"

# From this configuration version on Hermes has turned ``write_mode`` into ``write_approval`` and ignores the old key.
_WRITE_APPROVAL_VERSION = 29
_GATE_WORDS = frozenset({"on", "true", "yes", "1", "approve", "enabled"})
_LIMIT_KEYS = {Target.MEMORY: "memory_char_limit", Target.USER: "user_char_limit"}
_STORE_KEYS = {Target.MEMORY: "memory_enabled", Target.USER: "user_profile_enabled"}
# A value that claims a type it does not have, such as a date with month 99, fails as whatever that type raises.
_FROM_VALUES = (ValueError, ArithmeticError, LookupError, AttributeError, TypeError, RecursionError)
_VARIABLE = re.compile(r"\$\{([^}]+)\}")
_LARGE = 10**20
_WHOLE_NUMBER = re.compile(r"\+?[0-9]{1,9}")


class Settings(Struct, frozen=True):
    """What the configuration of one home says.

    Attributes:
        limits: size limit of each document in code points; None means unknown.
        gate: whether Hermes asks before it writes memory (``memory.write_approval``); None means unknown.
        stores: whether each document is in use; None means unknown.
        provider: name of the external memory provider beside the files; empty for none.
        notes: what could not be honoured, in words safe to print.
    """

    limits: Mapping[Target, int | None] = field(default_factory=lambda: dict(DEFAULT_LIMITS))
    gate: bool | None = False
    stores: Mapping[Target, bool | None] = field(default_factory=lambda: dict.fromkeys(Target, True))
    provider: str = ""
    notes: tuple[str, ...] = ()


_UNKNOWN_LIMITS: Mapping[Target, int | None] = dict.fromkeys(Target)


class _NotUsable(Exception):
    """A layer that cannot be used; the text is a note."""


def managed_folder(environ: Mapping[str, str]) -> str:
    """Return the folder of the settings that an administrator forces on every home."""
    return environ.get(MANAGED_VARIABLE, "").strip() or _MANAGED_FOLDER


def read_settings(home: Folder, environ: Mapping[str, str]) -> Settings:
    """Read the settings of a home; never raises for what is in a file.

    Args:
        home: the open home.
        environ: where ``${NAME}`` is looked up, and ``HERMES_MANAGED_DIR``. The ``.env`` of the home is not read.
    """
    notes: list[str] = []
    try:
        layer = _parse(_read_own(home), CONFIG_FILE)
        memory = _memory_section(layer, CONFIG_FILE)
    except _NotUsable as trouble:
        return Settings(_UNKNOWN_LIMITS, None, dict.fromkeys(Target), notes=(str(trouble),))
    _migrate(layer, memory, notes)
    try:
        memory |= _managed(environ, notes)
    except _NotUsable as trouble:
        return Settings(_UNKNOWN_LIMITS, None, dict.fromkeys(Target), notes=(*notes, str(trouble)))
    reader = _Reader(memory, environ, notes)
    return Settings(
        {target: reader.limit(key, DEFAULT_LIMITS[target]) for target, key in _LIMIT_KEYS.items()},
        reader.gate(),
        {target: reader.enabled(key) for target, key in _STORE_KEYS.items()},
        reader.provider(),
        tuple(notes),
    )


# -- layers --------------------------------------------------------------------------------------------------------


def _read_own(home: Folder) -> bytes | None:
    try:
        place = locate(home, CONFIG_FILE)
        if place is None:
            return None
        with place:
            return place.folder.read_file(place.name, CONFIG_LIMIT)
    except StoreError as error:
        raise _NotUsable(f"{error.message} Limits and gate are not known.") from error


def _parse(raw: bytes | None, shown: str) -> dict[str, Any]:
    """Parse one layer; a missing or empty one says nothing."""
    if raw is None:
        return {}
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        value = yaml.load(raw.decode("utf-8-sig"), loader)  # noqa: S506 - both are safe loaders
    except UnicodeDecodeError as error:
        raise _NotUsable(f"{shown} is not UTF-8 (byte {error.start}); its settings are not known.") from error
    except yaml.MarkedYAMLError as error:
        line = f" (line {error.problem_mark.line + 1})" if error.problem_mark is not None else ""
        raise _NotUsable(f"{shown} is not valid YAML{line}; its settings are not known.") from error
    except (yaml.YAMLError, *_FROM_VALUES) as error:
        raise _NotUsable(f"{shown} holds a value that YAML cannot build; its settings are not known.") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _NotUsable(f"{shown} is not a mapping; its settings are not known.")
    return value


def _memory_section(layer: Mapping[str, Any], shown: str) -> dict[str, Any]:
    section = layer.get("memory")
    if section is None:
        return {}
    if not isinstance(section, dict):
        raise _NotUsable(f"memory in {shown} is not a mapping; its settings are not known.")
    return dict(section)


def _migrate(layer: Mapping[str, Any], memory: dict[str, Any], notes: list[str]) -> None:
    """Read an old home as Hermes will at its next start: ``write_mode`` decides, whatever stands beside it."""
    if "write_mode" not in memory or _version(layer.get("_config_version")) >= _WRITE_APPROVAL_VERSION:
        return
    mode = memory["write_mode"]
    approve = isinstance(mode, str) and mode.strip().lower() == "approve"
    memory["write_approval"] = approve
    state = "on" if approve else "off"
    notes.append(f"memory.write_mode is an old key; Hermes turns it into write_approval ({state}) at its next start.")


def _version(value: object) -> int:
    text = _written(value)
    return int(text) if _WHOLE_NUMBER.fullmatch(text) else 0


def _written(value: object) -> str:
    """Return a value in words; one that holds others is named, not written: its aliases may make it endless."""
    if isinstance(value, str) or value is None:
        return str(value)
    if isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < _LARGE):
        return str(value)
    return {list: "a list", dict: "a mapping", int: "a very large number"}.get(type(value), "a value of another type")


def _managed(environ: Mapping[str, str], notes: list[str]) -> dict[str, Any]:
    """Return the memory section of the layer an administrator may lay on top; a broken one Hermes ignores."""
    path = managed_folder(environ)
    shown = visible(f"{path}/{CONFIG_FILE}", newlines=False)
    try:
        with Folder.open(path) as folder:
            layer = _parse(folder.read_file(CONFIG_FILE, CONFIG_LIMIT), shown)
    except NoStore:
        return {}
    except StoreError as error:
        notes.append(f"the managed configuration is not honoured: {error.message}")
        return {}
    except _NotUsable as trouble:
        notes.append(f"the managed configuration is not honoured, by Hermes neither: {trouble}")
        return {}
    return _memory_section(layer, shown)


# -- values --------------------------------------------------------------------------------------------------------


class _Reader(Struct, frozen=True):
    """Reads single keys of the merged memory section and notes what it cannot."""

    memory: Mapping[str, Any]
    environ: Mapping[str, str]
    notes: list[str]

    def limit(self, key: str, default: int) -> int | None:
        if key not in self.memory:
            return default
        value = self._expanded(key)
        if isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value.strip()):
            value = int(value)
        if isinstance(value, float) and abs(value) < 1e9:
            value = int(value)  # as Hermes does
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
        self._note(key, "is no positive whole number; the limit is not known")
        return None

    def gate(self) -> bool | None:
        value = self._expanded("write_approval")
        if isinstance(value, str) and _VARIABLE.search(value):
            self._note("write_approval", "is not set here; whether the gate is on is not known")
            return None
        return value if isinstance(value, bool) else isinstance(value, str) and value.strip().lower() in _GATE_WORDS

    def enabled(self, key: str) -> bool | None:
        value = self.memory.get(key, True)
        if isinstance(value, bool):
            return value
        self._note(key, "is neither true nor false; whether the document is in use is not known")
        return None

    def provider(self) -> str:
        value = self._expanded("provider")
        return value.strip() if isinstance(value, str) else ""

    def _expanded(self, key: str) -> Any:
        value = self.memory.get(key)
        if not isinstance(value, str):
            return value
        return _VARIABLE.sub(lambda found: self.environ.get(found[1], found[0]), value)

    def _note(self, key: str, words: str) -> None:
        written = one_line(_written(self.memory.get(key)), 40)
        self.notes.append(f"memory.{key} ({written}) {words}.")
