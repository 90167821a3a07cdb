"""``db agents``: how far the agents of a tenant are trusted."""

from __future__ import annotations

from collections.abc import Iterator

import click

from curator_tui.cli.session import Session, json_option, pass_session, usage
from curator_tui.core.counting import counted
from curator_tui.core.text import one_line
from curator_tui.core.trust import MEANINGS, Judged, Trust
from curator_tui.curator.databases import agents as agents_of
from curator_tui.curator.databases import judge

_NAME = 40


@click.command()
@click.argument("agent", required=False)
@click.option("--trust", type=click.Choice([str(word) for word in Trust]), help="How far AGENT is trusted.")
@click.option("--forget", is_flag=True, help="Say nothing of AGENT any more.")
@json_option
@pass_session
def agents(session: Session, agent: str | None, trust: str | None, forget: bool) -> int:
    """List the agents of the tenant that --tenant names, or say how far AGENT is trusted.

    AGENT is the name that stands on what it wrote: on a server the login it proposes with. The word stands beside each
    of its proposals; it decides nothing.
    """
    if (agent is None) != (trust is None and not forget) or (trust is not None and forget):
        raise usage("AGENT goes with one of --trust and --forget.", "curator-tui --db … db agents NAME --trust trusted")
    url = session.database_url(writing=agent is not None)
    named = session.database
    assert named is not None
    if agent is not None:
        judge(url, named.tenant, agent, None if trust is None else Trust(trust), unheld=named.unheld)
    found = agents_of(url, named.tenant, unheld=named.unheld)
    session.output.answer({"ok": True, "tenant": named.tenant, "agents": [_shape(one) for one in found]}, _lines(found))
    return 0


def _shape(one: Judged) -> dict[str, object]:
    trust = None if one.trust is None else str(one.trust)
    return {"name": one.name, "trust": trust, "by": one.by or None, "waiting": one.waiting}


def _lines(found: tuple[Judged, ...]) -> Iterator[str]:
    if not found:
        yield "No agent wrote anything that waits here, and none was judged."
    width = max((len(one_line(one.name, _NAME)) for one in found), default=0)
    for one in found:
        said = f"{one.trust} (said by {one_line(one.by, _NAME)})" if one.trust is not None else "not judged yet"
        yield f"{one_line(one.name, _NAME):<{width}}  {said}, {counted(one.waiting, 'proposal')} waiting"
    yield from (f"  {word}: {meaning}" for word, meaning in MEANINGS.items())
