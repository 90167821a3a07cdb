"""Databases for tests: one of each engine, empty or with all tables, and ways to look into them past the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from curator_tui.stores.sql.addresses import Address, address_of
from curator_tui.stores.sql.upgrading import upgrade
from tests.postgres import Server

ENGINES = ("sqlite", "postgres")


@dataclass(frozen=True)
class Place:
    """One database.

    Attributes:
        url: what ``--db`` says.
        server: the server it is on, None for a file.
    """

    url: str
    server: Server | None = None

    @property
    def address(self) -> Address:
        return address_of(self.url)

    @property
    def keeper(self) -> str:
        """The address for whoever keeps the server: no policy holds what is done past the store."""
        return self.url if self.server is None else self.server.keeper(self.url)

    def execute(self, *statements: str) -> None:
        """Run statements, all or none."""
        if self.server is None:
            connection = sqlite3.connect(self.address.file)
            with connection:
                for statement in statements:
                    connection.execute(statement)
            connection.close()
            return
        with psycopg.connect(self.keeper) as served:
            for statement in statements:
                served.execute(statement)

    def change(self, statement: str, *values: Any) -> None:
        """Run one statement; ``?`` stands for a value."""
        if self.server is None:
            connection = sqlite3.connect(self.address.file, timeout=10)
            with connection:
                connection.execute(statement, values)
            connection.close()
            return
        with psycopg.connect(self.keeper) as served:
            served.execute(statement.replace("?", "%s"), values)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query; ``?`` stands for a value."""
        if self.server is None:
            connection = sqlite3.connect(self.address.file)
            try:
                return connection.execute(query, values).fetchall()
            finally:
                connection.close()
        with psycopg.connect(self.keeper, autocommit=True) as served:
            return served.execute(query.replace("?", "%s"), values).fetchall()

    def tables(self) -> set[str]:
        """Return the names of all tables."""
        if self.server is None:
            query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            return {name for (name,) in self.rows(query)} if Path(self.address.file).exists() else set()
        return {name for (name,) in self.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}

    def contents(self, tables: Sequence[str] = ()) -> dict[str, list[tuple[Any, ...]]]:
        """Return everything that stands in the tables."""
        return {name: sorted(self.rows(f"SELECT * FROM {name}"), key=repr) for name in tables or self.tables()}


def empty(engine: str, folder: Path, server: Server | None) -> Place:
    """Return a database without any table."""
    if engine == "sqlite":
        return Place(f"sqlite:///{folder}/memory.db")
    assert server is not None
    return Place(server.database(), server)


def made(engine: str, folder: Path, server: Server | None) -> Place:
    """Return a database with all tables and nothing in them."""
    if engine == "sqlite":
        place = empty(engine, folder, None)
        if not _template:
            upgrade(place.address)
            _template.append(Path(place.address.file).read_bytes())
        else:
            Path(place.address.file).write_bytes(_template[0])
        return place
    assert server is not None
    return Place(server.store(), server)


_template: list[bytes] = []
