"""``review``: the application; with ``--plain`` the same job line by line, for whoever reads no screen."""

from __future__ import annotations

import os
import sys

import click

from curator_tui.cli.session import Session, pass_session, usage


@click.command()
@click.option("--plain", is_flag=True, help="Line by line: for screen readers, braille displays and dumb terminals.")
@click.option("--width", type=click.IntRange(min=0), help="Wrap lines at so many cells; 0 never (with --plain).")
@pass_session
def review(session: Session, plain: bool, width: int | None) -> int:
    """Work the queue: on the screens of the application, or line by line with typed answers.

    Line by line nothing moves the cursor or colours anything. Without a terminal for input an answer that decides
    must end with the code that was printed with what it decides about, and the exit code is 1 when something that was
    asked for did not happen.
    """
    if not plain:
        from curator_tui.cli.start import start_application

        if width is not None:
            raise usage("--width belongs to --plain.")
        return start_application(session)
    from curator_tui.cli.plain.answers import Answers
    from curator_tui.cli.plain.commands import obey
    from curator_tui.cli.plain.looking import begin
    from curator_tui.cli.plain.printer import Printer
    from curator_tui.cli.plain.talk import Talk
    from curator_tui.curator.opening import open_beside

    desk = session.desk(looking=session.read_only)
    printer = Printer(session.output, width)
    talk = Talk(desk, Answers(sys.stdin, sys.stdout), printer, lambda name: open_beside(talk.desk, name, os.environ))
    return talk.run(begin, obey)
