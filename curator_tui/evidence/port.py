"""The port of evidence: what any source of sessions answers about one proposal.

Here: the values and the protocol. Not here: any source. All text in these values is as it was stored: surfaces pass it
through ``core.text`` before it is shown.
"""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from curator_tui.core.proposals import Proposal

EvidenceKind = Literal["found", "guess", "none"]


class Quote(Struct, frozen=True):
    """One message that stands behind a claim.

    Attributes:
        session: id of its session.
        message: its number in the source, None when it has none.
        role: who spoke: ``user``, ``assistant``, ``tool`` or ``system``.
        at: when, UTC seconds, None when not known.
        text: its words, raw.
    """

    session: str
    message: int | None
    role: str
    at: float | None
    text: str


class Evidence(Struct, frozen=True):
    """Where a proposal came from, as far as a source can tell.

    Attributes:
        kind: ``found`` when the session names the proposal, ``guess`` when only the time fits, ``none`` otherwise.
        session: id of the session, empty for none.
        title: the session's title, raw; empty when it has none.
        quotes: the messages, the person's words first.
        note: in words safe to print, what to think of it or why there is nothing.
    """

    kind: EvidenceKind
    session: str = ""
    title: str = ""
    quotes: tuple[Quote, ...] = ()
    note: str = ""

    @property
    def guess(self) -> bool:
        """Whether nothing but the time speaks for it."""
        return self.kind == "guess"

    @property
    def message_id(self) -> int | None:
        """Number of the first quoted message."""
        return self.quotes[0].message if self.quotes else None

    @property
    def role(self) -> str:
        """Who spoke in the first quoted message."""
        return self.quotes[0].role if self.quotes else ""

    @property
    def at(self) -> float | None:
        """When the first quoted message was said, UTC seconds."""
        return self.quotes[0].at if self.quotes else None

    @property
    def quote(self) -> str:
        """The words of the first quoted message, raw."""
        return self.quotes[0].text if self.quotes else ""


class EvidenceSource(Protocol):
    """Anything that can look for the messages behind a proposal."""

    def for_proposal(self, proposal: Proposal) -> Evidence:
        """Return what is known; never raises."""
        ...
