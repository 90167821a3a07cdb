"""One session: a process that runs the application, and the packets between it and a browser.

Here: starting it without a shell, its input and output, its end. Not here: who may start one (``server``), what the
process does (``tui.served``). Whatever ends a session ends the input of its process, and so does the death of the
server: the application leaves then by itself, with what was decided carried out.

A packet is one byte for its kind (``D`` data, ``M`` a JSON object about the window), four bytes for its length
(big-endian), and its content. Only data goes out to the browser: whatever else the process would ask of it, such as
opening an address or taking a file, is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence

BEGIN = b"__GANGLION__\n"
END_SECONDS = 25.0
"""How long a process that lost its input may take to carry out what was decided; longer than it waits itself."""
_LONGEST = 1 << 24  # bytes of one packet
_SIDES = (10, 500)  # cells of a window's side, smallest and largest
# a process in a browser is at no terminal of ours, has no editor, and writes no log of Textual's
_NOT_HANDED_ON = frozenset(
    {"COLORFGBG", "CURATOR_TUI_DEBUG", "EDITOR", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "VISUAL"}
)


class Child:
    """A process that runs the application for one browser."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, command: Sequence[str], size: tuple[int, int]) -> Child:
        """Start it in a window of so many columns and rows; the words of the command are handed on as they are."""
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=environment(os.environ, size),
            start_new_session=True,
        )
        return cls(process)

    @property
    def number(self) -> int:
        """Its process id."""
        return self._process.pid

    async def show(self, send: Callable[[bytes], Awaitable[None]]) -> int:
        """Hand on what it draws until it ends, and return its exit code."""
        reader = self._process.stdout
        assert reader is not None
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, ValueError):
            await reader.readuntil(BEGIN)
            while True:
                head = await reader.readexactly(5)
                length = int.from_bytes(head[1:], "big")
                if length > _LONGEST:
                    break
                content = await reader.readexactly(length)
                if head[:1] == b"D":
                    await send(content)
        return await self.end()

    async def type(self, text: str) -> None:
        """Send keys, a paste or movements of the mouse, as a terminal would."""
        await self._send(b"D", text.encode("utf-8", "replace"))

    async def resize(self, size: tuple[int, int]) -> None:
        """Tell it that the window has other sides."""
        await self._tell({"type": "resize", "width": size[0], "height": size[1]})

    async def focus(self, *, here: bool) -> None:
        """Tell it whether the window has the keyboard."""
        await self._tell({"type": "focus" if here else "blur"})

    async def end(self) -> int:
        """End its input, wait until what was decided is carried out, and return its exit code."""
        writer = self._process.stdin
        assert writer is not None
        writer.close()
        try:
            return await asyncio.wait_for(self._process.wait(), END_SECONDS)
        except TimeoutError:
            self.kill()
            return await self._process.wait()

    def kill(self) -> None:
        """End it at once; a change it was making is finished or undone by the next start."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def _tell(self, what: Mapping[str, str | int]) -> None:
        await self._send(b"M", json.dumps(what).encode())

    async def _send(self, kind: bytes, content: bytes) -> None:
        writer = self._process.stdin
        assert writer is not None
        if writer.is_closing():
            return
        with contextlib.suppress(ConnectionError, RuntimeError):  # it has ended; that is told by its output
            writer.write(kind + len(content).to_bytes(4, "big") + content)
            await writer.drain()


def window(width: object, height: object) -> tuple[int, int]:
    """Return the sides of a window as a browser states them, kept within bounds; 80 by 24 where it states none."""
    sides = []
    for given, usual in ((width, 80), (height, 24)):
        try:
            cells = int(str(given)[:6])
        except ValueError:
            cells = usual
        sides.append(min(max(cells, _SIDES[0]), _SIDES[1]))
    return sides[0], sides[1]


def environment(own: Mapping[str, str], size: tuple[int, int]) -> dict[str, str]:
    """Return the environment of a session."""
    kept = {name: value for name, value in own.items() if name not in _NOT_HANDED_ON and not name.startswith("TEXTUAL")}
    sides = {"COLUMNS": str(size[0]), "ROWS": str(size[1]), "LINES": str(size[1])}
    return {**kept, **sides, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
