"""``db rules``: what two persons have to approve in a tenant."""

from __future__ import annotations

from collections.abc import Iterator

import click

from curator_tui.cli.session import Session, json_option, pass_session, usage
from curator_tui.core.two_persons import NAMES
from curator_tui.curator.databases import rules as rules_of
from curator_tui.curator.databases import set_rules


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(NAMES))
@click.option("--none", is_flag=True, help="Let one person approve everything again.")
@json_option
@pass_session
def rules(session: Session, names: tuple[str, ...], none: bool) -> int:
    """List what two persons have to approve in the tenant that --tenant names, or say it with NAMES.

    A first approval is noted and writes nothing; a second one by somebody else, of exactly the same outcome, applies.
    """
    if names and none:
        raise usage("--none takes all rules away: name none with it.")
    url = session.database_url(writing=bool(names) or none)
    named = session.database
    assert named is not None
    if names or none:
        set_rules(url, named.tenant, names, unheld=named.unheld)
    found = rules_of(url, named.tenant, unheld=named.unheld)
    session.output.answer({"ok": True, "tenant": named.tenant, "rules": list(found)}, _lines(found))
    return 0


def _lines(found: tuple[str, ...]) -> Iterator[str]:
    if not found:
        yield "One person approves everything."
    for name in found:
        yield f"two persons: {name}"
