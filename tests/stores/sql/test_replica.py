"""A server that only reads, as a replica does: everything that looks works there, and what writes is told why not."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from curator_tui.__main__ import main
from curator_tui.core.errors import StoreError
from curator_tui.core.plans import plan as core_plan
from tests.postgres import Server
from tests.stores.consistency import state_of
from tests.stores.ground import Scope
from tests.stores.homes import decide, make_home, open_store


def test_looking_works_and_deciding_is_refused_with_its_reason(server: Server, tmp_path: Path) -> None:
    home = make_home(Scope("postgres", tmp_path / "home", server))
    with closing(open_store(home)) as store:
        store.transact(decide("first", ["item0"]), core_plan)
    before = state_of(home)
    name = home.place.url.split("/")[3].split("?")[0]
    home.place.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    for verb in (
        ["status"],
        ["pending"],
        ["show", "item1"],
        ["ledger", "verify"],
        ["doctor"],
        ["export", "--dry-run", "x"],
    ):
        assert main(["--db", home.place.url, "--tenant", "acme", "--user", "ada", *verb]) == 0, verb
    with closing(open_store(home)) as store:
        assert store.queue.peek(10)[1] == 2
        assert store.snapshot().document
        assert list(store.check()) == []
        assert len(store.backups()[0]) == len(store.backup_names())
        assert store.parcel()[0].head == store.book.head()
        with pytest.raises(StoreError, match="open for reading only") as caught:
            store.transact(decide("second", ["item2"]), core_plan)
    assert caught.value.way_out == "Connect to the primary server."
    assert state_of(home) == before
