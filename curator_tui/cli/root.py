"""The root of the command line: global options, the list of verbs, and what becomes of errors.

Here: finding a verb's module when it is used and not before, and the one mapping of every error to an exit
code. Not here: what a verb does.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from curator_tui import __version__
from curator_tui.cli.output import Output, OutputClosed, OutputFailed, safe
from curator_tui.cli.session import Session, take_home_options
from curator_tui.cli.verbs import VERBS

DEBUG_VARIABLE = "CURATOR_TUI_DEBUG"
_HINT = f"Run it again with {DEBUG_VARIABLE}=1 to see where; that may show text of the store."
EXIT_USAGE = 2
EXIT_STORE = 3
EXIT_INTERRUPTED = 130
_BY_SIGNAL = 128  # codes above it are those of a program that a signal ended
EXIT_CLOSED = 141  # what a shell reports for a program that SIGPIPE ended


class LazyGroup(click.Group):
    """A group that imports the module of a verb when the verb is used; its help needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature is click's
        """Return the verbs in the order in which a person meets them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """Import one verb."""
        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        command: click.Command = getattr(import_module(f"curator_tui.cli.{verb.module}"), verb.attribute)
        if verb.opens_home:
            take_home_options(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """List the verbs without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items()])


_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_EPILOG = (
    "Every verb that prints takes --json; --home, --profile and --read-only may stand behind the verb too. "
    "Exit codes: 0 done; 1 something asked for was not applied; 2 usage; 3 the store cannot be opened, read, locked or "
    "finished."
)


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings=_CONTEXT, epilog=_EPILOG)
@click.option("--home", metavar="DIR", help="Hermes home to open (default: $HERMES_HOME, else ~/.hermes).")
@click.option("--profile", metavar="NAME", help="Profile of that home (default: its active profile).")
@click.option("--read-only", is_flag=True, help="Only look: nothing is decided, and verbs that write are refused.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw the application with signs of ASCII only.")
@click.option("--db", metavar="URL", help="Database to open instead: sqlite:///FILE or postgresql://USER@HOST/NAME.")
@click.option("--tenant", metavar="T", help="Tenant in that database.")
@click.option("--user", metavar="U", help="Person in that database whose memory it is.")
@click.option("--agent", metavar="A", help="Agent whose own memory of that person it is (default: what all share).")
@click.option("--allow-superuser", is_flag=True, help="Open it although the login passes by row-level security.")
@click.version_option(__version__, prog_name="curator-tui", message="%(prog)s %(version)s")
@click.pass_context
def root(
    ctx: click.Context,
    /,
    home: str | None,
    profile: str | None,
    read_only: bool,
    ascii_only: bool,
    **database: Any,
) -> int:
    """Review what an AI agent wants to write into its two memory documents.

    Without a verb the application opens. An agent proposes; you decide; only then is memory written.
    """
    session = ctx.ensure_object(Session)
    session.choose_database(database.pop("db"), unheld=database.pop("allow_superuser"), **database)
    session.choose(home, profile)
    session.read_only = read_only
    session.ascii_only = ascii_only
    ctx.call_on_close(session.close)
    if ctx.invoked_subcommand is None:
        from curator_tui.cli.start import start_application

        return start_application(session)
    return 0


def run(argv: Sequence[str]) -> int:
    """Run one command line; every way it can end is one of the exit codes above."""
    _occupy_closed_streams()
    output = Output(sys.stdout, sys.stderr)
    code = 0
    try:
        code = _guarded(list(argv), Session(output))
        output.flush()
    except OutputClosed:
        output.give_up()
        return EXIT_CLOSED
    except OutputFailed as error:
        if code > _BY_SIGNAL:  # the terminal went away: that nothing can be written to it says no more
            output.give_up()
            return code
        _say_unprintable(output, error.cause)
        return EXIT_STORE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return code


def _occupy_closed_streams() -> None:
    """Give the numbers of closed standard streams to nothing, so that no file of a store is ever opened under one."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number is this one


def _guarded(argv: list[str], session: Session) -> int:
    output = session.output
    try:
        ended: Any = root.main(argv, prog_name="curator-tui", standalone_mode=False, obj=session)
    except (OutputClosed, OutputFailed):
        raise
    except click.ClickException as error:
        output.as_json = _asks_for_json(argv)
        output.error("usage", _click_words(error), _click_way_out(error))
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        from curator_tui.cli.interrupted import tell_interrupted

        tell_interrupted(session)
        return EXIT_INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the outer edge: nothing may reach a person as a raw traceback
        # the flag of a verb is not parsed yet when the options before the verb are refused
        output.as_json = output.as_json or _asks_for_json(argv)
        return _failed(output, error)
    return ended if isinstance(ended, int) else 0


def _failed(output: Output, error: Exception) -> int:
    """Map an error of ours to its exit code; anything else is an internal error that quotes no text."""
    from curator_tui.core.errors import CuratorError

    if isinstance(error, CuratorError):
        output.error(error.code, error.message, error.way_out)
        return error.exit_code
    if isinstance(error, OSError) and not os.environ.get(DEBUG_VARIABLE):
        output.error("system", f"the operating system refused: {os.strerror(error.errno or 0)}.", _HINT)
        return EXIT_STORE
    import traceback

    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).name}:{where.lineno}"
    hint = _HINT
    if os.environ.get(DEBUG_VARIABLE):
        for line in "".join(traceback.format_exception(error)).splitlines():
            output.note(line)
        hint = "The lines above say where."
    output.error("internal", f"internal error: {type(error).__name__} at {place}.", hint)
    return EXIT_STORE


def _asks_for_json(argv: Sequence[str]) -> bool:
    """Whether a command line that was not parsed to its end asks for JSON."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options


def _click_words(error: click.ClickException) -> str:
    return safe(error.format_message())


def _click_way_out(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f"See: {context.command_path} --help" if context is not None else ""


def _say_unprintable(output: Output, cause: str) -> None:
    """Say on stderr that the answer is lost; a decision that was asked for may have been carried out."""
    words = f"the answer could not be printed: {cause}. What was asked for may be done; see: curator-tui ledger"
    with contextlib.suppress(OutputClosed, OutputFailed):
        output.note(words)
    output.give_up()
