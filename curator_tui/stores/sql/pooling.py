"""Pooling: a connection is given out when it is one, and does not come back when it was lost.

Here: trying it out, where it was not of use a moment ago, and giving it to one piece of work. Not here: making
connections, what a lost one means (``server``).
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import PoolProxiedConnection

if TYPE_CHECKING:
    from psycopg import Connection

# A connection that answered so short a time ago is taken for one that answers.
_TRUSTED_SECONDS = 0.5
_RESTED = "rested at"


def try_out(engine: Engine) -> None:
    """Let a connection be tried out before it is given out, unless it was of use a moment ago: that is a journey."""

    @event.listens_for(engine, "checkin")
    def _rested(_connection: Any, record: Any) -> None:
        record.info[_RESTED] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def _given_out(connection: Any, record: Any, _proxy: Any) -> None:
        rested = record.info.get(_RESTED)
        if rested is None or time.monotonic() - rested < _TRUSTED_SECONDS:
            return
        try:
            connection.execute("SELECT 1")
            connection.rollback()
        except Exception as error:
            raise DisconnectionError from error


@contextlib.contextmanager
def given(engine: Engine) -> Iterator[Connection[Any]]:
    """Give a connection of a pool; one that was lost does not go back there, and none of its siblings is trusted."""
    pooled = engine.raw_connection()
    try:
        yield _driver(pooled)
    except BaseException:
        if _driver(pooled).closed:
            pooled.invalidate()
            engine.dispose()
        raise
    finally:
        pooled.close()


def _driver(pooled: PoolProxiedConnection) -> Connection[Any]:
    connection: Any = pooled.driver_connection
    return cast("Connection[Any]", connection)
