"""The ledger: an append-only, hash-chained, word-free record, and how it is verified.

Here: building rows, sealing them into the chain, commitments, verification against the chain, against kept
texts and against an exported checkpoint. Not here: where rows are stored (the book), when a row is due (the module
of each kind of request: ``decisions``, ``corrections``, ``reverts`` …).

A row binds text by a commitment: SHA-256(salt ‖ text) with 128 bits of salt kept beside the text. Deleting
the salt leaves the chain whole and the row proves nothing about the text any more. Rows hold random ids,
codes, lengths and commitments; never words, and never an entry id (which is a digest of text).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from curator_tui.core.changes import Row
from curator_tui.core.operations import Problem
from curator_tui.core.requests import Actor, Stamp
from curator_tui.core.times import utc_text

GENESIS = ""
# The action of the first row in a copied home; it names the chain that was copied, and no change.
COPIED = "copied"
COPIED_WORDS = "the book of this home came with a copy of another folder; its chain begins anew here"
IMPORTED = "import"
# Actions of rows with which a chain begins anew behind another one, and what that means, for a person.
CHAIN_WORDS: Mapping[str, str] = {
    COPIED: COPIED_WORDS,
    IMPORTED: "the memory was imported; the rows in front of this one are the ledger it came with, as they were",
}
ROW_DOMAIN = b"curator-tui ledger row 1\x00"
# What Hermes generates; any other name could carry words and is replaced by its digest.
_RANDOM_NAME = re.compile(r"[0-9a-f]{8}(?:[0-9a-f-]{0,28})")
# Parts of a row that say which changes go out of force with it, and what moves because of that.
_LINKS = frozenset({"reverts", "takebacks", "undoes", "aside"})
_SESSION_NAME = re.compile(r"\d{8}_\d{6}_[0-9a-f]{6,8}")


def canonical(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, no floats (they have no single form)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest_of(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of a value, in hex."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def commitment(salt: bytes, data: bytes) -> str:
    """Return the commitment to ``data`` under ``salt``."""
    return hashlib.sha256(salt + data).hexdigest()


def item_name(proposal: str) -> str:
    """Return how a row names an item: its id when that is a generated one, else a digest of the id.

    A file name is chosen by whoever wrote the file, so it may be made of words; rows hold none. What looks like such a
    digest is a name like any other: were it left as it is, a file could take the row name of another one.
    """
    if _RANDOM_NAME.fullmatch(proposal):
        return proposal
    return "x-" + hashlib.sha256(proposal.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def session_name(session: str) -> str:
    """Return how a row names a session: its generated id, or empty when the name could hold words."""
    return session if _SESSION_NAME.fullmatch(session) else ""


def actor_part(actor: Actor) -> dict[str, str]:
    """Return the actor as a row holds it."""
    return {"kind": str(actor.kind), "name": actor.name, "through": actor.through}


def new_row(stamp: Stamp, action: str, actor: Actor | None = None, **parts: Any) -> Row:
    """Return an unsealed row; parts that are empty or None are left out."""
    row: Row = {
        "action": action,
        "actor": actor_part(actor or stamp.actor),
        "at": utc_text(stamp.at),
        "change": stamp.change,
        "operation": hashlib.sha256(stamp.operation.encode()).hexdigest()[:16],
    }
    row.update({name: part for name, part in parts.items() if part not in (None, "", [], {}, ())})
    return row


def committed(salt: bytes, data: bytes | None, size: int) -> dict[str, Any]:
    """Return how a row holds a stored text: its size and the commitment; absent text says so."""
    if data is None:
        return {"absent": True}
    return {"size": size, "commit": commitment(salt, data)}


class SealedRow(Struct, frozen=True):
    """One row of the chain.

    Attributes:
        seq: sequence number, from 1 without gaps.
        hash: SHA-256 over a fixed prefix and ``body``, in hex.
        body: canonical JSON, including ``seq`` and ``prev`` (the hash of the row before).
    """

    seq: int
    hash: str
    body: str

    @property
    def row(self) -> Row | None:
        """The parsed body; None when it is no row (any more)."""
        from curator_tui.core.row_form import row_of  # only who reads the ledger pays for it

        return row_of(self.body)


def row_hash(body: str) -> str:
    """Return the hash of a row's canonical text."""
    return hashlib.sha256(ROW_DOMAIN + body.encode("utf-8", "surrogatepass")).hexdigest()


def seal(rows: Sequence[Row], head: tuple[int, str]) -> tuple[SealedRow, ...]:
    """Give rows their place behind ``head`` (sequence number and hash of the newest row)."""
    seq, prev = head
    sealed: list[SealedRow] = []
    for row in rows:
        seq += 1
        body = canonical({**row, "seq": seq, "prev": prev})
        prev = row_hash(body)
        sealed.append(SealedRow(seq, prev, body))
    return tuple(sealed)


def mark_recovered(row: Row) -> Row:
    """Return the row of a change that was finished after an interruption."""
    return {**row, "recovered": True}


def mark_partly(row: Row, given_up: Iterable[str], lost_decisions: Iterable[str]) -> Row:
    """Return the row of a change of which some documents were given up: another program wrote them meanwhile.

    What it took back it took back only in part, so it takes nothing back: what was meant stays in force.

    Args:
        row: the unsealed row.
        given_up: targets that were not changed.
        lost_decisions: item ids whose decisions were not carried out.
    """
    lost = {item_name(name) for name in lost_decisions}
    dropped = set(given_up)
    decisions = [part for part in row.get("decisions", []) if part.get("proposal") not in lost]
    documents = {name: part for name, part in row.get("documents", {}).items() if name not in dropped}
    kept = {name: part for name, part in (("decisions", decisions), ("documents", documents)) if name in row}
    whole = {name: part for name, part in row.items() if name not in _LINKS}
    return {**whole, **kept, "partly": sorted(dropped)}


def chained(
    rows: Iterable[SealedRow], start: tuple[int, str] = (0, GENESIS)
) -> Iterator[tuple[SealedRow, list[Problem]]]:
    """Check numbers, links, hashes, canonical form and parts of every row in order; yield each with its problems.

    Cutting the tail is not seen here: compare with a checkpoint.

    Args:
        rows: the rows, oldest first.
        start: number and hash of the row in front of them.
    """
    seq, prev = start
    for row in rows:
        yield row, _row_problems(row, seq + 1, prev)
        seq, prev = row.seq, row.hash


def _row_problems(row: SealedRow, expected: int, prev: str) -> list[Problem]:
    where, about = f"row {row.seq}", (row.seq,)
    try:
        parsed = json.loads(row.body)
        whole = row_hash(row.body) == row.hash and canonical(parsed) == row.body
    except (ValueError, RecursionError):
        return [Problem("row-unreadable", f"{where} cannot be read", about)]
    found: list[Problem] = []
    if row.seq != expected:
        found.append(Problem("row-missing", f"{where} stands where row {expected} should be", (row.seq, expected)))
    if not whole:
        # whatever else is wrong with it comes from that
        return [*found, Problem("row-altered", f"{where} does not match its hash", about)]
    if not isinstance(parsed, dict) or parsed.get("seq") != row.seq:
        return [*found, Problem("row-altered", f"{where} does not carry its own number", about)]
    if parsed.get("prev") != prev:
        found.append(Problem("chain-broken", f"{where} does not follow the row before it", about))
    elif str(parsed.get("action")) in CHAIN_WORDS and parsed.get("head") != {"seq": expected - 1, "hash": prev}:
        found.append(Problem("chain-broken", f"{where} names another chain than the one it stands behind", about))
    if row.row is None:
        found.append(Problem("row-unreadable", f"{where} has not the form of a row", about))
    return found


def checkpoint(head: tuple[int, str], chain: str, at: float) -> dict[str, Any]:
    """Return what to keep elsewhere so that a cut tail or a replaced ledger is noticed later."""
    return {
        "kind": "curator-tui checkpoint",
        "chain": chain,
        "seq": head[0],
        "head": head[1],
        "at": utc_text(at),
    }


def verify_checkpoint(rows: Mapping[int, str], kept: Mapping[str, Any]) -> Problem | None:
    """Compare the chain (hash by sequence number) with a checkpoint kept elsewhere."""
    seq, head = kept.get("seq"), kept.get("head")
    if not isinstance(seq, int) or not isinstance(head, str):
        return Problem("checkpoint-unreadable", "the checkpoint has no sequence number and head")
    if seq == 0:
        return None
    if seq not in rows:
        last = max(rows, default=0)
        return Problem("tail-cut", f"the checkpoint names row {seq}, but the ledger ends at {last}", (seq,))
    if rows[seq] != head:
        return Problem("chain-replaced", f"row {seq} is not the row the checkpoint was taken from", (seq,))
    return None


def verify_commitment(part: Mapping[str, Any], salt: bytes | None, data: bytes | None) -> bool | None:
    """Check one commitment of a row; None when its salt or text is gone (erased or pruned)."""
    if "commit" not in part:
        return None
    if salt is None or data is None:
        return None
    return commitment(salt, data) == str(part["commit"])
