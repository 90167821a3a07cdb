"""Unbound: deferrals, challenges and answers that no ledger row bears out, and rows that name what is not recorded.

Here: holding what the book has of them against the rows, both ways. Not here: the chain and the texts that rows bind
(``verification``), what deferrals and questions mean (``asides``). A row that is damaged is told of elsewhere; what it
named is not told of a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from curator_tui.core.ledger import GENESIS, SealedRow, chained, item_name, verify_commitment
from curator_tui.core.operations import Problem
from curator_tui.core.recording import deferral_salt
from curator_tui.core.text import visible


class RawAside(Struct, frozen=True):
    """One record of the book as it stands there, whatever its change is: what kind, and its fields by name.

    Attributes:
        what: ``deferral``, ``challenge`` or ``answer``.
        change: id of the change it is recorded under.
        name: the item or the question.
        parts: its other fields.
    """

    what: str
    change: str
    name: str
    parts: Mapping[str, Any]

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from others."""
        return self.what, self.change, item_name(self.name) if self.what == "deferral" else self.name


class _Claimed(Struct, frozen=True):
    """One record as a row names it, with the number of the row."""

    seq: int
    parts: Mapping[str, Any]


def unbound(
    rows: Iterable[SealedRow],
    recorded: Iterable[RawAside],
    salt: Callable[[str], bytes | None],
    start: tuple[int, str] = (0, GENESIS),
) -> Iterator[Problem]:
    """Yield every record that no row names as it is, and every record that a row names and the book does not have.

    Args:
        rows: the ledger, oldest row first.
        recorded: everything of this kind in the book that is of their changes.
        salt: returns the salt that is kept under an id.
        start: number and hash of the row in front of them.
    """
    claimed: dict[tuple[str, str, str], _Claimed] = {}
    for sealed, problems in chained(rows, start):
        row = sealed.row
        if row is not None and not problems:
            claimed.update({key: _Claimed(sealed.seq, parts) for key, parts in _claims(row)})
    for one in recorded:
        found = claimed.pop(one.key, None)
        shown = f"{one.what} of {visible(item_name(one.name), newlines=False)}"
        if found is None:
            yield Problem(f"{one.what}-unbound", f"no ledger row bears out the recorded {shown}", (one.change,))
        elif not _agree(one, found, salt):
            said = f"the recorded {shown} is not what row {found.seq} says"
            yield Problem(f"{one.what}-altered", said, (found.seq, one.change))
    for (what, change, name), found in claimed.items():
        shown = visible(name, newlines=False)
        article = "an" if what == "answer" else "a"
        said = f"row {found.seq} names {article} {what} of {shown} that is not recorded"
        yield Problem(f"{what}-missing", said, (found.seq, change))


def _claims(row: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str, str], Mapping[str, Any]]]:
    change, action = str(row["change"]), row["action"]
    for part in row.get("deferrals", ()):
        until, back = part.get("until", ""), part["decision"] != "defer"
        yield ("deferral", change, part["proposal"]), {"until": until, "back": back, "bound": part.get("record", {})}
    if action == "challenge" and "question" in row:
        parts = {name: row.get(name, "") for name in ("target", "reason", "entry", "note")}
        yield ("challenge", change, row["question"]), parts
    if action == "answer" and "question" in row:
        yield ("answer", change, row["question"]), {"verb": row.get("answer", "")}


def _agree(one: RawAside, claimed: _Claimed, salt: Callable[[str], bytes | None]) -> bool:
    """Whether a record is what its row says; which record of the queue it is about is bound by a commitment."""
    parts = dict(claimed.parts)
    bound = parts.pop("bound", None)
    own = dict(one.parts)
    digest = own.pop("digest", "")
    if own != parts:
        return False
    if bound is None:
        return True
    kept = salt(f"{one.change}:{deferral_salt(item_name(one.name))}")
    return verify_commitment(bound, kept, str(digest).encode("utf-8", "surrogatepass")) is not False
