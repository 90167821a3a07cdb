"""Pooling: whether a connection that lay in a pool is still one, before it is given out.

Here: trying it out, where it was not of use a moment ago. Not here: making connections, what a lost one means
(``server``).
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

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
