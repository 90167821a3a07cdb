"""The values of stores and evidence that surfaces may name, so that they need not know either of them."""

from curator_tui.evidence.port import Evidence, Quote
from curator_tui.stores.port import Facts, Interrupted

__all__ = ["Evidence", "Facts", "Interrupted", "Quote"]
