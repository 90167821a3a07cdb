"""Cancellation: a change that nobody waits for any more ends before it is stored, as if it had never been asked for.

Here: the one flag of a database, and stopping a statement that runs. Not here: who gives up (the surfaces), how a
statement of an engine is stopped (``sqlite``, ``server``).

A COMMIT that was begun is never stopped: what became of it would have to be asked.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from threading import Event, Lock

from curator_tui.core.errors import Cancelled, StoreError
from curator_tui.stores.sql.database import Again


class Cancellation:
    """Whether the changes of a database are given up; once they are, it is so for good."""

    def __init__(self) -> None:
        self._given_up = Event()
        self._gate = Lock()
        self._running: dict[object, Callable[[], None]] = {}

    def cancel(self) -> None:
        """Give up every change that is not stored yet, from any thread, and stop the statements that run for one."""
        self._given_up.set()
        with self._gate:
            running = tuple(self._running.values())
        for stop in running:
            stop()

    def check(self) -> None:
        """Do nothing as long as somebody waits.

        Raises:
            Cancelled: nobody does.
        """
        if self._given_up.is_set():
            raise Cancelled

    @contextlib.contextmanager
    def until_commit(self, stop: Callable[[], None]) -> Iterator[None]:
        """Guard a transaction from before its first statement until its COMMIT.

        Args:
            stop: stops the statement that runs; it may be called at any time in between, from any thread.

        Raises:
            Cancelled: it was given up; whatever failed because of that is its cause.
        """
        token = object()
        with self._gate:
            self._running[token] = stop
        try:
            self.check()
            yield
            self.check()
        except (StoreError, Again) as error:
            if self._given_up.is_set() and not isinstance(error, Cancelled):
                raise Cancelled from error
            raise
        finally:
            with self._gate:
                del self._running[token]
