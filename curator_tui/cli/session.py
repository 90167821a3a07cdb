"""A session: the desk that one command line works at, opened when a verb needs it, and what all verbs share.

Here: binding options to a desk, the ``--json`` flag, reading a text argument. Not here: which home is meant
(the stores), printing (``output``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from curator_tui.cli.output import Output

if TYPE_CHECKING:
    from curator_tui.core.errors import UsageError
    from curator_tui.curator.desk import Desk
    from curator_tui.curator.opening import DatabaseScope

_TEXT_LIMIT = 1 << 20
_Function = TypeVar("_Function", bound=Callable[..., Any])


class Session:
    """What one command line was started with.

    Attributes:
        output: where it prints.
        home: ``--home``, or None.
        profile: ``--profile``, or None.
        database: ``--db`` and whose memory is meant there, or None for a home.
        read_only: whether ``--read-only`` was given.
        ascii_only: whether ``--ascii`` was given.
        operation: id of what was handed to the store last, by the desk that was closed; empty for nothing.
    """

    def __init__(self, output: Output) -> None:
        self.output = output
        self.home: Path | None = None
        self.profile: str | None = None
        self.database: DatabaseScope | None = None
        self.read_only = False
        self.ascii_only = False
        self.operation = ""
        self._desk: Desk | None = None

    def desk(self, *, looking: bool = True, telling: bool = True, many: bool = False) -> Desk:
        """Open the desk; a verb that only looks says when an interrupted change waits to be finished.

        Args:
            looking: the verb changes nothing.
            telling: say so on stderr; a verb that reports it in its answer does not.
            many: the verb works over all people of a tenant too, where a database is named and nobody in it.

        Raises:
            ReadOnly: the verb writes, and ``--read-only`` was given.
        """
        if self.read_only and not looking:
            from curator_tui.core.errors import ReadOnly

            raise ReadOnly
        if self._desk is None:
            from curator_tui.curator.opening import open_desk

            self._desk = open_desk(
                **self.where(), environ=os.environ, through="cli", read_only=self.read_only, many=many
            )
            if looking and telling and self._desk.recovery_pending():
                self.output.note(
                    "recovery pending: an interrupted change is finished by the next verb that writes, "
                    "or by: curator-tui doctor --repair"
                )
        return self._desk

    def where(self) -> dict[str, Any]:
        """Return what says which store is meant, as the door takes it."""
        return {"home": self.home, "profile": self.profile, "database": self.database}

    def needs_home(self, what: str) -> None:
        """Refuse what only a Hermes home has.

        Raises:
            UsageError: the command line names a database.
        """
        if self.database is not None:
            raise usage(f"{what}: only a Hermes home has them, and --db names a database.", "Leave out --db.")

    def database_url(self, *, writing: bool = False) -> str:
        """Return the database that the command line names.

        Raises:
            UsageError: it names none.
            ReadOnly: the verb writes, and ``--read-only`` was given.
        """
        if self.database is None:
            raise usage("--db names no database.", "Put it before the verb: --db sqlite:///FILE")
        if writing and self.read_only:
            from curator_tui.core.errors import ReadOnly

            raise ReadOnly
        return self.database.url

    def choose_database(self, url: str | None, *, unheld: bool = False, **whose: str | None) -> None:
        """Bind the command line to a database instead of a home.

        Args:
            url: ``--db``.
            unheld: ``--allow-superuser``.
            whose: ``--tenant``, ``--user`` and ``--agent``.

        Raises:
            UsageError: whose memory is meant is said, but not in which database; or a home is named too.
        """
        if url is None:
            if named := next((name for name, value in whose.items() if value is not None), None):
                raise usage(f"--{named} belongs to a database.", "Name it with --db, before the verb.")
            return
        from curator_tui.curator.opening import DatabaseScope

        self.database = DatabaseScope(url, whose["tenant"] or "", whose["user"], whose["agent"] or "", unheld)

    def choose(self, home: str | None, profile: str | None) -> None:
        """Bind the command line to a home and a profile, each named once; None for what is not named here.

        Raises:
            UsageError: one is named again with another value, or the home with none.
        """
        if home == "":
            raise usage("--home names no folder.", "Leave it out for the default home, or give a folder.")
        if self.database is not None and (home, profile) != (None, None):
            raise usage("--db and a Hermes home are two stores.", "Give --db, or --home and --profile.")
        folder = None if home is None else Path(home)
        if None not in (folder, self.home) and folder != self.home:
            raise usage("--home is given twice, with two folders.", "Give it once, before or behind the verb.")
        if None not in (profile, self.profile) and profile != self.profile:
            raise usage("--profile is given twice, with two names.", "Give it once, before or behind the verb.")
        self.home = self.home if folder is None else folder
        self.profile = self.profile if profile is None else profile

    def close(self) -> None:
        """Close the desk if it was opened."""
        if self._desk is not None:
            self.operation = self._desk.operation or self.operation
            self._desk.close()
            self._desk = None


pass_session = click.make_pass_decorator(Session)


def take_home_options(command: click.Command) -> None:
    """Let a verb and the verbs in it take what says which home is meant, as the command line does before the verb."""
    if any(option.name == "home" for option in command.params):
        return
    names = (("--home", "DIR", "Hermes home to open."), ("--profile", "NAME", "Profile of that home."))
    for name, metavar, words in names:
        command.params.append(
            click.Option([name], metavar=metavar, help=words, expose_value=False, callback=_note_home_option)
        )
    only = "Only look: nothing is decided or written."
    command.params.append(
        click.Option(["--read-only"], is_flag=True, help=only, expose_value=False, callback=_note_home_option)
    )
    if isinstance(command, click.Group):
        for within in command.commands.values():
            take_home_options(within)


def _note_home_option(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    session = ctx.find_object(Session)
    assert session is not None
    if option.name == "read_only":
        session.read_only = session.read_only or bool(value)
    else:
        session.choose(**{"home": None, "profile": None, str(option.name): value})


def json_option(function: _Function) -> _Function:
    """Give a verb the ``--json`` flag."""

    def note(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value:
            session = ctx.find_object(Session)
            assert session is not None
            session.output.as_json = True

    return click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=note,
        help="Print one JSON document.",
    )(function)


def usage(message: str, way_out: str = "") -> UsageError:
    """Return the error of a command line that cannot be carried out as written."""
    from curator_tui.core.errors import UsageError

    return UsageError(message, way_out=way_out)


def standard_input() -> BinaryIO:
    """Return stdin as bytes.

    Raises:
        UsageError: it is closed.
    """
    if sys.stdin is None or sys.stdin.closed:
        raise usage("standard input cannot be read: it is closed.")
    return sys.stdin.buffer


def given_text(text: str) -> str:
    """Return a text argument; ``-`` stands for stdin."""
    return read_text("-") if text == "-" else text


def read_bytes(name: str) -> bytes:
    """Read a small file a person names; ``-`` stands for stdin."""
    try:
        if name == "-":
            return standard_input().read(_TEXT_LIMIT + 1)
        with open(name, "rb") as file:
            return file.read(_TEXT_LIMIT + 1)
    except (OSError, ValueError) as error:
        cause = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else "not a usable name"
        raise usage(f"{shown_name(name)} cannot be read: {cause}.") from error


def read_text(name: str) -> str:
    """Read a small text file a person names; ``-`` stands for stdin."""
    raw = read_bytes(name)
    if len(raw) > _TEXT_LIMIT:
        raise usage(f"{shown_name(name)} is larger than {_TEXT_LIMIT} bytes.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise usage(f"{shown_name(name)} is not UTF-8: byte {error.start} cannot be read.") from error


def shown_name(name: str) -> str:
    """Return the name of a file in words safe to print."""
    from curator_tui.core.text import visible

    return "standard input" if name == "-" else visible(name, newlines=False)
