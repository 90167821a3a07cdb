"""Clusters at a desk over all people: the same fact that waits for many, looked at and decided as one.

Here: who is meant, how it stands for each, and the one change with a part in each scope. Not here: when a member is
left out (``core.clusters``), the transaction (``stores.sql.together``). Undoing it undoes every part.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.changes import NotApplied, Receipt
from curator_tui.core.clusters import left_out, planner_for
from curator_tui.core.errors import ReadOnly, UnknownItem, UsageError
from curator_tui.core.requests import Decision, Kind, Reason, Request, Stamp, Verb
from curator_tui.core.text import visible
from curator_tui.curator.calendar import local_day
from curator_tui.curator.people.desk import PeopleDesk
from curator_tui.curator.people.names import receipt_of_all, together
from curator_tui.stores.sql.names import SHORT
from curator_tui.stores.sql.scopes import Whose
from curator_tui.stores.sql.together import Part, transact_together

MOST = 1000
"""Members of one change; the rest waits for the next."""


class Member(Struct, frozen=True):
    """One item of a cluster.

    Attributes:
        name: its name in the queue of all people.
        scope: name of its scope.
        whose: whose memory it is about.
        digest: of its record.
        left: why it is left out, None where it is decided along.
    """

    name: str
    scope: str
    whose: Whose
    digest: str
    left: NotApplied | None


class Cluster(Struct, frozen=True):
    """The same fact, proposed for many people.

    Attributes:
        fact: what its members share.
        verb: what is to be decided.
        members: those that are looked at, oldest first.
        more: how many others wait.
    """

    fact: str
    verb: Verb
    members: tuple[Member, ...]
    more: int = 0

    @property
    def taken(self) -> tuple[Member, ...]:
        """The members that are decided."""
        return tuple(member for member in self.members if member.left is None)

    @property
    def left(self) -> tuple[Member, ...]:
        """The members that are left out."""
        return tuple(member for member in self.members if member.left is not None)


def cluster_of(desk: PeopleDesk, name: str, verb: Verb) -> Cluster:
    """Look at everybody for whom the fact of an item waits.

    Raises:
        UnknownItem: the item does not wait.
        UsageError: nobody else is proposed that fact.
    """
    listed = desk.store.listed(name)
    if listed is None:
        shown = visible(name, newlines=False)
        raise UnknownItem(f"No waiting item has the id {shown}.", way_out="List them with: curator-tui pending")
    if listed.alike is None:
        raise UsageError("This changes an entry of one person.", way_out="Decide it alone.")
    tenant = desk.store.tenant()
    rows = tenant.alike(listed.alike, MOST)
    members = []
    for row in rows:
        desk.queue.go_on()
        proposal = desk.queue.proposal(row.name)
        if proposal is None:
            continue
        left = left_out(desk.found_there(proposal), listed.alike, verb)
        members.append(Member(row.name, row.key.scope, row.whose, proposal.digest, left))
    count = tenant.how_many([listed.alike]).get(listed.alike, 0)
    return Cluster(listed.alike, verb, tuple(members), max(0, count - len(rows)))


def decide_cluster(
    desk: PeopleDesk, cluster: Cluster, *, reason: Reason | None = None, note: str = "", seen: str = "none"
) -> Receipt:
    """Decide about every member that is not left out, as one change with a part in each scope.

    Args:
        desk: the desk.
        cluster: what was looked at; a record that is another one by now is left out.
        reason: reason code, or None.
        note: the person's own words.
        seen: how much of the fact was on screen.

    Raises:
        ReadOnly: the desk was opened for looking only.
        StoreError: nothing was changed.
    """
    if desk.read_only:
        raise ReadOnly
    stamp = desk.stamp()
    desk.operation = stamp.operation
    by_scope: dict[str, list[Member]] = {}
    for member in cluster.taken:
        by_scope.setdefault(member.scope, []).append(member)
    like = Decision("", cluster.verb, reason=reason, note=note, seen=seen)
    parts = [Part(scope, members[0].whose, _request(desk, stamp, members, like)) for scope, members in by_scope.items()]
    store = desk.store
    answers = transact_together(store.database, store.name, parts, planner_for(cluster.fact)) if parts else []
    receipts = [receipt_of_all(one, part.scope[:SHORT]) for part, one in zip(parts, answers, strict=True)]
    desk.note_change(stamp.change, [p.scope[:SHORT] for p, one in zip(parts, answers, strict=True) if one.change])
    left = tuple(replace(one.left, id=one.name) for one in cluster.left if one.left is not None)
    receipt = together(receipts, stamp.change, Kind.DECIDE, left)
    desk.queue.closed(one.id for one in receipt.applied)
    return receipt


def _request(desk: PeopleDesk, stamp: Stamp, members: Sequence[Member], like: Decision) -> Request:
    decisions = tuple(replace(like, proposal=one.name.partition(".")[2], digest=one.digest) for one in members)
    # one change id in every chain, and salts of its own in each
    own = replace(stamp, seed=desk.random_bytes(len(stamp.seed)))
    return Request(own, Kind.DECIDE, decisions=decisions, today=local_day(stamp.at))
