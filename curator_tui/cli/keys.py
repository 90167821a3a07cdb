"""``keys``: the keys of the application as a map to start from, and what is wrong with a map. It needs no home."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from curator_tui.cli.output import safe
from curator_tui.cli.session import Session, json_option, pass_session, shown_name, usage
from curator_tui.cli.shapes import Shape
from curator_tui.tui import key_file
from curator_tui.tui.actions import ACTIONS
from curator_tui.tui.keymap import KeyMap, Trouble, read_keymap, write_keymap


@click.command()
@click.option(
    "--check", is_flag=False, flag_value="", metavar="[FILE]", help="Say what is wrong with a map (default: yours)."
)
@json_option
@pass_session
def keys(session: Session, check: str | None) -> int:
    """Print every key of the application as a map in TOML, or check one.

    A map names actions by their ids; what it leaves out keeps its default keys. With --check the exit code is 1 when a
    line does not count.
    """
    path = key_file.keys_path(os.environ)
    name = check or path
    found = _read(name, needed=check is not None)
    document = {
        "path": path,
        "ok": not found.troubles,
        "faults": [_shape(trouble) for trouble in found.troubles],
        "actions": [
            {"id": action.id, "keys": list(found.chosen.get(action.id, action.keys)), "help": action.help,
             "screens": list(action.screens)}
            for action in ACTIONS
        ],
    }  # fmt: skip
    told = [trouble_words(name, trouble) for trouble in found.troubles]
    if check is None:
        session.output.answer(document, _map(path, found))
        for line in told:
            session.output.note(line)
        return 0
    session.output.answer(document, told or [_good(name, found)])
    return 1 if told else 0


def _read(name: str, *, needed: bool) -> KeyMap:
    """Read a map; where none is needed a missing one says nothing."""
    try:
        return read_keymap(key_file.read_keys(name))
    except FileNotFoundError:
        if not needed:
            return KeyMap({}, ())
        raise usage(f"{shown_name(name)}: there is no such file.", "Begin one: curator-tui keys > FILE") from None
    except (OSError, ValueError) as error:
        if not needed:
            return KeyMap({}, (Trouble(0, "", key_file.cause_of(error), "See: curator-tui keys --check"),))
        raise usage(f"{shown_name(name)} cannot be read: {key_file.cause_of(error)}.") from error


def trouble_words(name: str, trouble: Trouble) -> str:
    """Return one line about one thing that is wrong: where, what, and what to do."""
    where = f"{shown_name(name)}, line {trouble.line}" if trouble.line else shown_name(name)
    what = f"{trouble.action}: {trouble.words}" if trouble.action else trouble.words
    return safe(f"{where}: {what}. {trouble.way_out}")


def _map(path: str, found: KeyMap) -> Iterator[str]:
    yield "# The keys of curator-tui. Take the # from a line, change its keys, and save this as"
    yield f"# {shown_name(path)}  (or name it in {key_file.VARIABLE})."
    yield "# The first key of a line is the one that screens and texts show. Check it with: curator-tui keys --check"
    yield from write_keymap(found.chosen)


def _good(name: str, found: KeyMap) -> str:
    return f"{shown_name(name)}: nothing is wrong with it; lines with keys of yours: {len(found.chosen)}."


def _shape(trouble: Trouble) -> Shape:
    return {
        "line": trouble.line or None,
        "action": trouble.action or None,
        "fault": trouble.words,
        "way_out": trouble.way_out,
    }
