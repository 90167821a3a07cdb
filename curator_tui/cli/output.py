"""Output: the one place that prints. Answers go to stdout, diagnostics to stderr.

Here: writing, the JSON form, and the last filter before a terminal. Not here: what an answer says (the verbs,
``shapes``, ``words``), how a table is laid out (``tables``).

Verbs pass text of a store through ``core.text`` where they compose a line, so that tokens are unambiguous;
every line passes through it once more here, in a way that leaves tokens alone, so that nothing can slip
through.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

_PLAIN_WIDTH = 100


class OutputClosed(Exception):
    """Whoever read our output stopped reading (``| head``)."""


class OutputFailed(Exception):
    """The answer could not be written; ``cause`` says why in words of the operating system."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


def safe(line: str) -> str:
    """Return a composed line with nothing in it that a terminal would act on; tokens stay as they are."""
    from curator_tui.core.text import visible

    shown = visible(line)
    # the brackets of tokens made earlier are the only ones visible() can have marked anew
    return shown if shown == line else shown.replace("⟨U+27E8⟩", "⟨").replace("⟨U+27E9⟩", "⟩")


def json_text(value: Any) -> str:
    """Return one JSON document in printable ASCII on one line."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(", ", ": "))
    return text.replace("\x7f", "\\u007f")  # the one control character that JSON does not ask to be escaped


class Output:
    """Where a command line prints to.

    Attributes:
        as_json: whether ``--json`` was asked for.
        begun: whether something was printed to stdout, or begun to be.
    """

    def __init__(self, out: TextIO | None, err: TextIO | None) -> None:
        self._out = out
        self._err = err
        self.as_json = False
        self.begun = False

    def answer(self, document: Mapping[str, Any], lines: Iterable[str]) -> None:
        """Print the answer of a verb: the document with ``--json``, else the lines."""
        if self.as_json:
            self.json_line(document)
        else:
            self.lines(lines)

    def lines(self, lines: Iterable[str]) -> None:
        """Print lines to stdout in either form."""
        self._print("".join(self._line(self._out, line) for line in lines))

    def inline(self, words: str) -> None:
        """Print to stdout without ending the line: the question that an answer is typed behind."""
        self._write(self._out, self._line(self._out, words).removesuffix("\n"))

    def json_line(self, document: Mapping[str, Any]) -> None:
        """Print one line of JSON Lines."""
        self._print(json_text(document) + "\n")

    def note(self, line: str) -> None:
        """Print a diagnostic to stderr; where nobody can read it, the answer and the exit code still count."""
        with contextlib.suppress(OutputClosed, OutputFailed):
            self._write(self._err, self._line(self._err, f"curator-tui: {line}"))

    def error(self, code: str, message: str, way_out: str = "") -> None:
        """Say why it did not work: a document on stdout with ``--json``, else a line on stderr."""
        if self.as_json:
            self.json_line({"error": {"code": code, "message": message, "way_out": way_out}})
        else:
            self.note(f"{message} {way_out}".rstrip())

    @property
    def width(self) -> int:
        """Cells to cut previews to."""
        return shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns

    def flush(self) -> None:
        """Hand everything to the operating system, while a failure can still be told."""
        self._write(self._out, "")

    def give_up(self) -> None:
        """Send what is left to nowhere, so that leaving the interpreter does not complain once more."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (self._out, self._err):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    os.dup2(nowhere, stream.fileno())
        os.close(nowhere)

    def _print(self, text: str) -> None:
        self.begun = True
        self._write(self._out, text)

    @staticmethod
    def _line(stream: TextIO | None, line: str) -> str:
        shown = safe(line)
        encoding = (getattr(stream, "encoding", None) or "utf-8").lower().replace("_", "-")
        if encoding not in {"utf-8", "utf8"}:
            from curator_tui.core.text import ascii_visible

            shown = ascii_visible(shown)
        return shown + "\n"

    @staticmethod
    def _write(stream: TextIO | None, text: str) -> None:
        if stream is None or stream.closed:
            raise OutputFailed("it is closed")
        try:
            stream.write(text)
            stream.flush()
        except BrokenPipeError as error:
            raise OutputClosed from error
        except OSError as error:
            raise OutputFailed(os.strerror(error.errno) if error.errno else str(error)) from error
