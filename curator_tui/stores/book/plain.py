"""Plain values: values as dictionaries, for JSON.

Here: that one step. Not here: which values are stored (``entries``, ``receipts``).
"""

from __future__ import annotations

from typing import Any


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a value, not copied."""
    return {name: getattr(value, name) for name in value.__struct_fields__}
