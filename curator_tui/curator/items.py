"""One waiting proposal with everything a person sees of it, as the desk puts it together.

Here: that value. Not here: where its parts come from (``desk``), how it is drawn.
"""

from __future__ import annotations

from msgspec import Struct

from curator_tui.core.preflight import Preflight, State
from curator_tui.core.settling import Settlement
from curator_tui.evidence.port import Evidence


class Item(Struct, frozen=True):
    """One waiting proposal with everything a person sees of it.

    Attributes:
        found: its preflight, on its record as it is now and on the documents as last read.
        members: ids waiting for the same entry, itself included, oldest first.
        alternatives: number of different outcomes among the members.
        settlement: what approving it does together with closing the other members.
        digest: what an approval that closes its group is bound to.
        plain_digest: what an approval of it alone is bound to.
        room: for ``over-limit``: waiting items that would make room.
        superseded_by: for ``stale``: the decided item that took the entry, or empty.
        evidence: where the claim came from; None when not looked up.
        raw: the record's bytes; None where they were not read.
    """

    found: Preflight
    members: tuple[str, ...]
    alternatives: int
    settlement: Settlement
    digest: str
    plain_digest: str
    room: tuple[str, ...] = ()
    superseded_by: str = ""
    evidence: Evidence | None = None
    raw: bytes | None = None

    @property
    def id(self) -> str:
        """Item id."""
        return self.found.proposal.id

    @property
    def state(self) -> State:
        """The state shown."""
        return self.found.state

    @property
    def others(self) -> tuple[str, ...]:
        """The other members of its group."""
        return tuple(name for name in self.members if name != self.id)
