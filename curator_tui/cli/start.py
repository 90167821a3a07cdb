"""Starting the application: on the bound home, or on a demo home built for the occasion."""

from __future__ import annotations

import contextlib
import gc
import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TextIO

import click

from curator_tui.cli.session import Session, json_option, pass_session, shown_name, usage

_DEMO_GONE = (
    "curator-tui: this demo's home was a temporary folder and is removed now, with everything decided in it. To keep "
    "one: curator-tui demo --keep DIR\n"
)
_DEMO_KEPT = "curator-tui: this demo's home is kept at {}. Open it again with: curator-tui --home {}\n"


def start_application(session: Session) -> int:
    """Open the application on the home the command line is bound to."""
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stdout)):
        raise usage("The application needs a terminal.", "Without one, use: curator-tui review --plain, or the verbs")
    # nothing of what is built for the first frame is garbage; the review screen turns the collector on after it
    gc.disable()
    from curator_tui.curator.opening import open_beside, open_desk
    from curator_tui.tui.app import run

    screenful = shutil.get_terminal_size().lines
    desk = open_desk(
        **session.where(),
        environ=os.environ,
        through="tui",
        first=screenful,
        read_only=session.read_only,
        many=True,
    )
    return run(desk, switch=lambda profile: open_beside(desk, profile, os.environ), ascii_only=session.ascii_only)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


@click.command()
@click.option("--keep", metavar="DIR", help="Build it there and keep it (a new or empty folder).")
@click.option("--no-tui", is_flag=True, help="Only build it and print its path.")
@json_option
@pass_session
def demo(session: Session, keep: str | None, no_tui: bool) -> int:
    """Build a sample home without any network and open the application on it."""
    from curator_tui.demo import build

    if session.output.as_json and not no_tui:
        raise usage("--json prints the path of the home: use it with --no-tui.")
    if keep == "":
        raise usage("--keep names no folder.")
    folder = Path(keep) if keep is not None else Path(tempfile.mkdtemp(prefix="curator-tui-demo-"))
    kept = no_tui or keep is not None
    try:
        try:
            home = build(folder)
        except OSError as error:
            cause = os.strerror(error.errno) if error.errno else "it cannot be made"
            raise usage(f"no demo home can be built at {shown_name(str(folder))}: {cause}.") from error
        if no_tui:
            session.output.answer({"home": str(home)}, [shown_name(str(home))])
            return 0
        session.home, session.profile = home, "default"
        code = start_application(session)
        place = shown_name(str(home.resolve()))
        with contextlib.suppress(OSError):  # the terminal itself may have gone
            sys.stderr.write(_DEMO_KEPT.format(place, shlex.quote(place)) if kept else _DEMO_GONE)
        return code
    finally:
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)
