"""Runs every deterministic rule over one text: :func:`scan`.

Here live the list of rules, the index that skips the rules whose literals do not occur, the version of the rule set,
and the promise that a scan which goes wrong is a finding and never a clean text. The rules are data in the modules
``*_rules``; what may follow from a finding is decided elsewhere. Advisers and models are no rules.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import partial

from curator_tui.core.scanning import (
    character_rules,
    characters,
    frame_rules,
    hermes_rules,
    markup_rules,
    secret_rules,
)
from curator_tui.core.scanning.findings import Finding, Severity
from curator_tui.core.scanning.rules import Rule, Subject, findings_of
from curator_tui.core.text import code_point

MAX_LENGTH = 65_536
"""Longest text that is scanned, in code points."""
MAX_VIEW = 2 * MAX_LENGTH
"""Longest NFKC form that is scanned; some characters stand for eighteen."""
_SWELLS = "Written out in plain letters the text is too long to scan; only its beginning was."

PATTERN_RULES: tuple[Rule, ...] = (
    *hermes_rules.RULES,
    *markup_rules.RULES,
    *frame_rules.RULES,
    *secret_rules.RULES,
)
ALL_RULES: tuple[Rule, ...] = (*character_rules.RULES, hermes_rules.INVISIBLE, *PATTERN_RULES)


# From rare to common in notes (what is not listed is rarest): a literal is looked for only where its rarest
# character occurs.
_RARITY = "§═{}[]<>|`~^$#%@&*+=_\\;!?\"'()/:-0123456789qjzxkvwybfgpmuhdclonsriate. \n"

_Index = tuple[tuple[str, tuple[tuple[str, tuple[int, ...]], ...]], ...]


def _index(rules: tuple[Rule, ...]) -> _Index:
    """For each gate character the literals behind it, each with the numbers of the rules that need it."""
    needs: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        for literal in rule.needs:
            needs.setdefault(literal, []).append(number)
    gates: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    for literal, numbers in needs.items():
        gates.setdefault(min(literal, key=_RARITY.find), []).append((literal, tuple(numbers)))
    return tuple((gate, tuple(literals)) for gate, literals in gates.items())


def _version() -> str:
    """Digest of everything in the rules that changes what a scan answers; the same on every machine."""
    meanings = tuple(rule.meaning for rule in ALL_RULES)
    data = repr((MAX_LENGTH, meanings, character_rules.CLASSES, characters.REVISION))
    return hashlib.sha256(data.encode()).hexdigest()[:12]


_INDEX = _index(PATTERN_RULES)
RULES_VERSION = _version()
"""Version of the rule set. Cached findings are valid for this version only."""


def _invisible_to_hermes(subject: Subject) -> Iterator[Finding]:
    for char, at in hermes_rules.invisible_in(subject.text).items():
        rule, point = hermes_rules.INVISIBLE, code_point(char)
        reason = f"{rule.reason} ({point})."
        yield Finding(f"{rule.id}_{point}", rule.family, rule.severity, at, at + 1, reason)


def _candidates(subject: Subject) -> list[Rule]:
    """The rules of which at least one literal occurs, in their order."""
    low = subject.low
    numbers: set[int] = set()
    for gate, literals in _INDEX:
        if gate in low:
            for literal, some in literals:
                if literal in low:
                    numbers.update(some)
    return [PATTERN_RULES[number] for number in sorted(numbers)]


def _failed(what: str, length: int) -> Finding:
    reason = f"The scanner failed ({what}); this text counts as not scanned."
    return Finding("scanner-failed", "scanner", Severity.HARD, 0, length, reason)


def _guarded(name: str, length: int, run: Callable[[], Iterator[Finding]], into: list[Finding]) -> None:
    """Collect what ``run`` yields; an error becomes a finding that names the rule and the kind of error."""
    try:
        into.extend(run())
    except Exception as error:  # noqa: BLE001 - as above; nothing of the text may reach the message
        into.append(_failed(f"{name}: {type(error).__name__}", length))


def scan(text: str) -> tuple[Finding, ...]:
    """Run all deterministic rules over ``text``, in time linear in its length.

    Args:
        text: an entry or any other stored text, as stored.

    Returns:
        The findings by position; empty means clean. Never raises: a rule that fails, or text over
        :data:`MAX_LENGTH` code points (of which only the beginning is scanned), gives a hard finding of the
        family ``scanner``.
    """
    found: list[Finding] = []
    if len(text) > MAX_LENGTH:
        reason = f"The text is too long to scan: {len(text):,} code points, of which {MAX_LENGTH:,} are scanned."
        found.append(Finding("too-long", "scanner", Severity.HARD, MAX_LENGTH, len(text), reason))
        text = text[:MAX_LENGTH]
    length = len(text)
    _guarded("characters", length, lambda: characters.find(text), found)
    try:
        subject = Subject(text, MAX_VIEW)
        rules = _candidates(subject)
    except Exception as error:  # noqa: BLE001 - as above; nothing of the text may reach the message
        return (*found, _failed(type(error).__name__, length))
    if subject.cut:
        found.append(Finding("too-long", "scanner", Severity.HARD, 0, length, _SWELLS))
    _guarded("hermes", length, lambda: _invisible_to_hermes(subject), found)
    for rule in rules:
        _guarded(rule.id, length, partial(findings_of, rule, subject), found)
    found.sort(key=lambda finding: (finding.start, finding.end, finding.rule))
    return tuple(found)
