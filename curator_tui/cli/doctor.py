"""``doctor``: whether everything agrees, and what an operator should know."""

from __future__ import annotations

from collections.abc import Iterator

import click

from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.cli.shapes import problem_shapes
from curator_tui.curator.doctor import Report, examine


@click.command()
@click.option("--repair", is_flag=True, help="Finish an interrupted change; nothing else is repaired.")
@json_option
@pass_session
def doctor(session: Session, repair: bool) -> int:
    """Check store, book, queue and ledger against each other (exit 1 when they disagree)."""
    report = examine(session.desk(looking=not repair, telling=False), repair=repair)
    document = {
        "ok": report.ok,
        "problems": problem_shapes(report.problems),
        "notes": list(report.notes),
        "repaired": report.repaired,
    }
    session.output.answer(document, _lines(report, asked=repair))
    return 0 if report.ok else 1


def _lines(report: Report, *, asked: bool) -> Iterator[str]:
    if asked:
        yield "An interrupted change was finished." if report.repaired else "No change was interrupted."
    yield from (f"problem: {problem.message}" for problem in report.problems)
    yield "Store, book, queue and ledger agree." if report.ok else f"{len(report.problems)} problems."
    yield from (f"note: {note}" for note in report.notes)
