"""Deciding about the same fact for many people at once, at a desk over all of them.

Here: from the key to the question and from its answer to one change. Not here: who is left out (``core.clusters``). The
fact itself is what stands on the page, and has to be seen before; the question names everybody who is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from curator_tui.core.changes import Receipt
from curator_tui.core.requests import Verb
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Looked
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import counted
from curator_tui.tui.review.part import Part
from curator_tui.tui.screens.sending import Done
from curator_tui.tui.shown import Line, message, own, say, shown_line
from curator_tui.tui.words import ended, item_words

if TYPE_CHECKING:
    from curator_tui.curator.people.clusters import Cluster

_NAMED = 8


class DecidingAlike(Part):
    """The key of a plan, on a row that stands for many people."""

    def ask(self, looked: Looked) -> None:
        """Show for whom it would be decided, once the fact was seen."""
        if self.app.read_only:
            self.screen.say((own("only looking: nothing is decided here", role="warn"),))
        elif self.model.locked_by() is not None:
            self.screen.moving.to_unseen()
            key = key_for("change.next")
            self.screen.say_of_item((own("read the fact first: {} goes on, then the same key", key, role="warn"),))
        elif self.screen.is_free():
            self.screen.work(partial(self._ask, looked), "alike")

    async def _ask(self, looked: Looked) -> None:
        from curator_tui.tui.screens.second import AskScreen

        cluster = await self.app.clerk.ask(partial(_look, name=looked.id))
        if not looked.is_same(self.model.looked) or not self.screen.is_current:
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._send(cluster, looked)
            else:
                self.screen.say((own("not approved for everybody"),))

        lines = [(own("{}", item_words(looked.item.found.proposal), role="strong"),), *_lines(cluster)]
        people = counted(len(cluster.taken), "person", "people")
        self.app.push_screen(
            AskScreen(say("the same for {}", people), lines, say("approve it for {}", people)), answered
        )

    def _send(self, cluster: Cluster, looked: Looked) -> None:
        seen = self.app.gate.seen
        following = self.model.rows.after(self.screen.queue.cursor) if self.model.rows is not None else None

        def told(receipt: Receipt) -> Done:
            people = counted(len(receipt.applied), "person", "people")
            words = say("approved {} for {}", item_words(looked.item.found.proposal), people)
            return Done(words, ended=ended(receipt))

        job = partial(_decide, cluster=cluster, seen=seen)
        self.screen.going_on.send(job, told, lambda _: following.id if following is not None else None)


def _look(desk: Desk, name: str) -> Cluster:
    from curator_tui.curator.people.clusters import cluster_of
    from curator_tui.curator.people.desk import PeopleDesk

    assert isinstance(desk, PeopleDesk)
    return cluster_of(desk, name, Verb.APPROVE)


def _decide(desk: Desk, cluster: Cluster, seen: str) -> Receipt:
    from curator_tui.curator.people.clusters import decide_cluster
    from curator_tui.curator.people.desk import PeopleDesk

    assert isinstance(desk, PeopleDesk)
    return decide_cluster(desk, cluster, seen=seen)


def _lines(cluster: Cluster) -> Sequence[Line]:
    """Name some of those it is decided for, and everybody who is left out, as far as there is room."""
    who = ", ".join(shown_line(one.whose.within, 20) for one in islice(cluster.taken, _NAMED))
    more = f" and {len(cluster.taken) - _NAMED} more" if len(cluster.taken) > _NAMED else ""
    lines: list[Line] = [(own("for {}{}; one change, one line in the ledger of each", message(who), message(more)),)]
    for one in islice(cluster.left, _NAMED):
        assert one.left is not None
        why = message(one.left.message)
        lines.append((own("  left out: {}, {}", shown_line(one.whose.within, 20), why, role="warn"),))
    if len(cluster.left) > _NAMED:
        lines.append((own("  and {} more left out", len(cluster.left) - _NAMED, role="warn"),))
    if cluster.more:
        lines.append((own("  {} more wait for the next time", cluster.more, role="note"),))
    return lines
