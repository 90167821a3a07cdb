"""PostgreSQL is killed under load: what was acknowledged is there, what was refused is not, nothing is there twice."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import pytest

from curator_tui.core.documents import parse
from curator_tui.core.errors import StoreError, Unfinished
from curator_tui.stores.sql.opening import open_database
from curator_tui.stores.sql.store import SqlStore
from curator_tui.stores.sql.transacting import Patience
from tests.postgres import running
from tests.stores.consistency import check
from tests.stores.ground import ADA, Scope
from tests.stores.homes import MEMORY, added, correct, make_home, planned

SAFE = ("fsync=on", "full_page_writes=on")


@pytest.mark.slow
def test_a_server_that_is_killed_again_and_again(tmp_path: Path) -> None:
    chance = random.Random(7)
    done: list[str] = []
    refused: list[str] = []
    unknown: list[str] = []
    ended = threading.Event()
    with running(*SAFE) as server:
        home = make_home(Scope("postgres", tmp_path / "home", server))
        store = SqlStore(open_database(home.place.address), ADA, Patience(5.0, 30.0))

        def work() -> None:
            number = 0
            while not ended.is_set():
                name = f"fact {number}"
                number += 1
                try:
                    store.transact(correct(name), planned({MEMORY: added(name)}, image=False))
                    done.append(name)
                except Unfinished:
                    unknown.append(name)
                except StoreError:  # every other one means that nothing was changed
                    refused.append(name)
                    time.sleep(0.05)

        worker = threading.Thread(target=work)
        worker.start()
        for _ in range(8):
            time.sleep(chance.uniform(0.2, 0.6))
            server.kill()
            server.start()
        assert worker.is_alive()
        ended.set()
        worker.join(timeout=60)
        assert not worker.is_alive()
        entries = parse(MEMORY, home.documents()[MEMORY]).entries
        assert [entry for entry in entries if entry not in unknown] == ["one", *done]
        assert not set(refused) & set(entries)
        assert len(store.book.rows()) == len(entries) - 1
        store.close()
        assert check(home) == []
    assert len(done) > 20
    assert refused or unknown
    print(f"8 kills: {len(done)} acknowledged and there, {len(refused)} refused, {len(unknown)} not known")
