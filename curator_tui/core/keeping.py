"""Keeping: what stays of a record that leaves the queue, and of its words in what is said of it.

Here: whether its bytes may be kept so that undo can return it, whether it may be named by its words. Not here: where
bytes are kept (the stores), what a secret looks like (``scanning``).

What was not read cannot be kept. Otherwise the rule is one for every ending: a secret must not outlive the text nobody
wanted in memory, so a record that holds one is kept only if that secret itself stands in memory, before or after the
change. The bytes of both documents are kept for undo anyway, so the record then adds no copy that was not there. An
edit that takes the secret out, a reject and an item closed along leave nothing behind.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any

from curator_tui.core.named_facts import texts_of
from curator_tui.core.preflight import findings_of
from curator_tui.core.proposals import Proposal
from curator_tui.core.scanning import Finding, has_secret, scan


class Unkept(StrEnum):
    """Why nothing of a record is kept."""

    HELD = "held a secret"
    UNCHECKED = "could not be checked for secrets"
    UNREAD = "could not be read"


def says_secret(proposal: Proposal) -> bool:
    """Whether naming an item by its words could repeat a secret, of its own or of an entry that it is about.

    What is said of an item outlasts the screen that shows it; so one that says a secret is named by its id.
    """
    return any(has_secret(findings_of(text)) for text in texts_of(proposal))


def why_unkept(raw: bytes | None, proposal: Proposal, standing: Sequence[str]) -> Unkept | None:
    """Return why the bytes of a record must not be kept; None when they may.

    Args:
        raw: its bytes, None where they were not read; every field counts, because a secret may stand in one that is
            no operation.
        proposal: what was read of it.
        standing: the entries of both documents before the change and after it.
    """
    if raw is None:
        return Unkept.UNREAD
    contents = [operation.content for operation in proposal.operations if operation.content is not None]
    looked = [(text, findings_of(text)) for text in contents] + [(text, scan(text)) for text in _texts(raw)]
    found = {_why(finding) for text, findings in looked for finding in _loose(text, findings, standing)}
    return Unkept.HELD if Unkept.HELD in found else next(iter(found), None)


def _why(finding: Finding) -> Unkept:
    return Unkept.HELD if finding.family == "secret" else Unkept.UNCHECKED


def _loose(text: str, findings: Sequence[Finding], standing: Sequence[str]) -> Iterator[Finding]:
    """Yield the secrets of a text that stand in no entry; what could not be scanned is one secret as a whole."""
    for finding in findings:
        if not has_secret((finding,)):
            continue
        place = text[finding.start : finding.end] if finding.family == "secret" else text
        if not any(place in entry for entry in standing):
            yield finding


def _texts(raw: bytes) -> Iterator[str]:
    """Yield the texts of a record that have to be looked at, with its escapes undone.

    None, where it has no escapes and is clean as it is written: most are, and each look takes time under the locks.
    """
    written = raw.decode("utf-8", "replace")
    if "\\" not in written and not has_secret(scan(written)):
        return
    try:
        parsed = json.loads(written, object_pairs_hook=tuple)
    except (ValueError, RecursionError):
        yield written
        return
    yield from _strings(parsed)


def _strings(value: Any) -> Iterable[str]:
    """Return every text of a parsed record, those of repeated names too; a name stands beside its text as well.

    A tuple of pairs is an object: a password is known by the name it stands under.
    """
    found: list[str] = []
    todo = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, list):
            todo.extend(part)
        elif isinstance(part, tuple):
            for name, inner in part:
                todo.extend((name, inner))
                if isinstance(inner, str):
                    found.append(f'{name}: "{inner}"')
    return found
