"""``reject``, ``log-only``, ``defer`` and ``reopen``: decisions that write nothing into memory."""

from __future__ import annotations

import click

from curator_tui.cli.answers import reason_and_note, tell
from curator_tui.cli.item_words import waiting_words
from curator_tui.cli.session import Session, json_option, pass_session, usage
from curator_tui.core.requests import Decision, Verb

_NAMES = click.argument("names", nargs=-1, required=True, metavar="ID...")
_REASON = click.option(
    "--reason",
    metavar="REASON",
    help="duplicate; wrong (never true); sensitive (secret or private); stale (outdated); not-useful; request; other "
    "words become a note.",
)


@click.command()
@_NAMES
@_REASON
@click.option("--alike", is_flag=True, help="Of all people: the same fact for everybody it is proposed for (one ID).")
@json_option
@pass_session
def reject(session: Session, names: tuple[str, ...], reason: str | None, alike: bool) -> int:
    """Reject waiting writes. What holds a secret leaves no trace of its text and cannot come back."""
    if alike:
        from curator_tui.cli.people import decide_alike

        code, note = reason_and_note(reason)
        return decide_alike(
            session, session.desk(looking=False, many=True), only(names), Verb.REJECT, reason=code, note=note
        )
    return _decide(session, names, Verb.REJECT, reason)


@click.command("log-only")
@_NAMES
@_REASON
@json_option
@pass_session
def log_only(session: Session, names: tuple[str, ...], reason: str | None) -> int:
    """Close waiting writes without writing; the ledger keeps a row, and reopen brings them back."""
    return _decide(session, names, Verb.LOG_ONLY, reason)


@click.command()
@_NAMES
@click.option("--until", metavar="DATE", help="2026-12-24, tomorrow, 3d or 2w; without it until you reopen them.")
@click.option("--note", metavar="TEXT", default="", help="Your own words, for the ledger.")
@json_option
@pass_session
def defer(session: Session, names: tuple[str, ...], until: str | None, note: str) -> int:
    """Defer waiting writes: they are out of the queue, and back by themselves on the day that DATE is where you are.

    A record that is written again meanwhile is back at once. reopen brings a deferred write back now.
    """
    from curator_tui.cli.aside_words import back_words
    from curator_tui.core.days import day_from

    desk = session.desk(looking=False)
    day = "" if until is None else day_from(until, desk.today())
    receipt = desk.defer(names, day, note=note)
    after = (back_words(day),) if receipt.applied else ()
    return tell(session, desk, receipt, after=after, extra={"until": day or None})


@click.command()
@_NAMES
@json_option
@pass_session
def reopen(session: Session, names: tuple[str, ...]) -> int:
    """Return decided writes to the queue, and deferred ones before their day; memory itself is not touched."""
    desk = session.desk(looking=False)
    receipt = desk.reopen(tuple(dict.fromkeys(names)))
    return tell(session, desk, receipt, named=waiting_words(desk, names))


def only(names: tuple[str, ...]) -> str:
    """Return the one item that is named.

    Raises:
        UsageError: there are several.
    """
    if len(names) != 1:
        raise usage("--alike is about the fact of one item: give exactly one ID.")
    return names[0]


def _decide(session: Session, names: tuple[str, ...], verb: Verb, reason: str | None) -> int:
    code, note = reason_and_note(reason)
    desk = session.desk(looking=False, many=True)
    decisions = [Decision(name, verb, reason=code, note=note) for name in dict.fromkeys(names)]
    named = waiting_words(desk, names)
    return tell(session, desk, desk.decide(decisions), named=named)
