"""PostgreSQL as a database of many: connections, reading statement by statement, writing one scope at a time.

Here: connections, their settings, and the book's small protocol on them. Not here: what an error means
(``server_errors``), making the tables (``upgrading``). SQLAlchemy keeps the pools; statements go to the driver itself.

Each statement that is waited for costs a journey to the server and back. What is written and asks nothing is therefore
kept until an answer is needed, and travels together with everything that was kept before it.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, create_engine, event

from curator_tui.core.errors import Unreadable, WriteFailed
from curator_tui.stores.book.db import Question, R, ReadDb, Record
from curator_tui.stores.failpoints import hit
from curator_tui.stores.sql.addresses import Address, Dialect
from curator_tui.stores.sql.bounds import BIND, NOTHING, Bound
from curator_tui.stores.sql.cancellation import Cancellation
from curator_tui.stores.sql.database import WAIT_SECONDS, Again, Login
from curator_tui.stores.sql.foresight import Noting
from curator_tui.stores.sql.pooling import given, try_out
from curator_tui.stores.sql.server_errors import at_commit, lost, speaking
from curator_tui.stores.sql.server_facts import login_of, power_notes, refusal_notes
from curator_tui.stores.sql.statements import driven, storable, together

if TYPE_CHECKING:
    from psycopg import Connection

# Every writer of a scope waits at its row and reads behind that, and what others write is compared when it is replaced,
# so no more is needed (the tests race on all levels). SERIALIZABLE would let scopes that have nothing in common stop
# each other: it notes what was read by pages, and eight curators replayed every second approval.
ISOLATION = "READ COMMITTED"
AUTOCOMMIT = "AUTOCOMMIT"
_INTERRUPT_SECONDS = 2.0
_ONE_STATE = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_CONNECTIONS = 5
# A server that went away without a word is noticed by the operating system within about half a minute.
_PATIENCE: dict[str, Any] = {
    "connect_timeout": 5, "keepalives": 1, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
    "tcp_user_timeout": 30_000, "application_name": "curator-tui",
}  # fmt: skip
# What goes wrong is told by the errors of our tree; the driver would write to the terminal besides.
logging.getLogger("psycopg").setLevel(logging.CRITICAL)


def connect(address: Address, isolation: str = ISOLATION) -> Engine:
    """Return the pool of a server; nothing is connected yet.

    Raises:
        Unreadable: the driver is not installed.
    """
    try:
        import psycopg
    except ImportError as error:
        way = "Install it where this program was installed from: pip install '.[postgres]'"
        raise Unreadable("PostgreSQL needs a driver that is not installed.", way_out=way) from error
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(address.url, **_PATIENCE),
        use_native_hstore=False,
        pool_size=_CONNECTIONS,
        isolation_level=isolation,
    )

    if isolation != AUTOCOMMIT:  # what reads only is asked again
        try_out(engine)

    @event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: Any) -> None:
        before, connection.autocommit = connection.autocommit, True
        with connection.cursor() as cursor:
            cursor.execute("SET TIME ZONE 'UTC'")
            cursor.execute(f"SET lock_timeout = {int(WAIT_SECONDS * 1000)}")
            cursor.execute("SELECT current_setting('synchronous_commit')")
            if cursor.fetchone() == ("off",):
                cursor.execute("SET synchronous_commit = on")
        connection.autocommit = before

    return engine


class _Asking:
    """What reading and writing have in common.

    Attributes:
        path: where the database is, for messages.
    """

    path: str

    def as_bytes(self, column: str) -> str:
        """Return the expression that gives a column of text as its bytes."""
        return f"convert_to({column}, 'UTF8')"

    def stands(self) -> bool:
        """Nothing could take the place of a server."""
        return True

    def one(self, statement: str, **values: Any) -> Record | None:
        """Return the first row of a query, or None."""
        rows = self.all(statement, **values)
        return rows[0] if rows else None

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query."""
        raise NotImplementedError

    def has_table(self, name: str) -> bool:
        """Whether there is such a table."""
        found = self.one("SELECT to_regclass(:name) IS NOT NULL", name=name)
        return found is not None and bool(found[0])


class ServerReader(_Asking):
    """Reads statement by statement, each on any free connection; from any thread.

    What it is bound to goes with every statement and ends with it, so that it does not matter who had the connection
    before. That is no journey more: both are sent before an answer is waited for.

    Args:
        engine: the pool; its connections begin no transactions.
        path: where it is, for messages.
        bound: what may be reached.
    """

    def __init__(self, engine: Engine, path: str, bound: Bound = NOTHING) -> None:
        self.path = path
        self._engine = engine
        self._bound = bound
        self._tables: set[str] = set()

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query; where the connection turns out to be lost, ask once more on a new one."""
        return self.ask([(statement, values)])[0]

    def ask(self, questions: Sequence[Question]) -> list[list[Record]]:
        """Return every row of several queries, which travel together."""
        asked = [question for question in questions if storable(question[1])]
        try:
            found = iter(self._asked(asked))
        except Unreadable as error:
            if not lost(error):
                raise
            found = iter(self._asked(asked))
        return [next(found) if storable(values) else [] for _, values in questions]

    def _asked(self, questions: Sequence[Question]) -> list[list[Record]]:
        if not questions:
            return []
        with speaking(self.path, Unreadable, "read"), given(self._engine) as connection:
            if self._bound == NOTHING and len(questions) == 1:
                statement, values = questions[0]
                return [list(connection.execute(driven(statement), values).fetchall())]
            with connection.pipeline():
                if self._bound != NOTHING:
                    connection.execute(driven(BIND), self._bound.settings)
                cursors = [connection.execute(driven(text), values) for text, values in questions]
            return [list(cursor.fetchall()) for cursor in cursors]

    def at_once(self, read: Callable[[ReadDb], R]) -> R:
        """Let several questions be answered from one state, on one connection that is given back behind them."""
        try:
            return self._of_one_state(read)
        except Unreadable as error:
            if not lost(error):
                raise
            return self._of_one_state(read)

    def _of_one_state(self, read: Callable[[ReadDb], R]) -> R:
        with speaking(self.path, Unreadable, "read"), given(self._engine) as connection:
            state = ServerSession(connection, self.path)
            try:
                with connection.pipeline():
                    connection.execute(_ONE_STATE)
                    if self._bound != NOTHING:
                        connection.execute(driven(BIND), self._bound.settings)
                return read(state)
            finally:
                state.rollback()

    def has_table(self, name: str) -> bool:
        """Whether there is such a table; one that was there stays."""
        if name not in self._tables and super().has_table(name):
            self._tables.add(name)
        return name in self._tables

    def close(self) -> None:
        """Nothing is held between statements."""


def _require(checks: Iterable[tuple[Any, int]]) -> None:
    """Make sure that statements touched as many rows as they should.

    Raises:
        Again: one did not: somebody else was there first.
    """
    if any(cursor.rowcount != wanted for cursor, wanted in checks):
        raise Again


def _key(statement: str, values: Mapping[str, Any]) -> object:
    return statement, tuple(sorted(values.items()))


class ServerSession(_Asking):
    """One connection for writing transactions.

    Args:
        connection: the connection; it stays the caller's.
        path: where it is, for messages.
        bound: what its transactions may reach.
    """

    for_update = " FOR UPDATE"

    def __init__(self, connection: Connection[Any], path: str, bound: Bound = NOTHING) -> None:
        self.path = path
        self._bound = bound
        self._connection = connection
        self._kept: list[tuple[bytes, Mapping[str, Any], int | None]] = []
        self._foreseen: dict[object, list[Record]] = {}

    def foresee(self, look: Callable[[ReadDb], object]) -> None:
        """Ask everything at once that ``look`` would ask; see :class:`Session`."""
        noting = Noting(self.as_bytes)
        look(noting)
        answers = self.ask(noting.questions)
        self._foreseen = {_key(*question): rows for question, rows in zip(noting.questions, answers, strict=True)}

    def begin(self, wait: float) -> None:
        """Begin a transaction; how long it waits is said to the server where it differs from what it knows."""
        self._forget()  # the driver begins it with the first statement
        if self._bound != NOTHING:
            self._kept.append((driven(BIND), self._bound.settings, None))
        if wait != WAIT_SECONDS:
            self.all("SELECT set_config('lock_timeout', :wait, true)", wait=str(int(wait * 1000)))

    def send(self) -> None:
        """Send what was kept; see :class:`Session`."""
        with speaking(self.path, WriteFailed, "write to"):
            self._travel([])

    def commit(self) -> None:
        """Store what the transaction did; what was kept travels with COMMIT, which fails where one of it does."""
        if any(wanted is not None for _, _, wanted in self._kept):
            self.send()
        with at_commit(self.path):
            hit("committing")
            with self._connection.pipeline():
                self._put_kept()
                self._connection.commit()
            hit("committed")

    def rollback(self) -> None:
        """Forget what the transaction did; a connection that cannot is given up."""
        self._forget()
        try:
            self._connection.rollback()
        except Exception:  # noqa: BLE001 - whatever it is, the server forgets the transaction with the connection
            self._connection.close()

    def interrupt(self) -> None:
        """Ask the server to stop the statement that runs."""
        with contextlib.suppress(Exception):  # a server that cannot be asked stops it with the connection
            self._connection.cancel_safe(timeout=_INTERRUPT_SECONDS)

    def settle(self) -> None:
        """Nothing to do: what a server answers, it has kept."""

    def all(self, statement: str, **values: Any) -> list[Record]:
        """Return every row of a query."""
        foreseen = self._foreseen.get(_key(statement, values)) if self._foreseen else None
        return self.ask([(statement, values)])[0] if foreseen is None else foreseen

    def ask(self, questions: Sequence[Question]) -> list[list[Record]]:
        """Return every row of several queries, which travel together."""
        if not all(storable(values) for _, values in questions):
            return [self.ask([one])[0] if storable(one[1]) else [] for one in questions]
        with speaking(self.path, Unreadable, "read"):
            return self._travel(questions)

    def run(self, statement: str, **values: Any) -> int:
        """Run one statement; return how many rows it touched."""
        self._foreseen.clear()
        with speaking(self.path, WriteFailed, "write to"):
            with self._connection.pipeline():
                checks = self._put_kept()
                cursor = self._connection.execute(driven(statement), values)
            _require(checks)
            return cursor.rowcount

    def run_many(self, statement: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Run one statement for every set of values, at the latest when something is asked."""
        values: list[Mapping[str, Any]] = [dict(row) for row in rows]
        if values:
            self._foreseen.clear()
            self._kept += [(text, sets, None) for text, sets in together(statement, values)]

    def expect(self, count: int, statement: str, **values: Any) -> None:
        """Run one statement at the latest when something is asked; see :class:`Session`."""
        self._foreseen.clear()
        self._kept.append((driven(statement), values, count))

    def at_once(self, read: Callable[[ReadDb], R]) -> R:
        """Let several questions be answered as of this transaction."""
        return read(self)

    def _forget(self) -> None:
        self._kept.clear()
        self._foreseen.clear()

    def _travel(self, questions: Sequence[Question]) -> list[list[Record]]:
        """Send what was kept, and questions behind it, in one journey; answers are taken when all have arrived."""
        if not self._kept and len(questions) < 2:
            return [list(self._connection.execute(driven(text), values).fetchall()) for text, values in questions]
        with self._connection.pipeline():
            checks = self._put_kept()
            cursors = [self._connection.execute(driven(text), values) for text, values in questions]
        _require(checks)
        return [list(cursor.fetchall()) for cursor in cursors]

    def _put_kept(self) -> list[tuple[Any, int]]:
        """Put what was kept into the pipeline; return what has to be looked at when it has arrived."""
        kept, self._kept = self._kept, []
        checks = []
        for statement, values, wanted in kept:
            cursor = self._connection.execute(statement, values)
            if wanted is not None:
                checks.append((cursor, wanted))
        return checks

    def close(self) -> None:
        """The connection is the caller's."""


class ServerDatabase:
    """One database of a server.

    Args:
        address: which one.
        isolation: of writing transactions.
    """

    dialect: Dialect = "postgresql"

    def __init__(self, address: Address, isolation: str = ISOLATION) -> None:
        self.address = address
        self.cancellation = Cancellation()
        self._writing = connect(address, isolation)
        self._reading = connect(address, AUTOCOMMIT)
        self._reader = ServerReader(self._reading, address.label)
        self._login: Login | None = None

    def reader(self, bound: Bound = NOTHING) -> ServerReader:
        """Return what reads it."""
        return self._reader if bound == NOTHING else ServerReader(self._reading, self.address.label, bound)

    @contextlib.contextmanager
    def session(self, bound: Bound = NOTHING) -> Iterator[ServerSession]:
        """Give a connection of the pool to this thread."""
        with contextlib.ExitStack() as held:
            with speaking(self.address.label, WriteFailed, "connect to"):
                connection = held.enter_context(given(self._writing))
            session = ServerSession(connection, self.address.label, bound)
            try:
                yield session
            except BaseException:
                session.rollback()
                raise

    def login(self) -> Login | None:
        """Return whom the server let in."""
        if self._login is None:
            self._login = login_of(self._reader)
        return self._login

    def notes(self) -> tuple[str, ...]:
        """Return which settings of the server let a power cut take what was acknowledged."""
        return power_notes(self._reader)

    def refusals(self) -> tuple[str, ...]:
        """Return where the server notes what it refused, or that it does not."""
        return refusal_notes(self._reader)

    def close(self) -> None:
        """Close all connections."""
        self._writing.dispose()
        self._reading.dispose()
