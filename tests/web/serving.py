"""Servers for the tests of the browser: one inside the test's own loop, one as the command, and a client for both.

Here: starting, letting a client in, sessions. Not here: any expectation.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pyte

from curator_tui.web.access import Access, local_address
from curator_tui.web.server import Server, Serving, listen

_PATIENCE = 60.0  # seconds, for what must happen: a busy machine takes its time
ROOT = Path(__file__).parents[2]
STUB = (sys.executable, "-S", "-E", str(Path(__file__).with_name("stub.py")))


class Client:
    """A browser in as far as a server sees one: it keeps cookies and states where its page came from."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.origin = re.match(r"[a-z]+://[^/]+", url)[0]  # type: ignore[index]
        self.folder = ""
        self.http = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def __aenter__(self) -> Client:
        """Begin."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """End."""
        await self.http.close()

    async def enter(self) -> None:
        """Exchange the token for the cookie."""
        async with self.http.get(self.url) as answer:
            assert answer.status == 200, await answer.text()
            self.folder = answer.url.path

    async def status(self, path: str, **headers: str) -> int:
        """Return what a request for a path is answered with."""
        async with self.http.get(self.origin + path, headers=headers, allow_redirects=False) as answer:
            return answer.status

    async def connect(
        self, *, origin: str | None = "own", size: tuple[int, int] | None = None, **headers: str
    ) -> Session:
        """Open a session."""
        said = {"Origin": self.origin if origin == "own" else origin} if origin else {}
        asked = f"?width={size[0]}&height={size[1]}" if size else ""
        socket = await self.http.ws_connect(f"{self.origin}{self.folder}ws{asked}", headers={**said, **headers})
        return Session(socket, size or (80, 24))


class Session:
    """A session as its page sees it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, size: tuple[int, int]) -> None:
        self.socket = socket
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.strings: list[str] = []

    async def heard(self) -> str:
        """Return the next thing drawn."""
        message = await self.socket.receive(timeout=_PATIENCE)
        assert message.type is aiohttp.WSMsgType.BINARY, message
        return message.data.decode()

    async def type(self, text: str) -> None:
        """Send keys."""
        await self.socket.send_json(["stdin", text])

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join(self.screen.display)

    async def wait_for(self, words: str) -> None:
        """Wait until words stand on the screen."""
        until = time.monotonic() + _PATIENCE
        while words not in self.text:
            assert time.monotonic() < until, self.text
            await self.look()

    async def look(self, seconds: float = 0.2) -> None:
        """Take in what is drawn within some time."""
        try:
            message = await self.socket.receive(timeout=seconds)
        except TimeoutError:
            return
        if message.type is aiohttp.WSMsgType.BINARY:
            self._stream.feed(message.data)
        elif message.type is aiohttp.WSMsgType.TEXT:
            self.strings.append(message.data)
        else:
            raise AssertionError(
                f"{message.type.name}: {self.socket.close_code} {self.socket.exception()!r} {message.extra}\n"
                f"{self.text}"
            )

    async def rest(self, seconds: float) -> None:
        """Take in what is drawn meanwhile, and press nothing."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            await self.look(left)

    async def ended(self) -> tuple[int | None, str]:
        """Wait for the end; return its code and the reason the page shows."""
        while True:
            message = await self.socket.receive(timeout=_PATIENCE)
            if message.type is aiohttp.WSMsgType.CLOSE:
                return message.data, message.extra or ""
            assert message.type in {aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT}, message


@asynccontextmanager
async def served(
    *, command: tuple[str, ...] = STUB, most: int = 4, idle: float = 600.0, write: bool = False
) -> AsyncIterator[tuple[Server, Access, list[str]]]:
    """Run a server in this loop; what it says about itself is collected."""
    listener = listen("127.0.0.1", 0)
    access = Access(local_address("127.0.0.1", listener.getsockname()[1]))
    said: list[str] = []
    server = Server(access, Serving(command, write, most, idle), said.append)
    ready = asyncio.Event()
    running = asyncio.create_task(server.run(listener, ready.set))
    await ready.wait()
    try:
        yield server, access, said
    finally:
        if not server.ending:  # asked twice, it would end its sessions at once
            server.end()
        await asyncio.wait_for(running, _PATIENCE)
        listener.close()


class Command:
    """``curator-tui serve`` as a process of its own."""

    def __init__(self, home: Path, *options: str, cwd: Path = ROOT) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "curator_tui", f"--home={home}", "serve", "--port=0", "--json", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1].decode()
        self.told: dict[str, Any] = json.loads(line)

    def __enter__(self) -> Command:
        """Begin; whatever a test finds, no server outlives it."""
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        if self.process.poll() is None:
            self.stop()

    def children(self) -> set[int]:
        """Return the ids of its sessions that run."""
        return set(running_children(self.process.pid))

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """End it; return its exit code and everything it wrote to stderr."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, err = self.process.communicate(timeout=_PATIENCE)
        return self.process.returncode, err.decode()


def running_children(parent: int) -> list[int]:
    """Return the ids of the processes that a process started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, rest = stat.read_text().split(" ", 1)
        except OSError:
            continue
        if int(rest.rpartition(")")[2].split()[1]) == parent:
            found.append(int(number))
    return found


def alive(number: int) -> bool:
    """Whether a process still runs; one that only waits to be collected does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def told(said: list[str], line: str) -> None:
    """Wait until a server says something."""
    until = time.monotonic() + _PATIENCE
    while line not in said:
        assert time.monotonic() < until, f"{line!r} is not among {said}"
        await asyncio.sleep(0.01)


async def gone(numbers: set[int]) -> bool:
    """Wait until none of some processes runs any more."""
    until = time.monotonic() + _PATIENCE
    while any(alive(number) for number in numbers):
        if time.monotonic() > until:
            return False
        await asyncio.sleep(0.02)
    return True
