"""Plain values: values as dictionaries, for JSON.

Here: that one step. Not here: which values are stored (``entries``, ``receipts``).
"""

from __future__ import annotations

from typing import Any


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a value under the names they are stored by, not copied."""
    names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
    return {stored: getattr(value, name) for stored, name in names}
