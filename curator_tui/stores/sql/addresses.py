"""Addresses: what ``--db`` may name, and how it is shown without a password.

Here: from the words of a person to an address. Not here: connecting (``sqlite``, ``server``).
"""

from __future__ import annotations

import os
from typing import Literal
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from msgspec import Struct

from curator_tui.core.errors import UsageError
from curator_tui.core.text import visible

Dialect = Literal["sqlite", "postgresql"]
_SQLITE = "sqlite:///"
_SERVERS = frozenset({"postgresql", "postgres"})
_FORMS = "Give sqlite:///FILE or postgresql://USER@HOST/DATABASE."


class Address(Struct, frozen=True):
    """One database.

    Attributes:
        dialect: which kind.
        label: where it is, in words safe to print, without a password.
        file: the absolute path of the file, for SQLite; else empty.
        url: what the driver connects to, for PostgreSQL; else empty. It may hold a password.
        unheld: whether a person said that a login may open it that no policy holds.
    """

    dialect: Dialect
    label: str
    file: str = ""
    url: str = ""
    unheld: bool = False

    @property
    def named(self) -> str | None:
        """The words that name it on a command line; None where they hold a password."""
        if self.dialect == "sqlite":
            return _SQLITE + quote(self.file)
        parts = urlsplit(self.url)
        return None if parts.password is not None or "password" in parts.query else self.url


def address_of(text: str, *, unheld: bool = False) -> Address:
    """Return the database that a person names.

    Args:
        text: the words.
        unheld: whether it may be opened by a login that no policy holds.

    Raises:
        UsageError: it names none that we know.
    """
    if text.startswith(_SQLITE):
        return _file(text.removeprefix(_SQLITE))
    try:
        parts = urlsplit(text)
        known = parts.scheme in _SERVERS and "\0" not in text
        label = _shown(text)
    except ValueError:
        known = False
    if not known:
        raise UsageError("--db names no database that can be opened.", way_out=_FORMS, code="unknown-database")
    return Address("postgresql", label, url=urlunsplit(parts._replace(scheme="postgresql")), unheld=unheld)


def _file(name: str) -> Address:
    path = unquote(name)
    if not path or path == ":memory:" or "\0" in path or "?" in name:
        raise UsageError("--db names no file: sqlite:/// is followed by a path.", way_out=_FORMS)
    path = os.path.abspath(path)
    return Address("sqlite", visible(path, newlines=False), file=path)


def _shown(text: str) -> str:
    """Return an address without its password and without its settings, which may hold one too."""
    parts = urlsplit(text)
    who, at, where = parts.netloc.rpartition("@")
    return visible(
        urlunsplit(("postgresql", f"{who.partition(':')[0]}{at}{where}", parts.path, "", "")), newlines=False
    )
