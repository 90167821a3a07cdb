"""Origins: where an entry came from, who asked for it, who let it in, and whether a person ever looked at it.

Here: the value, and what it is made of where a step and the proposals it wrote are known. Not here: the walk that finds
the step (``trails``), looking up messages (``evidence``), caching.

What is not known says so. A record's claims (its origin, its time) stay claims: who approved comes from the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.diffs import entry_diff
from curator_tui.core.documents import Target, entry_id
from curator_tui.core.endings import WROTE, Ending
from curator_tui.core.losses import inside_only
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Actor, ActorKind
from curator_tui.core.trails import Came, Entries, Step, Trail, Way

EARLIER_LIMIT = 20


class Proposer(StrEnum):
    """Who asked for an entry."""

    AGENT = "agent"
    REVIEW = "agent, unattended review"
    PERSON = "person"
    PROGRAM = "another program"
    UNKNOWN = "unknown"


class Claim(StrEnum):
    """On what a proposal rests, by its evidence."""

    SAID = "said by the user"
    TOOL = "told by a tool"
    INFERRED = "inferred"
    UNKNOWN = "unknown"


class Written(Struct, frozen=True):
    """One proposal that a change wrote.

    Attributes:
        item: its id.
        ending: how it ended.
        seen: how much of it was on screen, as the ledger says; empty where it does not.
        session: id of the session the ledger names, or empty.
        proposal: its record as kept; None when nothing was kept.
        targets: the documents it named; empty when not known.
    """

    item: str
    ending: Ending
    seen: str = ""
    session: str = ""
    proposal: Proposal | None = None
    targets: tuple[Target, ...] = ()


class Origin(Struct, frozen=True):
    """Where one live entry came from.

    Attributes:
        target: its document.
        text: the whole entry.
        seq: sequence number of the ledger row that brought it; None for unknown.
        change: id of that change, or empty.
        at: time of that row, UTC seconds; None for unknown. Never the time of a file.
        noticed: True when another program wrote it: it stood there by that time, since when is not known.
        proposer: who asked for it.
        claimed: the record's own word for where it came from, raw; empty for none.
        proposed_at: the record's claim of when it was staged; None for none.
        item: id of the proposal that brought it, or empty.
        ending: how that was decided, or None.
        approver: who let it in; None when it was written outside the review, or nobody can tell.
        session: id of the session the claim came from, as the ledger or the evidence names it; empty for none.
        message: number of the message in that session, or None.
        claim: on what it rests.
        earlier: texts that stood in its place before, newest first, as far as known.
        seen: whether a person ever approved, corrected or added exactly this text.
        screen: how much of it was on screen when it was approved, as the ledger says; empty for nothing known.
        author: who wrote that proposal, by authentication; empty where nobody knows.
        inside: whether it is the proposal's own words put into the entry they matched in, and nothing a person typed.
    """

    target: Target
    text: str
    seq: int | None = None
    change: str = ""
    at: float | None = None
    noticed: bool = False
    proposer: Proposer = Proposer.UNKNOWN
    claimed: str = ""
    proposed_at: float | None = None
    item: str = ""
    ending: Ending | None = None
    approver: Actor | None = None
    session: str = ""
    message: int | None = None
    claim: Claim = Claim.UNKNOWN
    earlier: tuple[str, ...] = ()
    seen: bool = False
    screen: str = ""
    author: str = ""
    inside: bool = False

    @property
    def id(self) -> str:
        """Entry id."""
        return entry_id(self.text)

    @property
    def known(self) -> bool:
        """Whether anything is known of where it came from."""
        return self.proposer is not Proposer.UNKNOWN

    @property
    def unreviewed(self) -> bool:
        """Whether it is known to have been written without a review."""
        return self.known and self.approver is None


class Tracer(Struct, frozen=True):
    """Finds origins along the trail of one document.

    Attributes:
        target: the document.
        trail: its trail.
        written: returns the proposals that a change wrote.
        in_force: whether a change has not been taken back.
        reviewed: texts that a person approved although they stood there already.
    """

    target: Target
    trail: Trail
    written: Callable[[str], Sequence[Written]]
    in_force: Callable[[str], bool]
    reviewed: frozenset[str] = frozenset()

    def origin(self, text: str) -> Origin:
        """Return the origin of one entry that stands now."""
        came = self.trail.came(text)
        if came is None:
            # it came since the last look, so that no row speaks of it yet
            return Origin(self.target, text, proposer=Proposer.PROGRAM, seen=self._seen(text, None))
        found = self._brought(text, came)
        return replace(found, earlier=self._earlier(text, came), seen=self._seen(text, came))

    def _brought(self, text: str, came: Came) -> Origin:
        step = came.step
        if step is None:
            return Origin(self.target, text)
        base = Origin(self.target, text, step.seq, step.change, step.at)
        if step.way is Way.OUTSIDE:
            return replace(base, noticed=True, proposer=Proposer.PROGRAM)
        if step.way is not Way.DECIDED:
            return replace(base, proposer=_acting(step.actor), approver=step.actor)
        one = attributed(self.target, text, self.written(step.change))[0]
        if one is None:
            return replace(base, proposer=Proposer.AGENT, approver=step.actor, ending=Ending.APPROVE)
        proposal = one.proposal
        background = proposal is not None and proposal.background
        return replace(
            base,
            proposer=Proposer.REVIEW if background else Proposer.AGENT,
            claimed=proposal.origin if proposal is not None else "",
            author=proposal.author if proposal is not None else "",
            proposed_at=proposal.created_at if proposal is not None else None,
            item=one.item,
            ending=one.ending,
            approver=step.actor,
            session=one.session,
            claim=Claim.INFERRED if background else Claim.UNKNOWN,
            screen=one.seen,
            inside=one.ending is Ending.EDIT and _only_inside(self.target, text, came.before, proposal),
        )

    def _earlier(self, text: str, came: Came) -> tuple[str, ...]:
        """Follow the texts that stood in its place, newest first; a circle ends where it closes."""
        found: list[str] = []
        newest = text
        while came.step is not None and len(found) < EARLIER_LIMIT:
            old = self._replaced(text, came, came.step)
            if old is None or old in found or old == newest:
                break
            found.append(old)
            before = self.trail.came_before(old, came.step.seq)
            if before is None:
                break
            text, came = old, before
        return tuple(found)

    def _replaced(self, text: str, came: Came, step: Step) -> str | None:
        after = step.after or ()
        gone = [entry for entry in came.before if entry not in after]
        if not gone:
            return None
        if step.way is Way.DECIDED:
            one, pin = attributed(self.target, text, self.written(step.change))
            if one is not None and one.proposal is not None and one.ending is Ending.APPROVE:
                return pin if pin in gone else None
            if pin in gone:
                return pin
        new = [entry for entry in after if entry not in came.before]
        if step.replaces and len(gone) == len(new) == 1:
            return gone[0]
        pairs = {part.after: part.before for part in entry_diff(came.before, after) if part.kind == "changed"}
        return pairs.get(text)

    def _seen(self, text: str, came: Came | None) -> bool:
        if text in self.reviewed:
            return True
        steps = [one.step for one in self.trail.ever(text) if one.step is not None and self.in_force(one.step.change)]
        if came is not None and came.step is not None:
            steps.append(came.step)
        return any(step.actor.kind is ActorKind.PERSON for step in steps)


def _only_inside(target: Target, text: str, before: Entries, proposal: Proposal | None) -> bool:
    """Whether a text is a proposal's own words, put into an entry that stood before only where they matched."""
    steps = [step for step in (proposal.operations if proposal is not None else ()) if step.target == target]
    return any(
        inside_only(entry, step.match, step.content) == text
        for step in steps
        if step.match and step.content
        for entry in before
        if step.match in entry
    )


def _acting(actor: Actor) -> Proposer:
    if actor.kind is ActorKind.PERSON:
        return Proposer.PERSON
    return Proposer.PROGRAM if actor.kind is ActorKind.OUTSIDE else Proposer.AGENT


def attributed(target: Target, text: str, written: Sequence[Written]) -> tuple[Written | None, str | None]:
    """Return which of the proposals a change wrote brought an entry, and the entry that one had pinned to replace.

    Where several could have and none of them says these very words, nobody can tell.
    """
    wrote = [one for one in written if one.ending in WROTE and (not one.targets or target in one.targets)]
    loose: list[tuple[Written, str | None]] = []
    for one in reversed(wrote):
        steps = [step for step in (one.proposal.operations if one.proposal else ()) if step.target == target]
        for step in steps:
            if step.content == text:
                return one, step.pin
        if one.ending is Ending.EDIT or one.proposal is None:
            pins = [step.pin for step in steps if step.content is not None]
            loose.append((one, pins[0] if len(pins) == 1 else None))
    return loose[0] if len(loose) == 1 else (None, None)
