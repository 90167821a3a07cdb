"""Answers: what a verb that changes something prints at its end, and the exit code it ends with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from msgspec.structs import replace

from curator_tui.cli.session import Session, usage
from curator_tui.cli.shapes import receipt_shape
from curator_tui.cli.words import receipt_lines, three_texts
from curator_tui.core.changes import NotApplied, Receipt
from curator_tui.core.reason_words import code_meant
from curator_tui.core.requests import OverrideCode, ReasonCode
from curator_tui.curator.desk import Desk


def tell(
    session: Session,
    desk: Desk,
    receipt: Receipt,
    *,
    failed: Sequence[NotApplied] | None = None,
    before: Iterable[str] = (),
    would: bool = False,
    named: Mapping[str, str] | None = None,
    extra: Mapping[str, Any] | None = None,
) -> int:
    """Print a receipt.

    Args:
        session: where to.
        desk: whose.
        receipt: what the store answered.
        failed: everything that was asked for and did not happen, where that is more than the receipt knows.
        before: lines of the text form to print first.
        would: True for a preview.
        named: by id, the words of items that are known, as shown text.
        extra: further keys of the JSON document.

    Returns:
        The exit code: 0 when everything that was asked for took effect, else 1.
    """
    missing = receipt.not_applied if failed is None else failed
    receipt = replace(receipt, notes=(*receipt.notes, *_lost(desk)))
    document = {**receipt_shape(receipt, missing, desk.snapshot()), "dry_run": would, **(extra or {})}
    lines = receipt_lines(receipt, missing, would=would, named=named)
    session.output.answer(document, chain(before, lines, three_texts(receipt)))
    return 1 if missing or not receipt.done else 0


def _lost(desk: Desk) -> tuple[str, ...]:
    """Say that a book was lost, as long as backups tell of it: its changes cannot be taken back any more.

    Where that cannot be told, what was done is told all the same.
    """
    from curator_tui.curator.ledger_view import lost_words

    return lost_words(desk)


Code = TypeVar("Code", ReasonCode, OverrideCode)


def reason_and_note(words: str | None) -> tuple[ReasonCode | None, str]:
    """Split what a person gave as reason: a code, or their own words as a note under ``other``."""
    return _code_and_note(words, ReasonCode)


def override_and_note(words: str | None) -> tuple[OverrideCode | None, str]:
    """Split what a person gave as reason for passing a condition, as :func:`reason_and_note` does.

    Raises:
        UsageError: it was given, and says nothing.
    """
    code, note = _code_and_note(words, OverrideCode)
    if words is not None and code is None:
        raise usage("--override needs a reason.", "It goes into the ledger: request, false-alarm, or your own words.")
    return code, note


def _code_and_note(words: str | None, codes: type[Code]) -> tuple[Code | None, str]:
    if words is None or not words.strip():
        return None, ""
    if (code := code_meant(words, codes)) is not None:
        return codes(code), ""
    return codes("other"), words
