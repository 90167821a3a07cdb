"""Requests: who asks for what, as plain values that a surface makes and the door hands to a store.

Here: actors, the stamp of an attempt, decisions, the request. Not here: what a store reads, writes and
answers (``changes``), how a request is planned (``plans``, ``reverts``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from curator_tui.core.documents import Target
from curator_tui.core.errors import UsageError
from curator_tui.core.operations import Operation
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit

if TYPE_CHECKING:
    from curator_tui.core.parcels import Parcel


class ActorKind(StrEnum):
    """Who acts."""

    PERSON = "person"
    POLICY = "policy"
    AGENT = "agent"
    SERVICE = "service"
    OUTSIDE = "outside"


class Actor(Struct, frozen=True):
    """Who acts, bound from authentication and never from a record.

    Attributes:
        kind: person, policy, agent, service or outside.
        name: operating system login, database role or bound identity.
        through: ``tui``, ``web``, ``cli``, ``mcp`` or ``library``. ``web`` is the application in a browser: the name is
            then that of the account that serves it, and whoever was let in there acted.
    """

    kind: ActorKind
    name: str
    through: str


OUTSIDE = Actor(ActorKind.OUTSIDE, "", "")


class Stamp(Struct, frozen=True):
    """What makes one attempt unique; made by the curator so that planning stays pure.

    Attributes:
        actor: who acts.
        operation: operation id; the same id twice has one effect.
        change: id of the change this attempt may become, 16 hex digits.
        at: the clock, UTC seconds; a claim, never used for order.
        seed: 32 random bytes from which the salts of this attempt are drawn; never stored.
    """

    actor: Actor
    operation: str
    change: str
    at: float
    seed: bytes

    def salt(self, label: str) -> bytes:
        """Return 128 bits for one commitment, different for every label."""
        return hashlib.sha256(self.seed + label.encode("utf-8")).digest()[:16]


class Verb(StrEnum):
    """What a person decides about one proposal."""

    APPROVE = "approve"
    REJECT = "reject"
    LOG_ONLY = "log-only"


class ReasonCode(StrEnum):
    """Why an item was decided as it was (``contracts``: What to save, what to skip)."""

    DUPLICATE = "duplicate"
    WRONG = "wrong"
    SENSITIVE = "sensitive"
    STALE = "stale"
    NOT_USEFUL = "not-useful"
    REQUEST = "request"
    OTHER = "other"


class OverrideCode(StrEnum):
    """Why a condition was passed knowingly; the ledger tells a wrong finding from an item that is wrong.

    ``request`` means the same in both lists: a person asked for exactly this. The person's own words are a note under
    ``other``.
    """

    REQUEST = "request"
    FALSE_ALARM = "false-alarm"
    OTHER = "other"


Reason = ReasonCode | OverrideCode


class ChallengeCode(StrEnum):
    """Why an entry is disputed."""

    WRONG = "wrong"
    OUTDATED = "outdated"
    PRIVATE = "private"
    NOT_SAID = "not-said"
    OTHER = "other"


class AnswerVerb(StrEnum):
    """How a question about a disputed entry is answered."""

    KEEP = "keep"
    CORRECT = "correct"
    REMOVE = "remove"


class Decision(Struct, frozen=True):
    """One decision about one proposal, bound to exactly what was looked at.

    Attributes:
        proposal: item id.
        verb: approve, reject or log-only; an approve with an edit is edit-then-approve.
        digest: proposal digest it binds to; None binds to whatever is there (nothing was looked at first).
        reason: reason code, for an approval that passes a condition an override code, or None.
        note: the person's own words, or empty.
        override: conditions this decision passes knowingly (``flagged``, ``lossy``); empty for none.
        edit: changes before approving.
        closes: other members of its group that were painted with it, to be closed in the same change.
        seen: how much of the change was on screen, ``"100%"``; ``"none"`` from a command line.
        source: id of the session the claim came from where evidence named one, else empty.
        drawn: whether it was drawn as a spot check of its plan (then it was opened before the plan was applied).
    """

    proposal: str
    verb: Verb
    digest: str | None = None
    reason: Reason | None = None
    note: str = ""
    override: frozenset[State] = frozenset()
    edit: Edit = field(default_factory=Edit)
    closes: tuple[str, ...] = ()
    seen: str = "none"
    source: str = ""
    drawn: bool = False


class ToDefer(Struct, frozen=True):
    """One item to be deferred.

    Attributes:
        proposal: item id.
        until: the day it is back, as ``2026-12-24``; empty for when it is reopened.
        digest: proposal digest it binds to; None binds to whatever is there.
    """

    proposal: str
    until: str = ""
    digest: str | None = None


class ToChallenge(Struct, frozen=True):
    """One entry to be disputed, by its whole text; the person's own words are the note of the request."""

    target: Target
    entry: str
    reason: ChallengeCode


class ToAnswer(Struct, frozen=True):
    """One question to be answered; ``content`` is the new text of the entry, for ``correct``."""

    question: str
    verb: AnswerVerb
    content: str | None = None


class Kind(StrEnum):
    """What a request asks for; also the action of its ledger row."""

    DECIDE = "decide"
    CORRECT = "correct"
    ROLLBACK = "rollback"
    UNDO = "undo"
    REDO = "redo"
    REOPEN = "reopen"
    OBSERVE = "observe"
    DEFER = "defer"
    CHALLENGE = "challenge"
    ANSWER = "answer"
    IMPORT = "import"


REVERTING = frozenset({Kind.UNDO, Kind.REDO, Kind.ROLLBACK})
"""Kinds of changes that decide nothing themselves: what they close was decided by an earlier one."""


class Pinned(Struct, frozen=True):
    """First-sight pins of one record: entry text by operation index, bound to the record's digest."""

    proposal: str
    digest: str
    pins: Mapping[int, str]


class Request(Struct, frozen=True):
    """One attempt to change memory or to decide something.

    Attributes:
        stamp: who, when, which attempt.
        kind: what is asked.
        decisions: for ``decide``.
        corrections: for ``correct``: a person's own operations, planned on what is there.
        reopen: for ``reopen``: ids of decided or deferred proposals to return to the queue.
        defer: for ``defer``.
        challenge: for ``challenge``.
        answer: for ``answer``.
        today: the person's day, as ``2026-12-24``, for everything that has to know what is deferred; empty is before
            every day.
        order: for ``correct``: how the entries of a document shall stand after them, all of them named.
        tidy: for ``correct``: documents that shall be written in Hermes's own form, whatever their layout is now.
        backup: for ``rollback``: image id.
        targets: for ``rollback``: which documents; empty means both.
        reverts: for ``undo`` and ``redo``: id of the change to revert.
        takes: for ``undo`` and ``redo``: chosen text per moved-on pair (None removes it), by pair number.
        shown: digest of what was painted; None when no person looked at an outcome first.
        sighted: first-sight pins computed since the last change, to be recorded with this one.
        override: for ``correct`` and ``answer``: conditions passed knowingly.
        reason: for ``correct`` and ``answer``: why they may pass, or None.
        note: for everything but ``decide``: the person's own words, or empty.
        parcel: for ``import``.

    Raises:
        UsageError: a finding is overridden without a reason; there is no such request.
    """

    stamp: Stamp
    kind: Kind
    decisions: tuple[Decision, ...] = ()
    corrections: tuple[Operation, ...] = ()
    order: Mapping[Target, tuple[str, ...]] = field(default_factory=dict)
    tidy: tuple[Target, ...] = ()
    reopen: tuple[str, ...] = ()
    defer: tuple[ToDefer, ...] = ()
    challenge: ToChallenge | None = None
    answer: ToAnswer | None = None
    today: str = ""
    backup: str | None = None
    targets: tuple[Target, ...] = ()
    reverts: str | None = None
    takes: Mapping[int, str | None] = field(default_factory=dict)
    shown: str | None = None
    sighted: tuple[Pinned, ...] = ()
    override: frozenset[State] = frozenset()
    reason: OverrideCode | None = None
    note: str = ""
    parcel: Parcel | None = None

    def __post_init__(self) -> None:
        """Refuse to be a request that passes a finding and does not say why."""
        asked = ((self.override, self.reason), *((one.override, one.reason) for one in self.decisions))
        if any(State.FLAGGED in override and reason is None for override, reason in asked):
            raise UsageError("A finding is passed only with a reason.", way_out="Say why it may pass.")

    @property
    def touches_documents(self) -> bool:
        """Whether carrying it out may write a document (then the document locks are taken)."""
        if self.kind is Kind.DECIDE:
            return any(decision.verb is Verb.APPROVE for decision in self.decisions)
        if self.kind is Kind.ANSWER:
            return self.answer is not None and self.answer.verb is not AnswerVerb.KEEP
        return self.kind not in {Kind.OBSERVE, Kind.REOPEN, Kind.DEFER, Kind.CHALLENGE}

    @property
    def proposals(self) -> tuple[str, ...]:
        """Every item id the request names, in order."""
        named = [name for decision in self.decisions for name in (decision.proposal, *decision.closes)]
        return tuple(dict.fromkeys([*named, *self.reopen, *(one.proposal for one in self.defer)]))
