"""``db``: the tables of a database and who may use them, for whoever keeps it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from curator_tui.cli.db_agents import agents
from curator_tui.cli.db_roles import bind, grants
from curator_tui.cli.db_rules import rules
from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.cli.shapes import problem_shapes
from curator_tui.core.counting import counted
from curator_tui.curator.databases import Made, Tried, try_out, upgrade_tables


@click.group()
def db() -> None:
    """Keep the database that --db names: make its tables, see that it can be relied on, and say who may do what."""


db.add_command(grants)
db.add_command(bind)
db.add_command(agents)
db.add_command(rules)


@db.command()
@click.option(
    "--partitions",
    type=click.IntRange(2, 1024),
    metavar="N",
    help="Cut the tables of a server into N parts by whose rows they are; the number stays.",
)
@json_option
@pass_session
def upgrade(session: Session, partitions: int | None) -> int:
    """Make the tables, or bring older ones to this version, everything or nothing.

    A table agent_memory that a service made before is taken over with all of its rows. After --partitions run: db
    grants
    """
    done = upgrade_tables(session.database_url(writing=True), partitions)
    document = {
        "ok": True,
        "database": done.label,
        "before": done.before or None,
        "after": done.after,
        "adopted": done.adopted,
    }
    session.output.answer(document, _upgraded(done, partitions))
    return 0


def _upgraded(done: Made, partitions: int | None) -> Iterator[str]:
    if done.before == done.after and not partitions:
        yield f"{done.label} has the tables of version {done.after} already; nothing was changed."
        return
    came = f"from version {done.before}" if done.before else "which had none of ours"
    yield f"{done.label}, {came}, has the tables of version {done.after} now."
    if partitions:
        yield f"They are cut into {partitions} parts. Now run: curator-tui db grants"
    if done.adopted is not None:
        yield f"agent_memory was there before: {counted(done.adopted, 'row')} taken over."


@db.command()
@json_option
@pass_session
def check(session: Session) -> int:
    """Look at the tables and the settings, and try the database out with a row that does not stay.

    Exit code 1 says that it should not be relied on. Nothing stays of it.
    """
    url = session.database_url()
    assert session.database is not None
    found = try_out(url, session.database.tenant)
    document = {
        "ok": not found.problems,
        "database": found.label,
        "engine": found.engine,
        "version": found.version or None,
        "settings": dict(sorted(found.settings.items())),
        "problems": problem_shapes(found.problems),
        "notes": list(found.notes),
    }
    session.output.answer(document, _checked(found))
    return 1 if found.problems else 0


def _checked(found: Tried) -> Iterator[str]:
    yield f"{found.label} ({found.engine}), tables of version {found.version or 'none'}"
    yield from (f"  {name} {setting}" for name, setting in sorted(found.settings.items()))
    yield from (f"problem: {problem.message}" for problem in found.problems)
    yield from (f"note: {note}" for note in found.notes)
    if not found.problems:
        yield "It takes, gives back and keeps what is written. Nothing of the test stayed."
