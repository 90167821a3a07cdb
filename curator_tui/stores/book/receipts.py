"""Receipts as stored text, so that the same operation id gives the first answer again.

Here: the two directions. Not here: when a receipt is kept.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import convert

from curator_tui.core.changes import Applied, MovedOn, NotApplied, Receipt
from curator_tui.core.documents import Standing, Target
from curator_tui.core.requests import Kind
from curator_tui.stores.book.plain import fields_of


def receipt_bytes(receipt: Receipt) -> bytes:
    """Return a receipt as UTF-8 JSON."""
    plain = fields_of(receipt)
    for name in ("applied", "closed", "not_applied", "moved_on"):
        plain[name] = [fields_of(part) for part in plain[name]]
    plain["sizes"] = {str(target): fields_of(part) for target, part in receipt.sizes.items()}
    return json.dumps(plain).encode()


def receipt_from(body: bytes) -> Receipt:
    """Rebuild a receipt."""
    plain: dict[str, Any] = json.loads(body)
    plain["kind"] = Kind(plain["kind"])
    for name in ("applied", "closed"):
        plain[name] = convert(plain[name], tuple[Applied, ...])
    plain["not_applied"] = tuple(NotApplied(**part) for part in plain["not_applied"])
    plain["moved_on"] = tuple(MovedOn(**{**part, "target": Target(part["target"])}) for part in plain["moved_on"])
    plain["sizes"] = {Target(name): convert(part, Standing) for name, part in plain["sizes"].items()}
    for name in ("returned", "undoes", "unkept", "notes"):
        plain[name] = tuple(plain.get(name, ()))
    return Receipt(**plain)
