"""What a durable approval costs, against the least that any durable program would do, measured in the same run."""

from __future__ import annotations

import os
import sqlite3
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores.homes import MEMORY, add_record, added, correct, decide, make_home, open_store, planned

pytestmark = pytest.mark.slow

ROUNDS = 80
GOAL = 2.5
# The goal is judged by the benchmark on a quiet machine; beside other tests only a change of kind may fail this one.
SANE = 2 * GOAL


def yardstick(folder: Path) -> Iterator[None]:
    """Three durable file replacements and one transaction with full sync, each time it is asked."""
    connection = sqlite3.connect(folder / "yardstick.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE t (x)")
    data = b"x" * 2000
    while True:
        yield
        for name in ("a", "b", "c"):
            fd = os.open(folder / f"{name}.tmp", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            os.write(fd, data)
            os.fsync(fd)
            os.close(fd)
            os.rename(folder / f"{name}.tmp", folder / name)
            fd = os.open(folder, os.O_RDONLY)
            os.fsync(fd)
            os.close(fd)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO t VALUES (?)", (data,))
        connection.execute("COMMIT")


def test_an_approval_costs_little_more_than_its_syncs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(tmp_path / "home", memory=b"x" * 1000, records=0)
    for number in range(ROUNDS):
        add_record(home, f"{number:08x}", f"fact {number}")
    (tmp_path / "yardstick").mkdir()
    least = yardstick(tmp_path / "yardstick")
    next(least)
    syncs: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (syncs.append(fd), real(fd))[1])
    store = open_store(home)
    store.transact(correct("warm"), planned({MEMORY: added("warm")}))
    ours: list[float] = []
    theirs: list[float] = []
    counts: list[int] = []
    for number in range(ROUNDS):
        text = f"fact {number}".encode()
        plan = planned({MEMORY: lambda raw, text=text: (raw or b"")[:1000] + b"\n\xc2\xa7\n" + text})
        request = decide(f"approve {number}", [f"{number:08x}"])
        syncs.clear()
        began = time.perf_counter()
        receipt = store.transact(request, plan)
        ours.append(time.perf_counter() - began)
        counts.append(len(syncs))
        assert receipt.change
        began = time.perf_counter()
        next(least)
        theirs.append(time.perf_counter() - began)
    store.close()
    mine, least_ms = statistics.median(ours) * 1000, statistics.median(theirs) * 1000
    ratio = mine / least_ms
    print(
        f"durable approval: {mine:.2f} ms, yardstick {least_ms:.2f} ms, ratio {ratio:.2f} (goal {GOAL}); "
        f"{max(counts)} syncs of files and folders and 2 of the log"
    )
    assert max(counts) <= 9
    assert ratio <= SANE
