"""``db grants`` and ``db bind``: who may do what in a database of a server, for whoever keeps it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.core.counting import counted
from curator_tui.curator.databases import Granted, Held, hold_login, install_roles


@click.command()
@click.option("--dry-run", is_flag=True, help="Print the statements and run none.")
@json_option
@pass_session
def grants(session: Session, dry_run: bool) -> int:
    """Install the groups of a server, what each may do, and the policies that keep memories apart.

    It can be run again and again; run it again after an upgrade. Then grant one of the groups to each login:
    GRANT memory_curator TO ada
    """
    found = install_roles(session.database_url(writing=not dry_run), dry_run=dry_run)
    document = {
        "ok": True,
        "database": found.label,
        "dry_run": dry_run,
        "groups": sorted(found.groups),
        "made": list(found.made),
        "statements": list(found.statements),
    }
    session.output.answer(document, _statements(found) if dry_run else _granted(found))
    return 0


def _statements(found: Granted) -> Iterator[str]:
    """Yield the statements as a script that another program can run as a whole."""
    yield "BEGIN;"
    for statement in found.statements:
        yield from f"{statement.strip()};".splitlines()
    yield "COMMIT;"


def _granted(found: Granted) -> Iterator[str]:
    yield f"{found.label}: {counted(len(found.statements), 'statement')} run; each table keeps memories apart now."
    width = max(map(len, found.groups))
    yield from (f"  {name:<{width}}  {words}" for name, words in found.groups.items())
    yield "Grant one of them to each login: GRANT memory_curator TO ada"
    yield "A subject also has to be told whose memory it is: curator-tui --db … --tenant T --user U db bind LOGIN"


@click.command()
@click.argument("login")
@click.option("--remove", is_flag=True, help="Let go of everything the login is held to.")
@json_option
@pass_session
def bind(session: Session, login: str, remove: bool) -> int:
    """Hold LOGIN to what --tenant, --user and --agent name, whatever it asks for.

    Without --user it is everybody of the tenant. A login that is bound to nothing is held only to what its program
    says, and a subject that is bound to nothing sees nothing.
    """
    url = session.database_url(writing=True)
    named = session.database
    assert named is not None
    found = hold_login(url, login, None if remove else (named.tenant, named.user, named.agent))
    document = {"ok": True, "database": found.label, "login": login, "to": list(found.to)}
    session.output.answer(document, _held(login, found))
    return 0


def _held(login: str, found: Held) -> Iterator[str]:
    from curator_tui.core.text import visible

    shown = visible(login, newlines=False)
    if not found.to:
        yield f"{shown} is bound to nothing."
    yield from (f"{shown} is held to {words}" for words in found.to)
