"""All people of a tenant on the command line: one page of what waits for them, and how the whole of it stands.

Here: what ``pending`` and ``status`` say where ``--db`` is given and ``--user`` is not. Not here: showing or deciding
one item, which is the same everywhere: its id says whose it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from curator_tui.cli.ages import age
from curator_tui.cli.session import Session, usage
from curator_tui.cli.shapes import Shape
from curator_tui.core.requests import Reason, Verb
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk

if TYPE_CHECKING:
    from curator_tui.curator.people.desk import PeopleDesk


def turned_to(desk: Desk, after: str | None, count: int) -> str | None:
    """Turn to one page of the queue of all people.

    Args:
        desk: a desk over many people.
        after: what the page before gave as ``next``; None for the first page.
        count: items of a page.

    Returns:
        What the page behind this one begins after; None where nothing is behind it.

    Raises:
        UsageError: ``after`` is none of that.
    """
    try:
        return cast("PeopleDesk", desk).turn_to(after, count)
    except ValueError:
        raise usage("--after names no place in the queue.", "Give what the page before had as next.") from None


def one_person(session: Session, what: str) -> None:
    """Refuse what is about one person where many are meant.

    Raises:
        UsageError: a database is named, and nobody in it.
    """
    if session.database is not None and session.database.user is None:
        raise usage(f"{what} is about one person's memory, and --user is missing.", "Name the person: --user NAME")


def decide_alike(
    session: Session,
    desk: Desk,
    name: str,
    verb: Verb,
    *,
    reason: Reason | None = None,
    note: str = "",
    dry_run: bool = False,
) -> int:
    """Decide about the same fact for everybody it is proposed for, as one change, and tell what became of it.

    Raises:
        UsageError: the desk is that of one person.
    """
    from curator_tui.cli.answers import tell
    from curator_tui.core.changes import Applied, Receipt
    from curator_tui.core.endings import Ending
    from curator_tui.core.requests import Kind
    from curator_tui.curator.people.clusters import cluster_of, decide_cluster

    if desk.over_one:
        raise usage("--alike is about all people of a tenant.", "Leave out --user.")
    people = cast("PeopleDesk", desk)
    cluster = cluster_of(people, name, verb)
    if dry_run:
        left = tuple(one.left for one in cluster.left if one.left is not None)
        ending = Ending.APPROVE if verb is Verb.APPROVE else Ending.REJECT
        applied = tuple(Applied(one.name, ending) for one in cluster.taken)
        receipt = Receipt(None, Kind.DECIDE, applied=applied, not_applied=left)
    else:
        receipt = decide_cluster(people, cluster, reason=reason, note=note)
    whose = {one.name: visible(one.whose.within) for one in cluster.members}
    more = [f"{cluster.more} more wait: decide again for them"] if cluster.more else []
    return tell(session, desk, receipt, after=more, would=dry_run, named=whose)


def people_status(session: Session, desk: Desk) -> Shape:
    """Print how the queue of all people stands, and return it."""
    facts, oldest = desk.facts(), cast("PeopleDesk", desk).oldest_at()
    document: Shape = {
        "store": facts.label,
        "scope": facts.scope,
        "gate": facts.gate,
        "pending": len(desk.queue),
        "by_state": {},
        "deferred": 0,
        "questions": 0,
        "oldest_age_s": None if oldest is None else max(0, int(desk.now() - oldest)),
        "documents": {},
        "enabled": {},
        "provider": "",
        "skills_waiting": 0,
        "profiles": [],
        "recovery_pending": False,
        "notes": list(facts.notes),
    }
    session.output.answer(document, _lines(desk, document))
    return document


def _lines(desk: Desk, document: Shape) -> Iterator[str]:
    yield f"Store     {document['store']} ({desk.facts().kind} {document['scope']})"
    oldest = document["oldest_age_s"]
    since = f"; the oldest for {age(oldest)}" if oldest is not None else ""
    yield f"Waiting   {document['pending']}, what is deferred included{since}"
    yield from (f"note: {note}" for note in document["notes"])
    yield "One person's memory: the same with --user NAME"
