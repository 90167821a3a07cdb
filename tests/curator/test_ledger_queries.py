"""Asking the ledger: filters, pages by sequence number, statistics, details of a row, sources of entries, exports."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_tui.core.errors import UnknownItem, UsageError
from curator_tui.core.ledger import seal
from curator_tui.core.ledger_facts import COLUMNS, cells, harmless, statistics
from curator_tui.core.ledger_filters import parse_filter, row_matches, seen_percent
from curator_tui.core.origins import Proposer
from curator_tui.core.requests import Actor, ActorKind, Decision, ReasonCode, Verb
from curator_tui.core.row_form import form_of
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_queries import csv_lines, details, every, page, sources, statistics_of, understood
from curator_tui.curator.opening import open_desk
from tests.homes import make_home, record, write
from tests.worlds import MEMORY, PERSON, USER, add

NOW = 1_790_000_000.0
DAY = 86_400.0


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with eight rows, made once: it is only looked at."""
    pending = [record(f"c000000{n}", "add", f"fact {n}") for n in range(1, 6)]
    path = make_home(tmp_path_factory.mktemp("ledger") / "home", memory="Uses zsh", user="Ana", pending=pending)
    opened = open_desk(home=path, profile=None, environ={}, through="cli")
    times = iter([NOW - 9 * DAY + n for n in range(5)] + [NOW - n * DAY for n in (5, 4, 3, 2, 1)])
    ana = Desk(opened.store, Actor(ActorKind.PERSON, "ana", "tui"), clock=lambda: next(times))
    ben = Desk(opened.store, Actor(ActorKind.PERSON, "ben", "cli"), clock=lambda: NOW - DAY / 2)
    ana.decide([Decision("c0000001", Verb.APPROVE, seen="100%", source="20260301_101500_abc123")])  # rows 1 and 2
    ana.decide([Decision("c0000002", Verb.APPROVE, seen="40%", note="half read")])  # 3
    ana.decide([Decision("c0000003", Verb.REJECT, reason=ReasonCode.WRONG, seen="100%")])  # 4
    ben.decide([Decision("c0000004", Verb.APPROVE)])  # 5
    memory = path / "memories" / "MEMORY.md"
    write(memory, memory.read_bytes() + "\n§\nby hand".encode())
    ben.correct([add("Likes rye", USER)])  # 6 outside, 7
    ben.undo()  # 8
    opened.close()
    return path


@pytest.fixture
def desk(home: Path) -> Iterator[Desk]:
    opened = open_desk(home=home, profile=None, environ={}, through="cli")
    yield Desk(opened.store, Actor(ActorKind.PERSON, "ana", "tui"), clock=lambda: NOW)
    opened.close()


def meant(desk: Desk, text: str) -> list[int]:
    return [row.seq for row in every(desk, understood(desk, text))]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("who:you", [2, 3, 4]),
        ("who:ben", [5, 7, 8]),
        ("who:person", [2, 3, 4, 5, 7, 8]),
        ("who:outside", [1, 6]),
        ("who:ANA,ben -action:approve", [4, 7, 8]),
        ("action:approve", [2, 3, 5]),
        ("who:you action:approve seen:<100", [3]),
        ("who:ben action:approve seen:<100", [5]),
        ("seen:none", [5]),
        ("seen:<100", [3, 5]),
        ("seen:none,<40", [5]),
        ("seen:>=40", [2, 3, 4]),
        ("seen:100%", [2, 4]),
        ("target:user", [1, 7, 8]),
        ("is:unreviewed", [1, 6]),
        ("is:tombstone", []),
        ("-is:unreviewed target:user", [7, 8]),
        ("reason:wrong", [4]),
        ("action:first-seen", [1]),
        ("source:20260301_101500_abc123", [2]),
        ("c0000003", [4]),
        ("8", [8]),
        ("nothing-like-it", []),
    ],
)
def test_a_filter_means_these_rows(desk: Desk, text: str, rows: list[int]) -> None:
    assert meant(desk, text) == rows


def test_a_filter_of_time_takes_days_and_ages(desk: Desk) -> None:
    late = meant(desk, "since:18h")
    assert late == [5, 6, 7, 8]
    assert meant(desk, "until:18h") == [1, 2, 3, 4]
    assert meant(desk, "since:1970-01-01") == [1, 2, 3, 4, 5, 6, 7, 8]
    assert meant(desk, "since:2027-01-01") == []


@pytest.mark.parametrize("text", ["colour:red", "seen:half", "since:soon", "is:nice", "who:", "x" * 2_000, "seen:<"])
def test_what_means_nothing_is_said(desk: Desk, text: str) -> None:
    with pytest.raises(UsageError) as error:
        understood(desk, text)
    assert error.value.code == "filter"


@given(st.text(max_size=60))
def test_whatever_is_typed_is_understood_or_refused(text: str) -> None:
    row = form_of(seal([{"action": "approve", "at": "", "change": "c", "actor": {}}], (0, ""))[0].body)
    try:
        wanted = parse_filter(text, NOW)
    except UsageError:
        return
    assert row_matches(row, wanted, PERSON) in {True, False}
    row_matches(None, wanted, PERSON)


@pytest.mark.parametrize("count", [1, 2, 3, 100])
def test_pages_put_together_are_all_rows_once(desk: Desk, count: int) -> None:
    for text in ("", "who:person"):
        wanted = understood(desk, text)
        found: list[int] = []
        before = None
        for _ in range(20):
            one = page(desk, wanted, before=before, count=count)
            found += [row.seq for row in one.rows]
            before = one.before
            if before is None:
                break
        assert found == meant(desk, text)[::-1]


def test_a_page_answers_with_what_it_has_after_so_many_rows(desk: Desk) -> None:
    one = page(desk, understood(desk, "nothing-like-it"), scan=3)
    assert (one.rows, one.before is not None or one.scanned == 8) == ((), True)


def test_statistics_count_what_was_decided_and_what_was_not(desk: Desk) -> None:
    found = statistics_of(desk)
    assert (found.rows, found.approved, found.approved_painted, found.approved_unseen) == (8, 3, 2, 1)
    assert found.unreviewed == 2
    assert found.unseen_share == pytest.approx(1 / 2)
    assert found.by_action["approve"] == 3
    assert found.by_who["person", "ana"] == 3
    assert found.by_decision == {"approve": 3, "reject": 1}
    assert found.on_screen_s is None, "nothing records it"
    assert statistics_of(desk, understood(desk, "who:you")).rows == 3


def test_what_comes_back_by_a_revert_is_no_approval_and_nothing_unseen() -> None:
    part = {"proposal": "a", "decision": "approve"}
    base = {"at": "", "change": "c", "actor": {"kind": "person", "name": "ana"}}
    policy = {**base, "actor": {"kind": "policy", "name": "p"}}
    rows = [
        {**base, "action": "approve", "decisions": [{**part, "seen": seen} for seen in ("100%", "row", "40%", "0%")]},
        {**base, "action": "approve", "decisions": [{**part, "seen": "none"}]},
        {**policy, "action": "approve", "decisions": [{**part, "seen": "none"}]},
        *({**base, "action": action, "decisions": [part]} for action in ("undo", "redo", "rollback")),
    ]
    forms = [form_of(row.body) for row in seal(rows, (0, ""))]
    found = statistics(forms)
    assert (found.approved, found.approved_painted, found.approved_unseen) == (6, 4, 2)
    wanted, you = parse_filter("seen:<100", NOW), Actor(ActorKind.PERSON, "ana", "tui")
    meant = [form for form in forms if row_matches(form, wanted, you)]
    assert meant == forms[:3], "the rows that are counted, and those of which nothing was on a screen"


def test_statistics_know_times_repeats_and_what_cannot_be_read() -> None:
    parts = [{"proposal": "a", "decision": "approve", "seen": "100%", "on_screen_ms": ms} for ms in (1000, 3000, 9000)]
    base = {"at": "", "change": "c", "actor": {"kind": "person", "name": "ana"}}
    rows = [{**base, "action": "approve", "decisions": parts}, {**base, "action": "refused", "repeats": 4}]
    found = statistics([form_of(row.body) for row in seal(rows, (0, ""))] + [None])
    assert (found.on_screen_s, found.refused, found.unreadable, found.approved_unseen) == (3.0, 4, 1, 0)


def test_details_show_texts_record_note_and_place_in_the_chain(desk: Desk) -> None:
    found = details(desk, 3)
    before, after = found.documents[MEMORY, "before"], found.documents[MEMORY, "after"]
    assert (before.state, after.state, found.sound) == ("kept", "kept", True)
    assert after.text == before.text + "\n§\nfact 2"
    assert after.size == len(after.text)
    decision = found.decisions[0]
    assert (decision.form.proposal, decision.form.seen, decision.note) == ("c0000002", "40%", "half read")
    assert decision.proposal is not None
    assert decision.proposal.operations[0].content == "fact 2"
    assert found.row.form is not None
    assert found.row.form.backup in desk.store.backup_names()
    first = details(desk, 1)
    assert first.documents[MEMORY, "after"].text == "Uses zsh", "what was first seen stands in its image"
    for seq in (0, 9, 10**9):
        with pytest.raises(UnknownItem):
            details(desk, seq)


def test_a_text_that_is_gone_or_altered_is_never_shown_as_what_it_was(home: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    with sqlite3.connect(copy / "curator-tui" / "book.sqlite") as db:
        (change,) = db.execute("SELECT id FROM memory_changes WHERE seq = 5").fetchone()
        db.execute("UPDATE memory_texts SET body = 'forged' WHERE kind = 'document' AND change_id = ?", (change,))
        (change,) = db.execute("SELECT id FROM memory_changes WHERE seq = 2").fetchone()
        db.execute("DELETE FROM memory_texts WHERE kind IN ('document', 'record') AND change_id = ?", (change,))
    db.close()
    opened = open_desk(home=copy, profile=None, environ={}, through="cli")
    assert details(opened, 5).documents[MEMORY, "after"].state == "altered"
    assert details(opened, 5).documents[MEMORY, "after"].text == ""
    gone = details(opened, 2)
    assert {part.state for part in gone.documents.values()} == {"gone"}
    assert gone.decisions[0].proposal is None
    opened.close()


def test_sources_of_entries_are_filtered_by_the_same_words(desk: Desk) -> None:
    def texts(text: str) -> list[str]:
        return [one.text for one in sources(desk, understood(desk, text))]

    assert texts("is:unknown") == ["Uses zsh", "Ana"]
    assert texts("is:unreviewed") == ["by hand"]
    assert texts("who:you") == ["fact 1", "fact 2"]
    assert texts("seen:<100 -is:unknown") == ["fact 2", "fact 4", "by hand"]
    assert texts("seen:none -is:unknown") == ["fact 4", "by hand"]
    assert texts("source:20260301_101500_abc123") == ["fact 1"]
    assert texts("source:unknown") == ["Uses zsh", "Ana"]
    assert texts("is:unseen target:user") == ["Ana"]
    assert next(one for one in sources(desk) if one.text == "fact 4").proposer is Proposer.AGENT


def test_a_table_gets_every_row_and_no_formula(desk: Desk) -> None:
    found = list(csv.reader(io.StringIO("\n".join(csv_lines(desk, understood(desk, "action:approve"))))))
    assert found[0] == list(COLUMNS)
    assert [row[0] for row in found[1:]] == ["2", "3", "5"]
    assert all(len(row) == len(COLUMNS) for row in found)


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "=cmd|' /C calc'!A0"])
def test_a_cell_that_would_be_a_formula_is_made_harmless(cell: str) -> None:
    assert harmless(cell) == "'" + cell
    assert harmless("approve") == "approve"
    base = {"action": "approve", "at": "", "change": "c", "actor": {"kind": "person", "name": cell}}
    row = form_of(seal([base], (0, ""))[0].body)
    assert cells(row, 1, "h")[COLUMNS.index("who")] == "'" + cell
    assert len(cells(None, 1, "h")) == len(COLUMNS)


@pytest.mark.parametrize(("seen", "number"), [("none", 0), ("100%", 100), ("40%", 40), ("row", None), ("", None)])
def test_how_much_was_seen_is_a_number_or_nothing(seen: str, number: int | None) -> None:
    assert seen_percent(seen) == number


@pytest.mark.slow
def test_a_hundred_thousand_rows_stay_quick(home: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "long"
    shutil.copytree(home, copy)
    with sqlite3.connect(copy / "curator-tui" / "book.sqlite") as db:
        head = db.execute("SELECT seq, hash FROM memory_ledger ORDER BY seq DESC LIMIT 1").fetchone()
        part = {"proposal": "c0000001", "decision": "reject", "seen": "100%"}
        base = {"actor": {"kind": "person", "name": "ana", "through": "tui"}, "at": "2026-09-01T10:00:00.000Z"}
        rows = [{**base, "action": "reject", "change": f"{n:016x}", "decisions": [part]} for n in range(100_000)]
        db.executemany(
            "INSERT INTO memory_ledger (scope, seq, hash, body) VALUES ('home', ?, ?, ?)",
            [(row.seq, row.hash, row.body) for row in seal(rows, head)],
        )
    db.close()
    opened = open_desk(home=copy, profile=None, environ={}, through="cli")
    start = time.perf_counter()
    assert len(page(opened, count=100).rows) == 100
    first = time.perf_counter() - start
    rare = page(opened, understood(opened, "action:undo"), count=100)
    scanned = time.perf_counter() - start - first
    assert statistics_of(opened).rows == 100_008
    whole = time.perf_counter() - start - first - scanned
    print(json.dumps({"first": first, "rare": scanned, "rows": rare.scanned, "statistics": whole}))
    assert first < 0.05
    assert scanned < 0.5
    assert whole < 3
    opened.close()


def test_rows_of_a_tombstone_are_told_from_others() -> None:
    row = {
        "action": "forget",
        "at": "",
        "change": "c",
        "actor": {},
        "tombstones": [{"id": "t0000001", "target": "user"}],
    }
    form = form_of(seal([row], (0, ""))[0].body)
    assert row_matches(form, parse_filter("is:tombstone", NOW), PERSON)
    assert row_matches(form, parse_filter("t0000001", NOW), PERSON)
    assert not row_matches(form, parse_filter("is:unreviewed", NOW), PERSON)
    assert row_matches(None, parse_filter("is:unreadable", NOW), PERSON)
    assert not row_matches(None, parse_filter("who:you", NOW), PERSON)
