"""``scan``: scan texts given as JSON Lines, as waiting writes are scanned. It needs no home."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, BinaryIO

import click

from curator_tui.cli.output import json_text
from curator_tui.cli.session import Session, pass_session, shown_name, standard_input, usage
from curator_tui.cli.shapes import finding_shape
from curator_tui.core.scanning import is_flagged
from curator_tui.core.scanning import scan as scan_text

_LINE_LIMIT = 1 << 24


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--json", is_flag=True, expose_value=False, help="Accepted; the answer is JSON Lines in any case.")
@pass_session
def scan(session: Session, files: tuple[str, ...]) -> int:
    """Read JSON Lines {id, text} from stdin or FILEs and print one JSON line each.

    `flagged` is true when a finding is hard. A line that cannot be read is answered with an error (exit 1).
    """
    bad = 0
    for name in files or ("-",):
        for number, line in _lines(name):
            answer = _answer(line)
            if "error" in answer:
                bad += 1
                session.output.note(f"{shown_name(name)}, line {number}: {answer['error']['message']}")
            session.output.json_line(answer)
    return 1 if bad else 0


def _lines(name: str) -> Iterator[tuple[int, bytes]]:
    try:
        stream: BinaryIO = standard_input() if name == "-" else open(name, "rb")  # noqa: SIM115 - closed below
    except (OSError, ValueError) as error:
        cause = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else "not a usable name"
        raise usage(f"{shown_name(name)} cannot be read: {cause}.") from error
    try:
        number = 0
        while line := stream.readline(_LINE_LIMIT):
            number += 1
            if line.strip():
                yield number, line
    finally:
        if name != "-":
            stream.close()


def _answer(line: bytes) -> dict[str, Any]:
    try:
        given = json.loads(line)
        # what is no JSON in an answer (NaN, an endless number) is none in a question
        json_text(given.get("id") if isinstance(given, dict) else None)
    except (ValueError, RecursionError):
        return _error(None, "it is not JSON")
    if not isinstance(given, dict):
        return _error(None, "it is not an object")
    if not isinstance(given.get("text"), str):
        return _error(given.get("id"), "it has no text")
    found = scan_text(given["text"])
    return {
        "id": given.get("id"),
        "flagged": is_flagged(found),
        "findings": [finding_shape(one) for one in found],
    }


def _error(name: object, message: str) -> dict[str, Any]:
    # what could not be scanned is never reported as clean
    return {
        "id": name,
        "flagged": True,
        "findings": [],
        "error": {"code": "unreadable-line", "message": message},
    }
