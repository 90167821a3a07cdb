"""A real Chromium without a window, driven through its own debugging protocol.

Here: finding it, starting it, pages, keys, what a page received and what it looks like. Not here: any expectation.
Nothing beside the browser itself is needed: the protocol is JSON on a web socket.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import shutil
import subprocess
import tempfile
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pyte

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
WIDTH, HEIGHT = 1000, 640
_OPTIONS = (
    "--headless=new",
    "--no-sandbox",  # tests may run as root, where its own sandbox cannot
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--remote-debugging-port=0",
    f"--window-size={WIDTH},{HEIGHT}",
)
_KEYS = {"enter": "Enter", "escape": "Escape", "tab": "Tab", "down": "ArrowDown", "f1": "F1"}
_CODES = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "F1": 112}


def found() -> str | None:
    """Return where a Chromium is, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """One tab.

    Attributes:
        requested: addresses it asked for.
        complaints: what the browser wrote to the tab's console as an error, refusals of the page's rules among them.
        screen: what the terminal in it was sent.
    """

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call
        self.requested: list[str] = []
        self.complaints: list[str] = []
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)

    def take(self, method: str, values: dict[str, Any]) -> None:
        """Take one event of the tab."""
        if method == "Network.requestWillBeSent":
            self.requested.append(values["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.requested.append(values["url"])
            asked = dict(pair.split("=") for pair in values["url"].partition("?")[2].split("&") if "=" in pair)
            if asked:
                self.screen.resize(int(asked["height"]), int(asked["width"]))
        elif method == "Network.webSocketFrameReceived" and values["response"]["opcode"] == 2:
            self._stream.feed(base64.b64decode(values["response"]["payloadData"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.complaints.append(values["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(values["exceptionDetails"]["text"])

    async def open(self, url: str) -> None:
        """Go to an address, as from the address line."""
        await self._call("Page.navigate", url=url)

    async def ask(self, expression: str) -> Any:
        """Evaluate an expression in the page."""
        answer = await self._call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other, as slowly as a person."""
        for key in keys:
            name = _KEYS.get(key, key)
            code = _CODES.get(name, ord(name[0].upper()))
            text = {"text": key} if name == key else {"text": "\r"} if key == "enter" else {}
            for kind in ("keyDown", "keyUp"):
                more = text if kind == "keyDown" else {}
                await self._call("Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=code, **more)
            await asyncio.sleep(0.4)

    @property
    def text(self) -> str:
        """What the terminal shows."""
        return "\n".join(self.screen.display)

    async def wait_for(self, words: str, seconds: float = 30.0) -> str:
        """Wait until words stand on the screen."""
        for _ in range(int(seconds / 0.05)):
            if words in self.text:
                return self.text
            await asyncio.sleep(0.05)
        raise AssertionError(f"{words!r} never came\n{self.text}\n{self.complaints}")

    async def wait_until(self, expression: str, seconds: float = 20.0) -> None:
        """Wait until an expression holds in the page."""
        for _ in range(int(seconds / 0.05)):
            if await self.ask(expression):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"never so: {expression}\n{self.complaints}")

    async def picture(self, *, whole: bool = True) -> bytes:
        """Return what the tab looks like, or its left upper corner, as PNG."""
        await asyncio.sleep(0.5)
        corner = {} if whole else {"clip": {"x": 0, "y": 0, "width": 300, "height": 120, "scale": 1}}
        return base64.b64decode((await self._call("Page.captureScreenshot", format="png", **corner))["data"])


def colours(png: bytes) -> Counter[bytes]:
    """Count the colours of a picture of eight bits a channel."""
    place, data, width, channels = 8, b"", 0, 0
    while place < len(png):
        length, kind = int.from_bytes(png[place : place + 4], "big"), png[place + 4 : place + 8]
        content = png[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, channels = int.from_bytes(content[:4], "big"), {2: 3, 6: 4}[content[9]]
            assert content[8] == 8
        elif kind == b"IDAT":
            data += content
        place += length + 12
    raw, row, counted = zlib.decompress(data), bytearray(width * channels), Counter[bytes]()
    for start in range(0, len(raw), width * channels + 1):
        row = _unfiltered(raw[start], raw[start + 1 : start + 1 + width * channels], row, channels)
        counted.update(bytes(row[i : i + 3]) for i in range(0, len(row), channels))
    return counted


def _unfiltered(kind: int, line: bytes, above: bytearray, channels: int) -> bytearray:
    done = bytearray(line)
    for i in range(len(done)):
        left = done[i - channels] if i >= channels else 0
        up, corner = above[i], above[i - channels] if i >= channels else 0
        guess = left + up - corner
        nearest = min((left, up, corner), key=lambda value: abs(guess - value))
        done[i] = (done[i] + (0, left, up, (left + up) // 2, nearest)[kind]) & 255
    return done


@asynccontextmanager
async def chromium() -> AsyncIterator[Callable[[], Any]]:
    """Run a browser with a profile of its own; what is given makes a new tab."""
    path = found()
    assert path is not None
    with tempfile.TemporaryDirectory(prefix="curator-tui-browser-", ignore_cleanup_errors=True) as folder:
        words = [path, *_OPTIONS, f"--user-data-dir={folder}", "about:blank"]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            address = await _address(Path(folder, "DevToolsActivePort"))
            async with aiohttp.ClientSession() as session, session.ws_connect(address, max_msg_size=0) as socket:
                link = _Link(socket)
                try:
                    yield link.tab
                finally:
                    link.reader.cancel()
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()


async def _address(file: Path) -> str:
    for _ in range(600):
        if file.exists() and len(lines := file.read_text().split("\n")) > 1:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        await asyncio.sleep(0.05)
    raise AssertionError("the browser did not start")


class _Link:
    """The debugging connection, shared by all tabs."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._pages: dict[str, Page] = {}
        self.reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._socket:
            found = json.loads(message.data)
            if (waiting := self._waiting.pop(found.get("id", 0), None)) is not None:
                waiting.set_result(found)
            elif page := self._pages.get(found.get("sessionId", "")):
                page.take(found["method"], found["params"])

    async def call(self, method: str, session: str = "", **values: Any) -> Any:
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        more = {"sessionId": session} if session else {}
        await self._socket.send_json({"id": number, "method": method, "params": values, **more})
        answer = await asyncio.wait_for(self._waiting[number], 30)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    async def tab(self) -> Page:
        """Open a tab and listen to it."""
        target = (await self.call("Target.createTarget", url="about:blank"))["targetId"]
        session = (await self.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]

        async def call(method: str, **values: Any) -> Any:
            return await self.call(method, session, **values)

        page = self._pages[session] = Page(call)
        for domain in ("Page", "Runtime", "Network", "Log"):
            await call(f"{domain}.enable")
        return page
