"""``doctor``: whether everything agrees, and what an operator should know."""

from __future__ import annotations

from collections.abc import Iterator

import click

from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.cli.shapes import problem_shapes
from curator_tui.core.counting import counted
from curator_tui.curator.doctor import Report, examine
from curator_tui.curator.values import Interrupted

_INTERRUPTED = {
    None: "No change was interrupted.",
    Interrupted.FINISHED: "An interrupted change was finished.",
    Interrupted.UNDONE: "An interrupted change was undone: nothing of it had been written.",
    Interrupted.DROPPED: (
        "This home is a copy: a change that was interrupted in the original is dropped here, what of it stands in the "
        "documents stays, and the ledger goes on as a chain of its own."
    ),
}


@click.command()
@click.option("--repair", is_flag=True, help="Finish an interrupted change and remove what dead processes left.")
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
        "interrupted": str(report.mended.interrupted) if report.mended and report.mended.interrupted else None,
        "removed": report.mended.leftovers if report.mended else None,
    }
    session.output.answer(document, _lines(report))
    return 0 if report.ok else 1


def _lines(report: Report) -> Iterator[str]:
    if report.mended is not None:
        yield _INTERRUPTED[report.mended.interrupted]
        if report.mended.leftovers:
            yield f"Left behind by processes that ended, and removed: {report.mended.leftovers}."
    yield from (f"problem: {problem.message}" for problem in report.problems)
    yield "Store, book, queue and ledger agree." if report.ok else f"{counted(len(report.problems), 'problem')}."
    yield from (f"note: {note}" for note in report.notes)
