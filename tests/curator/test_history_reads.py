"""What a list of the past reads: heads for a label or a prefix, never the documents of every change."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_tui.core.operations import Action, Operation
from curator_tui.core.requests import Decision, Verb
from curator_tui.curator import history
from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import open_desk
from curator_tui.tui.screens.reverted import stays
from curator_tui.tui.screens.reverting import look_at_one
from tests.homes import make_home, record, write
from tests.worlds import MEMORY


def test_backups_and_prefixes_are_found_by_heads_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = open_desk(home=make_home(tmp_path / "home", memory="Uses zsh"), profile=None, environ={}, through="cli")
    made = [desk.correct([Operation(Action.ADD, MEMORY, content=f"fact {n}")]).change for n in range(3)]
    assert all(made)
    monkeypatch.setattr(type(desk.store.book), "changes", None)
    rows, problems = history.backups(desk)
    assert not problems
    named = {row.change.id: row.change for row in rows if row.change is not None}
    assert set(named) == set(made)
    assert all(not change.before and not change.after for change in named.values())
    assert made[0] is not None
    found = history.find_change(desk, made[0][:10])
    assert (found.id, found.after[MEMORY]) == (made[0], "Uses zsh\n§\nfact 0".encode())
    desk.close()


def test_heads_say_what_was_decided_without_the_records(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", memory="Uses zsh", pending=[record("c0000001", "add", "Has a cat")])
    desk = open_desk(home=home, profile=None, environ={}, through="cli")
    decided = desk.decide([Decision("c0000001", Verb.REJECT)]).change
    desk.reopen(["c0000001"])
    back, rejected = desk.store.book.heads()[:2]
    assert rejected.id == decided
    assert [(one.proposal, str(one.ending), one.raw) for one in rejected.closed] == [("c0000001", "reject", None)]
    assert [one.proposal for one in back.returned] == ["c0000001"]
    desk.close()


def test_a_change_undone_alone_says_what_another_program_wrote_since(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", memory="Uses zsh")
    desk = open_desk(home=home, profile=None, environ={}, through="tui")
    first = desk.correct([Operation(Action.ADD, MEMORY, content="fact 1")]).change
    assert first is not None
    told = [_stays(desk, first)]
    write(home / "memories" / "MEMORY.md", b"Uses fish\n\xc2\xa7\nfact 1")
    told.append(_stays(desk, first))
    desk.observe()
    told.append(_stays(desk, first))
    write(home / "memories" / "USER.md", b"Ana")
    told.append(_stays(desk, first))
    assert told == [
        "nothing was changed after it",
        "everything else, as another program wrote it since",
        "everything else: 1 later change, entry by entry",
        "everything else: 1 later change, entry by entry, and what another program wrote since",
    ]
    desk.close()


def _stays(desk: Desk, change: str) -> str:
    looked = look_at_one(desk, change, {})
    assert looked is not None
    return "".join(str(part.text) for part in stays(looked))
