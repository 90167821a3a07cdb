"""Waiting records of a Hermes home: from the bytes of one file to a proposal, without ever raising.

Here: the safety rules of decoding (size, UTF-8, duplicate keys, depth, numbers), the fields of a record, and the item
id of a file name. Not here: opening files (``reading``), the list of all records (``queue``), what a proposal would do
(``core.preflight``).

A record is untrusted text: it names no path, and what it leaves out is not guessed. One that cannot be decoded becomes
an ``unreadable`` proposal, one that breaks the contract an invalid one; each says why (format: ``hermes`` section 4).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from typing import Any, NamedTuple, NoReturn

import msgspec

from curator_tui.core.documents import Target
from curator_tui.core.operations import Action, Operation, Problem, check_operation, normalise
from curator_tui.core.proposals import ITEM_ID, Proposal, Unread
from curator_tui.core.text import one_line
from curator_tui.core.times import known
from curator_tui.stores.hermes.names import RECORD_LIMIT, RECORD_SUFFIX

DEPTH_LIMIT = 32
_NAME_WIDTH = 40
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_INT_RANGE = (-(1 << 63), (1 << 64) - 1)

_KEY_TOKEN = re.compile(rb'"[ \t\r\n]*:')
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_FIELDS = frozenset({"action", "target", "content", "old_text", "new_text", "matched_entry", "operations"})
_ACTIONS = {str(action): action for action in Action}
_TARGETS = {str(target): target for target in Target}
_ALONE = {action: (action,) for action in (*_ACTIONS, "batch")}

_TOO_DEEP = Problem("too-deep", f"unreadable JSON: nested deeper than {DEPTH_LIMIT} levels")
_TOO_LARGE_NUMBER = Problem("number-too-large", "unreadable JSON: a whole number is larger than 64 bits")

_Plain = str | float | bool | None
_decode_usual = msgspec.json.Decoder(dict[str, _Plain | dict[str, _Plain | list[dict[str, _Plain]]]]).decode
_decode_json = msgspec.json.Decoder().decode
_encode_json = msgspec.json.Encoder().encode
_in_usual_form = msgspec.json.format


def item_id(name: str) -> str:
    """Return the item id of a record's file name: its stem, or ``x-`` and 12 hex digits of a digest of the name.

    The id never comes from inside the record, and it always matches ``[A-Za-z0-9_-]{1,64}``.
    """
    stem = name.removesuffix(RECORD_SUFFIX)
    return stem if ITEM_ID.fullmatch(stem) else hashed_id(name)


def hashed_id(name: str) -> str:
    """Return the id of a file whose stem is no id: ``x-`` and the first 12 hex digits of SHA-256 of the whole name."""
    return "x-" + hashlib.sha256(os.fsencode(name)).hexdigest()[:12]


def parse_record(name: str, raw: bytes) -> Proposal:
    """Parse one record; whatever the bytes are, the answer is a proposal.

    Args:
        name: its file name, from which the id comes.
        raw: all of its bytes; the digest of the proposal is their SHA-256 in hex.
    """
    digest = hashlib.sha256(raw).hexdigest()
    record = decode_record(raw)
    if isinstance(record, Problem):
        return Proposal(item_id(name), digest, problem=record, unreadable=True, size=len(raw))
    payload = _read_payload(record)
    origin = record.get("origin")
    summary = record.get("summary")
    return Proposal(
        item_id(name),
        digest,
        payload.operations,
        payload.actions,
        payload.target_name,
        _shared(origin) if type(origin) is str else "",
        summary if type(summary) is str else "",
        time_of(record.get("created_at")),
        payload.problem,
        pinned_by="record" if payload.pinned else "",
        size=len(raw),
    )


def unreadable_record(name: str, digest: str, problem: Problem, unread: Unread, size: int = 0) -> Proposal:
    """Return the proposal of a file that could not even be read as bytes."""
    return Proposal(item_id(name), digest, problem=problem, unreadable=True, size=size, unread=unread)


# -- decoding ------------------------------------------------------------------------------------------------------


class _Broken(Exception):
    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def decode_record(raw: bytes) -> dict[str, Any] | Problem:
    """Decode one JSON object under the rules of the design, or say which one it breaks."""
    if len(raw) > RECORD_LIMIT:
        return too_large()
    body = raw.removeprefix(_BYTE_ORDER_MARK)
    try:
        # Decoding keeps the last of two equal keys. Where encoding the value in the form that Hermes writes gives back
        # the very bytes, no key was lost; and this decoder knows neither depth nor whole numbers.
        value = _decode_usual(body)
        if _in_usual_form(_encode_json(value), indent=2) == body:
            return value
    except msgspec.DecodeError:
        pass
    return _decode_unusual(body)


def _decode_unusual(body: bytes) -> dict[str, Any] | Problem:
    try:
        value = _decode_json(body)
        if type(value) is not dict:
            return Problem("not-an-object", f"unreadable JSON: it is {kind_of_value(value)}, not an object")
        keys = _count_keys(value, 1)
    except (msgspec.DecodeError, RecursionError) as error:
        return _why(body, error)
    except _Broken as broken:
        return broken.problem
    # In the text every key ends in a quote and a colon, and so may a piece of a string: as many of these as there are
    # decoded keys prove that no key came twice, anything else is settled the slow way.
    if keys != len(_KEY_TOKEN.findall(body)) and (twice := _repeated_key(body)) is not None:
        return Problem("duplicate-key", f"unreadable JSON: the key {one_line(twice, _NAME_WIDTH)} comes twice")
    return value


def _count_keys(value: Any, depth: int) -> int:
    """Count the keys of all objects inside; refuse what is too deep and whole numbers over 64 bits."""
    if depth > DEPTH_LIMIT:
        raise _Broken(_TOO_DEEP)
    is_object = type(value) is dict
    total = len(value) if is_object else 0
    for member in value.values() if is_object else value:
        kind = type(member)
        if kind is dict or kind is list:
            total += _count_keys(member, depth + 1)
        elif kind is int and not _INT_RANGE[0] <= member <= _INT_RANGE[1]:
            raise _Broken(_TOO_LARGE_NUMBER)
    return total


def too_large() -> Problem:
    """Return the problem of a record over the size that is parsed."""
    return Problem("too-large", f"larger than {RECORD_LIMIT:,} bytes")


def _repeated_key(body: bytes) -> str | None:
    repeated: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                repeated.append(key)
            seen.add(key)

    json.loads(body.decode("utf-8"), object_pairs_hook=look)
    return repeated[0] if repeated else None


class _Constant(Exception):
    pass


def _refuse_constant(name: str) -> NoReturn:
    raise _Constant(name)


def _why(body: bytes, error: Exception) -> Problem:
    """Find the reason in words for what the fast decoder refused; positions are bytes from the start of the JSON."""
    if isinstance(error, RecursionError):
        return _TOO_DEEP
    if not body.strip():
        return Problem("not-json", "unreadable JSON: the file is empty")
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as found:
        return Problem("not-utf8", f"unreadable JSON: byte {found.start} is not valid UTF-8")
    return _second_opinion(text)


def _second_opinion(text: str) -> Problem:
    problem = Problem("number-too-large", "unreadable JSON: a number is too large")
    try:
        json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as found:
        at = len(text[: found.pos].encode("utf-8"))
        problem = Problem("not-json", f"unreadable JSON: {found.msg} (byte {at})")
    except _Constant as found:
        problem = Problem("not-a-number", f"unreadable JSON: {found} is no number in JSON")
    except RecursionError:
        problem = _TOO_DEEP
    except ValueError:
        problem = _TOO_LARGE_NUMBER
    else:
        if _SURROGATE_ESCAPE.search(text):
            problem = Problem("lone-surrogate", "unreadable JSON: it holds half of a surrogate pair")
    return problem


# -- fields --------------------------------------------------------------------------------------------------------


class _Payload(NamedTuple):
    """What the payload of a record says, and what is wrong with it."""

    actions: tuple[str, ...] = ()
    target_name: str = ""
    operations: tuple[Operation, ...] = ()
    problem: Problem | None = None
    pinned: bool = False


def _read_payload(record: dict[str, Any]) -> _Payload:
    """Read the payload of a record.

    Where the trouble is not in the words of an operation no operation is given at all, so that nothing can be applied
    from it: an unknown target never becomes MEMORY.md.
    """
    payload = record.get("payload")
    if type(payload) is not dict:
        return _Payload(problem=_wrong("payload", record, "an object"))
    action = payload.get("action")
    written = payload.get("target")
    actions = (_ALONE.get(action) or (action,)) if type(action) is str else ()
    # Hermes takes a missing or null target for "memory"
    target_name = "memory" if written is None else _shared(written) if type(written) is str else kind_of_value(written)
    problem = _wrong_place(record.get("subsystem"))
    target = _TARGETS.get(target_name) if written is None or type(written) is str else None
    if problem is None and target is None:
        problem = Problem("unknown-target", f"unknown target {one_line(target_name, _NAME_WIDTH)}")
    if problem is not None or target is None:
        return _Payload(actions, target_name, problem=problem)
    if action == "batch":
        return _read_batch(payload, target)
    known = _ACTIONS.get(action) if type(action) is str else None
    if known is None:
        return _Payload(actions, target_name, problem=_unknown_action(action))
    operation, wording = _read_operation(payload, known, target)
    return _Payload(actions, target_name, (operation,), wording, operation.pin is not None)


def _wrong_place(subsystem: object) -> Problem | None:
    if subsystem is None or subsystem == "memory":
        return None
    return Problem("belongs-elsewhere", f"belongs to {_named(subsystem)}, not to memory")


def _read_batch(payload: dict[str, Any], target: Target) -> _Payload:
    steps = payload.get("operations")
    if type(steps) is not list or not steps:
        empty = Problem("operations-empty", "operations is empty")
        nothing = empty if type(steps) is list else _wrong("operations", payload, "a list")
        return _Payload(("batch",), str(target), problem=nothing)
    actions: list[str] = []
    operations: list[Operation] = []
    structural: Problem | None = None
    wording: Problem | None = None
    for number, fields in enumerate(steps, 1):
        step = _read_step(fields, target)
        action = fields.get("action") if type(fields) is dict else None
        actions.append(action if type(action) is str else "?")
        if isinstance(step, Problem):
            structural = structural or _numbered(number, step)
            continue
        operation, problem = step
        operations.append(operation)
        if problem is not None and wording is None:
            wording = _numbered(number, problem)
    if structural is not None:
        return _Payload(tuple(actions), str(target), problem=structural)
    pinned = any(operation.pin is not None for operation in operations)
    return _Payload(tuple(actions), str(target), tuple(operations), wording, pinned)


def _read_step(fields: object, target: Target) -> tuple[Operation, Problem | None] | Problem:
    """Read one operation of a batch; keys Hermes does not know are ignored, as Hermes does."""
    if type(fields) is not dict:
        return Problem("not-an-object", f"it is {kind_of_value(fields)}, not an object")
    action = fields.get("action")
    known = _ACTIONS.get(action) if type(action) is str else None
    if known is None:
        return _unknown_action(action)
    own = fields.get("target")
    if own is not None and own != target:
        # Hermes would write it to the record's document although it names another one
        return Problem("two-targets", f"names the target {_named(own)}, but the record is for {target}")
    return _read_operation(fields, known, target)


def _read_operation(fields: dict[str, Any], action: Action, target: Target) -> tuple[Operation, Problem | None]:
    """Read the fields an action needs; the others are ignored, as Hermes does (every record carries all of them)."""
    problem: Problem | None = None
    content = match = pin = None
    if action is not Action.REMOVE:
        name = "new_text" if fields.get("content") is None and "new_text" in fields else "content"
        content, problem = _text(fields, name)
    if action is not Action.ADD:
        match, wrong_match = _text(fields, "old_text")
        pin, wrong_pin = _text(fields, "matched_entry")
        problem = problem or wrong_match or wrong_pin
    operation = Operation(action, target, match, content, pin or None)
    if problem is None:
        problem = check_operation(operation)
        if problem is not None and problem.code in {"content-missing", "match-missing"}:
            problem = _with_hint(problem, fields)
    return operation, problem


def _shared(word: str) -> str:
    """Return a word that thousands of records hold as one object for all of them; a long one is none."""
    return sys.intern(word) if len(word) <= _NAME_WIDTH else word


def _text(fields: dict[str, Any], name: str) -> tuple[str | None, Problem | None]:
    value = fields.get(name)
    if type(value) is str:
        return normalise(value), None
    return (None, None) if value is None else (None, _wrong(name, fields, "text"))


def _with_hint(problem: Problem, fields: dict[str, Any]) -> Problem:
    """Name the field that was probably meant, so that a wrong field name is seen at a glance."""
    found = next((key for key in fields if key not in _FIELDS), None)
    if found is None:
        return problem
    return Problem(problem.code, f"{problem.message} (found field {one_line(found, _NAME_WIDTH)})")


def _unknown_action(action: object) -> Problem:
    if action is None:
        return Problem("action-missing", "action is missing")
    return Problem("unknown-action", f"unknown action {_named(action)}")


def _named(value: object) -> str:
    return one_line(value, _NAME_WIDTH) if type(value) is str else kind_of_value(value)


def _numbered(number: int, problem: Problem) -> Problem:
    return Problem(problem.code, f"operation {number}: {problem.message}")


def _wrong(name: str, fields: dict[str, Any], wanted: str) -> Problem:
    if name not in fields:
        return Problem(f"{name}-missing", f"{name} is missing")
    return Problem(f"{name}-wrong-type", f"{name} is {kind_of_value(fields[name])}, not {wanted}")


def kind_of_value(value: object) -> str:
    """Say in words what kind of JSON value it is."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    return "text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"


def time_of(value: object) -> float | None:
    """Return the claimed time as seconds; text counts only where it is a plain number, years from 1970 to 9999."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return known(float(value))
    except (ValueError, OverflowError):
        return None
