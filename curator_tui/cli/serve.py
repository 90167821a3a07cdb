"""Serving: the application in a browser, for whoever holds the address that is printed.

Here: options, what is refused, the words that start one session. Not here: the server (``web``). Its libraries come
with an extra and are imported when it starts.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from curator_tui.cli.session import Session, json_option, pass_session, shown_name, usage
from curator_tui.core.counting import number_typed

if TYPE_CHECKING:
    from socket import socket

    from curator_tui.web.access import Address

_PACKAGES = ("aiohttp", "textual_serve")
_PORT = 8123


class _Asked(NamedTuple):
    """The options of the verb, as the help says them."""

    host: str
    port: int
    write: bool
    behind_proxy: str | None
    sessions: int
    idle: int
    one: bool


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, metavar="HOST", help="Where to listen.")
@click.option(
    "--port",
    default=_PORT,
    show_default=True,
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="0 takes any free one.",
)
@click.option("--write", is_flag=True, help="Let whoever is let in decide; without it they only look.")
@click.option(
    "--behind-proxy",
    metavar="URL",
    help="The address of a proxy in front of this one, as browsers write it (https://desk.example.org).",
)
@click.option(
    "--sessions",
    default=4,
    show_default=True,
    type=click.IntRange(1, 64),
    metavar="N",
    help="How many may be open at once; each is a process.",
)
@click.option(
    "--idle",
    default=60,
    show_default=True,
    type=click.IntRange(1, 10080),
    metavar="MINUTES",
    help="A session ends after so long without a key.",
)
@click.option("--one", is_flag=True, hidden=True)
@json_option
@pass_session
def serve(session: Session, /, **options: Any) -> int:
    """Serve the application to a browser, on this machine only and read only unless told otherwise.

    It prints one address with a token, which lets in one browser, once. It has no TLS of its own: to reach it from
    another machine use ssh -L, or a proxy with TLS and --behind-proxy.
    """
    asked = _Asked(**options)
    if asked.one:
        return _one_session(session)
    _refuse(session, asked)
    from curator_tui.web.access import Access, local_address
    from curator_tui.web.server import Serving
    from curator_tui.web.server import serve as serve_until_asked

    public = _public(asked)
    command, place = _command(session, write=asked.write)
    with _listening(asked) as listener:
        access = Access(public or local_address(asked.host, listener.getsockname()[1]))

        def ready() -> None:
            may = "decisions allowed" if asked.write else "READ ONLY"
            session.output.answer({"url": access.url, "home": place, "write": asked.write}, [access.url])
            session.output.note(f"serves {place}, {may}; the address lets in one browser, once. Ctrl-C ends it.")

        serving = Serving(command, asked.write, asked.sessions, asked.idle * 60.0)
        serve_until_asked(listener, access, serving, session.output.note, ready)
    return 0


def _refuse(session: Session, asked: _Asked) -> None:
    """Refuse what cannot be served, or not safely."""
    if asked.write and session.read_only:
        raise usage("--write and --read-only contradict each other.")
    if any(find_spec(name) is None for name in _PACKAGES):
        raise usage(
            "serve needs packages that are not installed.", "Install them, as README says: pip install '.[web]'"
        )
    from curator_tui.web.access import is_loopback

    if asked.behind_proxy is None and not is_loopback(asked.host):
        raise usage(
            f"{shown_name(asked.host)} can be reached from other machines, and this server has no TLS.",
            "Listen on 127.0.0.1 and use ssh -L, or put a proxy with TLS in front and name it with --behind-proxy.",
        )


def _public(asked: _Asked) -> Address | None:
    from curator_tui.web.access import public_address

    if asked.behind_proxy is None:
        return None
    try:
        return public_address(asked.behind_proxy)
    except ValueError as error:
        raise usage(f"--behind-proxy {shown_name(asked.behind_proxy)}: {error}.") from error


def _listening(asked: _Asked) -> socket:
    from curator_tui.web.server import listen

    try:
        return listen(asked.host, asked.port)
    except OSError as error:
        cause = error.strerror or "it cannot be found"
        way_out = "--port 0 takes any free one." if asked.port else "Give another --host."
        raise usage(f"{shown_name(asked.host)}, port {asked.port}, cannot be used: {cause}.", way_out) from error


def _command(session: Session, *, write: bool) -> tuple[tuple[str, ...], str]:
    """Return the words that start one session on the store that is bound now, and where that is, in words.

    They are handed to the system as they are: no shell reads them. ``-P`` keeps the current folder from being searched
    for modules.
    """
    from curator_tui.curator.opening import open_desk, pinned

    desk = open_desk(**session.where(), environ=os.environ, through="web", read_only=True)
    try:
        words = [sys.executable, "-P", "-m", "curator_tui", *pinned(desk)]
        facts = desk.bound()
    finally:
        desk.close()
    if not write:
        words.append("--read-only")
    return (*words, "serve", "--one"), f"{facts.label}:{facts.scope}"


def _one_session(session: Session) -> int:
    """Run the application for one browser, on the pipes the server gave this process."""
    if sys.stdin is None or sys.stdout is None or sys.stdin.isatty() or sys.stdout.isatty():
        raise usage("--one is what the server starts a session with.", "Leave it out.")
    gc.disable()  # as at a terminal: the review screen turns it on after the first frame
    from curator_tui.curator.opening import open_beside, open_desk
    from curator_tui.tui.app import run
    from curator_tui.tui.served import ServedDriver

    desk = open_desk(
        **session.where(),
        environ=os.environ,
        through="web",
        first=number_typed(os.environ.get("ROWS", "")) or 24,
        read_only=session.read_only,
    )
    return run(desk, switch=lambda profile: open_beside(desk, profile, os.environ), driver=ServedDriver)
