"""A proxy in front of PostgreSQL that loses answers, as a network does at the worst moment.

Here: forwarding bytes of one socket to another, and what happens at a COMMIT. Not here: what a client makes of it.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit

_NAME = ".s.PGSQL.5432"
_COMMIT = b"COMMIT\0"


class Proxy:
    """Listens beside a server; a context manager that ends it.

    Attributes:
        lose: what happens at the next COMMIT, once: ``answer`` (it arrives, its answer does not), ``commit`` (it does
            not arrive, and the connection is gone), ``stall`` (it does not arrive, and nobody hears of that), or
            nothing.
        refusing: whether new connections are refused.
        lost: how many were lost.
    """

    def __init__(self, url: str, folder: Path) -> None:
        parts = urlsplit(url)
        self._server = os.path.join(parse_qs(parts.query)["host"][0], _NAME)
        self.url = urlunsplit(parts._replace(query=f"host={quote(str(folder))}"))
        self.lose = ""
        self.refusing = False
        self.lost = 0
        self._open: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / _NAME))
        self._listener.listen(32)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End all connections and listen no more."""
        self._listener.close()
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.refusing:
                client.close()
                continue
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            self._open += [client, server]
            ended, swallowed = threading.Event(), threading.Event()
            threading.Thread(target=self._up, args=(client, server, ended, swallowed), daemon=True).start()
            threading.Thread(target=self._down, args=(server, client, ended, swallowed), daemon=True).start()

    def _up(
        self, client: socket.socket, server: socket.socket, ended: threading.Event, swallowed: threading.Event
    ) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                what = self.lose if _COMMIT in data else ""
                if what:
                    self.lose, self.lost = "", self.lost + 1
                    ended.set()  # nothing comes back any more
                    if what == "answer":
                        server.sendall(data)
                        _pass_on(client, server, swallowed)  # what belongs to it may come in pieces
                    if what == "stall":
                        client.shutdown(socket.SHUT_RDWR)
                        return  # the server keeps the transaction, and its locks
                    break
                server.sendall(data)
        _end(client, server)

    def _down(
        self, server: socket.socket, client: socket.socket, ended: threading.Event, swallowed: threading.Event
    ) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                if ended.is_set():
                    swallowed.set()
                    break
                client.sendall(data)
        if not ended.is_set():
            _end(client, server)


def _pass_on(client: socket.socket, server: socket.socket, until: threading.Event) -> None:
    """Pass on what still comes, until the server has done what it was told."""
    client.settimeout(0.01)
    with contextlib.suppress(OSError):
        while not until.is_set():
            with contextlib.suppress(TimeoutError):
                server.sendall(client.recv(1 << 16))


def _end(*sockets: socket.socket) -> None:
    for one in sockets:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextlib.contextmanager
def losing(url: str, folder: Path) -> Iterator[Proxy]:
    """Run a proxy in front of a server that listens on a socket in the file system."""
    folder.mkdir(parents=True, exist_ok=True)
    proxy = Proxy(url, folder)
    try:
        yield proxy
    finally:
        proxy.close()
