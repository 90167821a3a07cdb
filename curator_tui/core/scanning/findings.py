"""What a scan answers with: the values :class:`Severity` and :class:`Finding`.

Here lives the shape of an answer and the one question others ask of it. Rules and the engine live beside it;
what a finding *means* for an item (its state, who may override it) is decided in ``core.preflight`` and
``core.review``.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    """How a finding counts."""

    HARD = "hard"
    """Stops the item until a person overrides it with a reason."""
    SOFT = "soft"
    """Is shown beside the item and stops nothing."""


class Finding(Struct, frozen=True):
    """One thing a rule saw.

    Attributes:
        rule: stable id of the rule, lower case words joined by hyphens (Hermes's own ids keep their
            underscores).
        family: group of rules, for instance ``invisible`` or ``hermes``.
        severity: hard or soft.
        start: first code point of the place in the scanned text.
        end: code point after the place; ``start == end`` never occurs except for a scanner that failed.
        reason: a plain sentence for a person. It may name code points; it never repeats the scanned text.
    """

    rule: str
    family: str
    severity: Severity
    start: int
    end: int
    reason: str


def is_flagged(findings: Iterable[Finding]) -> bool:
    """Whether one of the findings is hard."""
    return any(finding.severity is Severity.HARD for finding in findings)


def has_secret(findings: Iterable[Finding]) -> bool:
    """Whether the text holds a known secret, so that a rejected item must keep no bytes.

    A scan that failed or refused the text cannot say it holds none and counts as holding one.
    """
    return any(finding.family in {"secret", "scanner"} for finding in findings)
