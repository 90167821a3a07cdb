"""Records: what waits in a database, from a proposal to the bytes that are kept and back.

Here: our own form, in which each operation names its document; a record that came from a Hermes home stands as it was
there and is read as there. Not here: the rules of decoding, and Hermes's form (``hermes.records``), the queue
(``queue``), who may put something there.

The digest of a proposal is that of all of its bytes, so a decision is bound to every word of it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from curator_tui.core.documents import Target
from curator_tui.core.ledger import canonical
from curator_tui.core.operations import Action, Operation, Problem, check_operation, normalise
from curator_tui.core.proposals import Proposal
from curator_tui.stores.hermes.names import RECORD_SUFFIX
from curator_tui.stores.hermes.records import decode_record, parse_record, time_of

_KEYS = ("action", "target", "match", "content", "pin")


def record_bytes(
    operations: Sequence[Operation], *, origin: str = "", agent_says: str = "", created_at: float | None = None
) -> bytes:
    """Return the bytes in which a proposal waits."""
    steps = [
        {key: value for key in _KEYS if (value := getattr(operation, key)) is not None} for operation in operations
    ]
    record: dict[str, Any] = {"operations": steps, "origin": origin, "says": agent_says}
    if created_at is not None and math.isfinite(created_at):
        record["created_at"] = created_at
    return canonical(record).encode("utf-8")


def read_proposal(item: str, raw: bytes) -> Proposal:
    """Read one record; whatever the bytes are, the answer is a proposal."""
    record = decode_record(raw)
    if isinstance(record, Problem) or "payload" in record or "operations" not in record:
        return replace(parse_record(item + RECORD_SUFFIX, raw), id=item)
    steps = record["operations"]
    found = [_operation(step) for step in steps] if isinstance(steps, list) else []
    operations = tuple(one for one in found if isinstance(one, Operation))
    problem = next((one for one in found if isinstance(one, Problem)), None)
    if not found:
        problem = Problem("operations-empty", "operations is empty")
    if problem is None:
        problem = next((wrong for one in operations if (wrong := check_operation(one)) is not None), None)
        kept = operations
    else:
        kept = ()  # no part of a record is ever taken for the whole
    origin, says = record.get("origin"), record.get("says")
    return Proposal(
        item,
        hashlib.sha256(raw).hexdigest(),
        kept,
        tuple(_word(step, "action") for step in steps) if isinstance(steps, list) else (),
        ", ".join(dict.fromkeys(_word(step, "target") for step in steps)) if isinstance(steps, list) else "",
        origin if isinstance(origin, str) else "",
        says if isinstance(says, str) else "",
        time_of(record.get("created_at")),
        problem,
        pinned_by="record" if any(one.pin is not None for one in kept) else "",
        size=len(raw),
    )


def _word(step: Any, key: str) -> str:
    value = step.get(key) if isinstance(step, Mapping) else None
    return value if isinstance(value, str) else "?"


def _operation(step: Any) -> Operation | Problem:
    if not isinstance(step, Mapping) or set(step) - set(_KEYS):
        return Problem("not-an-operation", "an operation has keys that are not known, or is none")
    try:
        action, target = Action(_word(step, "action")), Target(_word(step, "target"))
    except ValueError:
        return Problem("unknown-action", "an operation has an action or a target that is not known")
    texts = {key: step.get(key) for key in ("match", "content", "pin")}
    if any(not (value is None or isinstance(value, str)) for value in texts.values()):
        return Problem("not-a-text", "an operation has something else than a text in the place of one")
    match, content, pin = (None if value is None else normalise(value) for value in texts.values())
    return Operation(action, target, match, content, pin or None)
