"""Databases: what the SQL store needs of SQLite and of PostgreSQL, as one small protocol.

Here: the protocol, and the two answers of a database that are no errors of the tree, because the store itself deals
with them. Not here: the engines behind it (``sqlite``, ``server``).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from curator_tui.stores.book.db import Db, ReadDb
from curator_tui.stores.sql.addresses import Address, Dialect
from curator_tui.stores.sql.bounds import NOTHING, Bound

if TYPE_CHECKING:
    from curator_tui.stores.sql.cancellation import Cancellation

# How long a writing transaction waits for another one.
WAIT_SECONDS = 5.0


class Again(Exception):
    """The transaction cannot go on beside another one; it was rolled back and the whole of it may be replayed."""


class Unanswered(Exception):
    """Nobody knows whether a transaction was stored: COMMIT failed or got no answer; the cause is the real error."""


class Login(Struct, frozen=True):
    """Whom a server let in.

    Attributes:
        name: the login, by which it acts.
        groups: those of our roles it belongs to (``roles``).
        keeper: whether the tables are its own, so that it may change what holds others.
        unheld: whether no policy holds it: it is a superuser, or passes by row-level security.
    """

    name: str
    groups: frozenset[str] = frozenset()
    keeper: bool = False
    unheld: bool = False


class Session(Db, Protocol):
    """One connection that carries writing transactions, one after the other.

    Attributes:
        for_update: what is put behind a query to lock the rows it finds until the end of the transaction.
    """

    for_update: str

    def begin(self, wait: float) -> None:
        """Begin a transaction that may write.

        Args:
            wait: how many seconds it waits for another one, here or at its first lock.

        Raises:
            Locked: it waited so long.
        """

    def foresee(self, look: Callable[[ReadDb], object]) -> None:
        """Ask everything at once that ``look`` would ask; until something is written the answers are at hand."""

    def expect(self, count: int, statement: str, **values: Any) -> None:
        """Run one statement, at the latest when something is asked or sent, that has to touch so many rows.

        Raises:
            Again: it touched others; here, or when it was sent.
        """

    def send(self) -> None:
        """Send what was kept until somebody asks, so that what is wrong with it is known before the commit.

        Raises:
            Again: the database asks for it.
            WriteFailed: it was refused.
        """

    def commit(self) -> None:
        """Store what the transaction did, durably; nothing is kept back any more.

        Raises:
            Again: it was rolled back by the database.
            WriteFailed: the database refused something that was kept, and stored nothing.
            Unanswered: nobody knows.
        """

    def rollback(self) -> None:
        """Forget what the transaction did; never fails."""

    def interrupt(self) -> None:
        """Stop the statement that runs, from any thread, so that it fails; never fails itself."""

    def settle(self) -> None:
        """Make certain, after an unanswered COMMIT, that what is read now is what stays.

        Raises:
            WriteFailed: it cannot be made certain.
        """


class Database(Protocol):
    """One database.

    Attributes:
        address: which one.
        cancellation: whether its changes are given up.
    """

    address: Address
    cancellation: Cancellation

    @property
    def dialect(self) -> Dialect:
        """Which kind it is."""

    def reader(self, bound: Bound = NOTHING) -> ReadDb:
        """Return what reads it, from any thread; creates nothing.

        Args:
            bound: what may be reached.
        """

    def session(self, bound: Bound = NOTHING) -> AbstractContextManager[Session]:
        """Give a session to one thread.

        Args:
            bound: what its transactions may reach.
        """

    def login(self) -> Login | None:
        """Return whom the server let in; None where there is no server, and whoever may open the file is in."""

    def notes(self) -> tuple[str, ...]:
        """Return what is worth saying about how the database keeps what it stored, in words safe to print."""

    def refusals(self) -> tuple[str, ...]:
        """Return where attempts are found that the database refused by itself, in words safe to print."""

    def close(self) -> None:
        """Let go of all connections."""
