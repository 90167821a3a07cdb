"""The server: a door that asks every request for its host, its origin and its cookie, and one process a web socket.

Here: HTTP, the cap and the idle time of sessions, an orderly end. Not here: the rules of the door (``access``), what
is served (``page``), a session's process (``child``). What it says about itself never holds the token, a cookie, a path
that was asked for, or anything a session drew or was typed.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from time import monotonic

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.typedefs import Handler
from msgspec import Struct

from curator_tui.web.access import COOKIE, Access
from curator_tui.web.child import END_SECONDS, Child, window
from curator_tui.web.page import PARTS, headers, page, part

_LONGEST_MESSAGE = 1 << 20
_HEARTBEAT = 15.0
_FAREWELL = 3.0  # seconds in which a browser may answer that a session ends
_QUIET_LOGS = ("aiohttp", "asyncio")
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LOCKED = (
    "This desk is opened by the address that curator-tui serve printed, once and in one browser.\n"
    "If that was not yours, end the server and start it again."
)
# A browser that follows a link of another site keeps a strict cookie back; to a page that calls itself it sends it.
_COME_AGAIN = '<!doctype html><meta http-equiv="refresh" content="0"><title>curator-tui</title>'
_ENDINGS = {
    0: "You left the application.",
    2: "The application could not start.",
    3: "The application stopped on an error. On the server: curator-tui doctor",
}


class Serving(Struct, frozen=True):
    """What is served, and how much of it.

    Attributes:
        command: the words that start one session.
        write: whether sessions can decide.
        most: how many sessions may be open at once.
        idle: seconds without a key or a movement of the mouse after which a session ends.
    """

    command: tuple[str, ...]
    write: bool
    most: int
    idle: float


class Server:
    """Serves the application at one address.

    Args:
        access: who is let in.
        serving: what they get.
        say: prints one line about what happens.
    """

    def __init__(self, access: Access, serving: Serving, say: Callable[[str], None]) -> None:
        self._access = access
        self._serving = serving
        self._say = say
        self._headers = headers(access.address)
        self._open: dict[web.WebSocketResponse, Child | None] = {}
        self._sessions: set[asyncio.Task[None]] = set()
        self._count = 0
        self._ending = asyncio.Event()

    # -- beginning and ending --------------------------------------------------------------------------------------

    async def run(self, listener: socket.socket, ready: Callable[[], None]) -> None:
        """Serve until a signal asks to end; every session has ended when it returns.

        Args:
            listener: bound to the address already.
            ready: called when requests are answered.
        """
        runner = web.AppRunner(
            self.application(), access_log=None, handle_signals=False, shutdown_timeout=END_SECONDS + 5
        )
        with _quiet(), self._asked_to_end():
            await runner.setup()
            try:
                await web.SockSite(runner, listener).start()
                ready()
                await self._ending.wait()
                self._say("ending: sessions carry out what was decided, then nothing is left running.")
            finally:
                await runner.cleanup()
                if self._sessions:
                    await asyncio.wait(self._sessions, timeout=END_SECONDS + 5)

    def application(self) -> web.Application:
        """Return the application that answers requests."""
        served = web.Application(middlewares=[self._door], client_max_size=0)
        folder = self._access.folder
        served.add_routes(
            [
                web.get("/", self._enter),
                web.get(folder, self._page),
                web.get(f"{folder}ws", self._socket),
                web.get(folder + "{name}", self._part),
            ]
        )
        served.on_response_prepare.append(self._dress)
        served.on_shutdown.append(self._end_sessions)
        return served

    @property
    def ending(self) -> bool:
        """Whether it was asked to end."""
        return self._ending.is_set()

    def end(self) -> None:
        """End; asked a second time, without waiting for what sessions still carry out."""
        if self.ending:
            for child in self._open.values():
                if child is not None:
                    child.kill()
        self._ending.set()

    async def _end_sessions(self, _: web.Application) -> None:
        await asyncio.gather(
            *(ws.close(code=WSCloseCode.GOING_AWAY, message=b"The server was ended.") for ws in list(self._open))
        )

    @contextlib.contextmanager
    def _asked_to_end(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        heard: list[signal.Signals] = []
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks for
                with contextlib.suppress(RuntimeError, ValueError):  # not the main thread, as in tests
                    loop.add_signal_handler(number, self.end)
                    heard.append(number)
        try:
            yield
        finally:
            for number in heard:
                loop.remove_signal_handler(number)

    # -- the door --------------------------------------------------------------------------------------------------

    @web.middleware
    async def _door(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Ask every request, also for what does not exist, for its host, its origin and its token or cookie."""
        seen = request.headers
        if not self._access.knows_host(seen.getall("Host", [])):
            return _refused(403, "This server is not to be reached under that name.")
        if not self._access.knows_origin(seen.getall("Origin", []), needed="Upgrade" in seen):
            return _refused(403, "Another page may not use this server.")
        entering = request.path == "/" and "token" in request.query
        if not entering and not self._access.knows(request.cookies.get(COOKIE)):
            if request.path == self._access.folder and seen.get("Sec-Fetch-Site") == "cross-site":
                return web.Response(status=401, text=_COME_AGAIN, content_type="text/html")
            return _refused(401, _LOCKED)
        return await handler(request)

    async def _dress(self, _: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(self._headers)

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        """Exchange the token for a cookie, once, and go on to an address without it."""
        if not self._access.is_token(request.query.get("token", "")):
            return _refused(403, "This token opens nothing.")
        answer = web.Response(status=303, headers={"Location": self._access.folder})
        cookie = self._access.exchange()
        if cookie is not None:
            self._say("a browser was let in; the address lets in no other.")
            answer.set_cookie(
                COOKIE,
                cookie,
                path=self._access.folder,
                secure=self._access.address.secure,
                httponly=True,
                samesite="Strict",
            )
        return answer

    async def _page(self, _: web.Request) -> web.StreamResponse:
        text = page(self._access.address, self._access.folder, write=self._serving.write)
        return web.Response(text=text, content_type="text/html")

    async def _part(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name not in PARTS:
            return _refused(404, "There is nothing here.")
        return web.Response(body=part(name), headers={"Content-Type": PARTS[name].kind})

    # -- sessions --------------------------------------------------------------------------------------------------

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        """Run one application for as long as its browser is there."""
        ws = web.WebSocketResponse(
            timeout=_FAREWELL, heartbeat=_HEARTBEAT, max_msg_size=_LONGEST_MESSAGE, compress=False
        )
        if not ws.can_prepare(request):
            return _refused(400, "This is for web sockets.")
        most = self._serving.most
        full = len(self._open) >= most
        if not full:
            self._open[ws] = None  # before anything is waited for, or two could take the last place
        try:
            await ws.prepare(request)
            if full:
                self._say(f"a session was refused: {most} are open already.")
                reason = f"{most} sessions are open already; leave one of them first (q)."
                await ws.close(code=WSCloseCode.TRY_AGAIN_LATER, message=reason.encode())
            else:
                size = window(request.query.get("width"), request.query.get("height"))
                session = asyncio.create_task(self._session(ws, size))
                self._sessions.add(session)
                session.add_done_callback(self._sessions.discard)
                await asyncio.shield(session)  # which outlives the connection, until its process has ended
        finally:
            self._open.pop(ws, None)
        return ws

    async def _session(self, ws: web.WebSocketResponse, size: tuple[int, int]) -> None:
        self._count += 1
        name = f"session {self._count}"
        try:
            child = self._open[ws] = await Child.start(self._serving.command, size)
        except OSError:
            self._say(f"{name} could not start.")
            await ws.close(message=_ENDINGS[2].encode())
            return
        self._say(f"{name} began; places taken: {len(self._open)} of {self._serving.most}.")
        shown = asyncio.ensure_future(self._show(ws, child))
        try:
            await self._listen(ws, child)
        finally:
            await child.end()
            code = await shown
            self._say(f"{name} ended with code {code}.")

    async def _show(self, ws: web.WebSocketResponse, child: Child) -> int:
        async def send(drawn: bytes) -> None:
            with contextlib.suppress(ConnectionError):  # nobody looks any more: it is read on, so that it can end
                if not ws.closed:
                    await ws.send_bytes(drawn)

        code = await child.show(send)
        if not ws.closed:
            await ws.close(message=_ENDINGS.get(code, "The session has ended.").encode())
        return code

    async def _listen(self, ws: web.WebSocketResponse, child: Child) -> None:
        """Hand on what the browser sends until it goes, or until nothing was pressed for too long."""
        last = monotonic()
        while True:
            left = last + self._serving.idle - monotonic()
            try:
                message = await ws.receive(timeout=max(left, 0.001))
            except TimeoutError:
                minutes = round(self._serving.idle / 60)
                await ws.close(message=f"Ended after {minutes} minutes without a key.".encode())
                return
            if message.type is not WSMsgType.TEXT:
                return
            if not await _handed_on(message.data, child):
                await ws.close(code=WSCloseCode.POLICY_VIOLATION, message=b"The page spoke out of turn.")
                return
            if message.data.startswith('["stdin"'):
                last = monotonic()
            await _answer(ws, message.data)


async def _handed_on(data: str, child: Child) -> bool:
    """Hand one message of the page on; False for what is none."""
    match _parsed(data):
        case ["stdin", str(text)]:
            await child.type(text)
        case ["resize", {"width": int(width), "height": int(height)}]:
            await child.resize(window(width, height))
        case ["focus"]:
            await child.focus(here=True)
        case ["blur"]:
            await child.focus(here=False)
        case ["ping", str()]:
            pass
        case _:
            return False
    return True


async def _answer(ws: web.WebSocketResponse, data: str) -> None:
    match _parsed(data):
        case ["ping", str(word)]:
            with contextlib.suppress(ConnectionError):
                await ws.send_json(["pong", word[:40]])


def _parsed(data: str) -> object:
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found


def _refused(status: int, words: str) -> web.Response:
    return web.Response(status=status, text=f"{words}\n")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep libraries from logging: their lines would hold addresses, and so the token."""
    silent = logging.NullHandler()
    loggers = [logging.getLogger(name) for name in _QUIET_LOGS]
    before = [(logger, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.addHandler(silent)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, propagated in before:
            logger.removeHandler(silent)
            logger.propagate = propagated


def listen(host: str, port: int) -> socket.socket:
    """Bind the address; port 0 takes any free one.

    Raises:
        OSError: it is taken, not ours to take, or no address at all.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except UnicodeError as error:
        raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL)) from error
    family, kind, proto, _, place = found[0]
    listener = socket.socket(family, kind, proto)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
    except OSError:
        listener.close()
        raise
    return listener


def serve(
    listener: socket.socket, access: Access, serving: Serving, say: Callable[[str], None], ready: Callable[[], None]
) -> None:
    """Serve until a signal asks to end."""

    async def main() -> None:
        await Server(access, serving, say).run(listener, ready)

    asyncio.run(main())
