"""Errors of PostgreSQL: what each becomes in the tree of errors, and which mean that a transaction is to be replayed.

Here: words and ways out by SQLSTATE. A server's own words may quote what is stored, or tell that something exists;
none of them is ever passed on. Not here: replaying (``transacting``).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import psycopg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from curator_tui.core.errors import Locked, NoStore, StoreError, WriteFailed
from curator_tui.stores.sql.database import Again, Unanswered
from curator_tui.stores.sql.versions import UPGRADE

# serialization_failure, deadlock_detected
_REPLAYED = frozenset({"40001", "40P01"})
_LOCK_NOT_AVAILABLE = "55P03"
_NO_DATABASE = "3D000"
_GONE = "the server does not answer, or ended the connection"
# By SQLSTATE, or by its class of two characters: the cause and the way out.
_WORDS = {
    "08": (_GONE, "Look whether it runs and can be reached, then try again."),
    "57": (_GONE, "Look whether it runs and can be reached, then try again."),
    "28": ("the server let nobody in under that name", "Check the name and the password in --db."),
    "42501": ("the role may not do that", "Ask whoever keeps the database for the rights: curator-tui db grants"),
    "42P01": ("a table is missing", UPGRADE),
    "42703": ("a column is missing", UPGRADE),
    "23": ("something that may be there only once is there already", "Look again, then decide anew."),
    "22": ("it cannot hold that text", "Take control characters out of it."),
    "25006": ("the database is open for reading only", "Connect to the primary server."),
    "53100": ("the disk of the server is full", "Nothing is lost. Make room on the server, then try again."),
    "53300": ("the server has no connection left", "Close other programs, or let the server take more."),
    "53": ("the server lacks something it needs", "Look into the server's log."),
    "58": ("the server cannot read or write its files", "Look into the server's log."),
}


# A refused connection carries no SQLSTATE: what its words say, as far as a server speaks English, stands for one.
_REFUSALS = (
    ("does not exist", _NO_DATABASE),
    ("authentication failed", "28"),
    ("no password supplied", "28"),
    ("pg_hba.conf", "28"),
    ("not permitted to log in", "28"),
    ("too many", "53300"),
    ("connection slots", "53300"),
)


# What is no Unicode fails before it is sent.
_ERRORS = (SQLAlchemyError, psycopg.Error, UnicodeEncodeError)
# Classes of SQLSTATE by which a server refuses a statement: what it says, what may be there, who may do it, its size.
_REFUSED = frozenset({"22", "23", "42", "54"})


def _cause(error: BaseException) -> BaseException:
    """Return the error of the driver behind one of the pool."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def state_of(error: BaseException) -> str:
    """Return the SQLSTATE of an error; empty where the server said none."""
    return str(getattr(_cause(error), "sqlstate", None) or "")


def _refusal(error: BaseException) -> str:
    words = str(_cause(error))
    if "connection failed" not in words:
        return ""
    return next((state for fragment, state in _REFUSALS if fragment in words), "")


def lost(error: BaseException | None) -> bool:
    """Whether an error, or what caused it, says that the connection is of no use any more."""
    while error is not None:
        cause = _cause(error)
        if isinstance(cause, psycopg.OperationalError) and state_of(cause)[:2] in {"", "08", "57"}:
            return True
        error = error.__cause__
    return False


@contextlib.contextmanager
def speaking(path: str, kind: type[StoreError], verb: str) -> Iterator[None]:
    """Turn an error of the server or the driver into one of the tree that names the database, cause and way out.

    Raises:
        Again: the transaction was rolled back and may be replayed.
    """
    try:
        yield
    except _ERRORS as error:
        state = state_of(error) or _refusal(error)
        if state in _REPLAYED:
            raise Again from error
        if state == _LOCK_NOT_AVAILABLE:
            raise Locked(
                "another curator holds this memory for longer than we wait.", way_out="Try again in a moment."
            ) from error
        if state == _NO_DATABASE:
            raise NoStore(f"there is no database at {path}.", way_out="Check the name in --db.") from error
        raise _named(error, state, path, kind, verb) from error


def _named(error: BaseException, state: str, path: str, kind: type[StoreError], verb: str) -> StoreError:
    away = isinstance(_cause(error), psycopg.OperationalError | psycopg.InterfaceError) and not state
    held = isinstance(_cause(error), psycopg.DataError | UnicodeEncodeError) and not state
    words = _WORDS.get(state) or _WORDS.get(state[:2]) or _WORDS.get("08" if away else "22" if held else "")
    cause, way_out = words or (f"the server refused it (SQLSTATE {state})" if state else type(error).__name__, "")
    return kind(f"cannot {verb} {path}: {cause}.", way_out=way_out)


@contextlib.contextmanager
def at_commit(path: str) -> Iterator[None]:
    """Tell what an error of COMMIT, or of what travelled with it, means.

    A refusal of the server is one, because then nothing of the transaction is stored; everything else leaves it open.

    Raises:
        Again: the server rolled back and says so.
        WriteFailed: the server refused a statement, and with it all of the transaction.
        Unanswered: nobody knows.
    """
    try:
        yield
    except (*_ERRORS, OSError) as error:
        state = state_of(error)
        if state in _REPLAYED:
            raise Again from error
        if state[:2] in _REFUSED:
            raise _named(error, state, path, WriteFailed, "write to") from error
        raise Unanswered from error
