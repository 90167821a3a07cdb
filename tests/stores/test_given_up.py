"""What another program puts back while a change is under way: unchanged and an error, or changed and told as it stands.

One law for every kind of change that writes documents: approve, plan, reject beside approve, correct, answer, undo,
redo, rollback. A deferral and a challenge write none.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from curator_tui.core.changes import Receipt, image_id
from curator_tui.core.documents import FILE_NAMES, TARGETS, Target, standing
from curator_tui.core.errors import StoreError
from curator_tui.core.operations import Action, Operation
from curator_tui.core.plans import plan as core_plan
from curator_tui.core.questions import question_id
from curator_tui.core.requests import (
    AnswerVerb,
    ChallengeCode,
    Decision,
    Kind,
    Request,
    ToAnswer,
    ToChallenge,
    Verb,
)
from curator_tui.core.times import utc_stamp
from curator_tui.stores.hermes import commit
from curator_tui.stores.safe_files import Folder
from tests.stores.consistency import check, state_of
from tests.stores.failures import killed_at
from tests.stores.homes import (
    AT,
    MEMORY,
    USER,
    copy_home,
    decide,
    documents,
    make_home,
    mend,
    open_store,
    stamp,
    waiting,
)

BOTH = decide("both", ["item0", "item1", "item2"])
MIXED = Request(stamp("mixed"), Kind.DECIDE, (Decision("item0", Verb.APPROVE), Decision("item2", Verb.REJECT)))
CORRECT = Request(
    stamp("correct"),
    Kind.CORRECT,
    corrections=tuple(Operation(Action.ADD, target, content="new") for target in TARGETS),
)
DISPUTE = Request(stamp("dispute"), Kind.CHALLENGE, challenge=ToChallenge(MEMORY, "one", ChallengeCode.WRONG))
ANSWER = Request(
    stamp("answer"), Kind.ANSWER, answer=ToAnswer(question_id(DISPUTE.stamp.change), AnswerVerb.CORRECT, "two")
)
LOOK = Request(stamp("look"), Kind.OBSERVE)
UNDO = Request(stamp("undo"), Kind.UNDO, reverts=BOTH.stamp.change)
REDO = Request(stamp("redo"), Kind.REDO, reverts=UNDO.stamp.change)
ROLLBACK = Request(stamp("rollback"), Kind.ROLLBACK, backup=image_id(utc_stamp(AT), BOTH.stamp.change))

KINDS: dict[str, tuple[Sequence[Request], Request]] = {
    "approve": ((LOOK,), decide("one", ["item0"])),
    "approve at first sight": ((), decide("one", ["item0"])),
    "reject beside approve": ((LOOK,), MIXED),
    "answer": ((LOOK, DISPUTE), ANSWER),
    "plan": ((LOOK,), BOTH),
    "correct": ((LOOK,), CORRECT),
    "undo": ((LOOK, BOTH), UNDO),
    "redo": ((LOOK, BOTH, UNDO), REDO),
    "rollback": ((LOOK, BOTH), ROLLBACK),
}
IN_BOTH = tuple(KINDS)[4:]
EARLY = ("document_renamed:1", "document_renamed:2", "documents_synced:1")


def carry_out(home: Path, request: Request) -> Receipt:
    with closing(open_store(home)) as store:
        return store.transact(request, core_plan)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One home before each kind of change."""
    made: dict[str, Path] = {}
    for name, (steps, _) in KINDS.items():
        made[name] = make_home(tmp_path_factory.mktemp("source") / "home")
        for step in steps:
            carry_out(made[name], step)
    return made


def put_back(home: Path, before: dict[str, bytes | None], targets: Sequence[Target]) -> Callable[[], None]:
    """Return what another program does: the old bytes stand again."""

    def write() -> None:
        for name in (FILE_NAMES[target] for target in targets):
            raw = before[name]
            assert raw is not None
            (home / "memories" / name).write_bytes(raw)

    return write


def failing_at(monkeypatch: pytest.MonkeyPatch, point: str, first: Callable[[], None]) -> None:
    """Let the disk fail at a point, right after another program did something."""
    wanted, ordinal = point.split(":")
    passed: list[str] = []

    def hit(name: str) -> None:
        passed.append(name)
        if name == wanted and passed.count(name) == int(ordinal):
            first()
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(commit, "hit", hit)


def points_for(name: str) -> tuple[str, ...]:
    return EARLY if name in IN_BOTH else (EARLY[0], EARLY[2])


ALL = [(name, point) for name in KINDS for point in points_for(name)]


@pytest.mark.parametrize(("name", "point"), ALL)
def test_what_leaves_no_document_changed_is_an_error_and_everything_is_as_before(
    tmp_path: Path, sources: dict[str, Path], monkeypatch: pytest.MonkeyPatch, name: str, point: str
) -> None:
    home = copy_home(sources[name], tmp_path / "home")
    old, before = state_of(home), documents(home)
    with monkeypatch.context() as failing:
        failing_at(failing, point, put_back(home, before, TARGETS))
        with pytest.raises(StoreError, match="nothing was changed"):
            carry_out(home, KINDS[name][1])
    assert state_of(home) == old
    assert check(home) == []
    assert carry_out(home, KINDS[name][1]).done, "it can be asked for again"
    assert documents(home) != before


@pytest.mark.parametrize("name", KINDS)
def test_killed_and_put_back_it_is_undone_as_a_whole(tmp_path: Path, sources: dict[str, Path], name: str) -> None:
    home = copy_home(sources[name], tmp_path / "home")
    old, before = state_of(home), documents(home)
    assert killed_at("documents_synced=kill", lambda path: carry_out(path, KINDS[name][1]), home)
    put_back(home, before, TARGETS)()
    assert check(home) == []
    assert state_of(home) == old
    assert carry_out(home, KINDS[name][1]).done


@pytest.mark.parametrize("kept", TARGETS)
@pytest.mark.parametrize("name", IN_BOTH)
def test_what_stands_in_part_is_told_as_it_stands(
    tmp_path: Path, sources: dict[str, Path], monkeypatch: pytest.MonkeyPatch, name: str, kept: Target
) -> None:
    home, request = copy_home(sources[name], tmp_path / "home"), KINDS[name][1]
    before, queue = documents(home), set(waiting(home))
    lost = USER if kept is MEMORY else MEMORY
    with monkeypatch.context() as failing:
        failing_at(failing, "documents_synced:1", put_back(home, before, [lost]))
        receipt = carry_out(home, request)
    now = documents(home)
    assert now[FILE_NAMES[lost]] == before[FILE_NAMES[lost]]
    assert now[FILE_NAMES[kept]] != before[FILE_NAMES[kept]]
    assert receipt.change
    assert {failed.code for failed in receipt.not_applied} == {"partly-applied"}
    left, came = queue - set(waiting(home)), set(waiting(home)) - queue
    assert {f"{one.id}.json" for one in (*receipt.applied, *receipt.closed) if one.id.startswith("item")} == left
    assert {f"{one}.json" for one in receipt.returned} == came
    assert len(receipt.applied) == {"plan": len(left), "correct": 1}.get(name, 0)
    assert check(home, outside=True) == []
    with closing(open_store(home)) as store:
        found = store.snapshot()
        assert receipt.sizes == {t: standing(found.document(t), found.limits.get(t)) for t in TARGETS}
        assert receipt.backup in store.backup_names()
        change = store.book.change(receipt.change)
        assert change is not None
        assert set(change.after) == {kept}
        assert store.transact(request, core_plan).not_applied == receipt.not_applied, "it is the answer for good"


def test_what_was_put_back_once_a_record_had_its_name_again_is_a_change_of_its_own(
    tmp_path: Path, sources: dict[str, Path]
) -> None:
    home, before = copy_home(sources["undo"], tmp_path / "home"), documents(sources["undo"])
    assert killed_at("record_returned:1=kill", lambda path: carry_out(path, UNDO), home)
    put_back(home, before, TARGETS)()
    assert check(home, outside=True) == []
    assert set(waiting(home)) == {"item0.json", "item1.json", "item2.json"}
    with closing(open_store(home)) as store:
        assert store.book.decided(["item0", "item1", "item2"]) == {}


def test_a_record_with_two_names_is_back_and_keeps_one(
    tmp_path: Path, sources: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill may come between the two steps of giving it its name."""
    home, before = copy_home(sources["undo"], tmp_path / "home"), documents(sources["undo"])

    def undo(path: Path) -> None:
        with monkeypatch.context() as patched:
            patched.setattr("curator_tui.stores.hermes.commit.rename_new", _linked_and_killed)
            carry_out(path, UNDO)

    assert killed_at("nowhere=kill", undo, home)
    put_back(home, before, TARGETS)()
    assert check(home, outside=True) == []
    assert set(waiting(home)) == {"item0.json", "item1.json", "item2.json"}
    assert {(home / "pending" / "memory" / name).stat().st_nlink for name in waiting(home)} == {1}


def _linked_and_killed(folder: Folder, old: str, new: str) -> bool:
    os.link(old, new, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)
    os.kill(os.getpid(), signal.SIGKILL)
    return True


def test_what_was_put_back_once_records_had_left_the_queue_is_a_change_of_its_own(
    tmp_path: Path, sources: dict[str, Path]
) -> None:
    home, before = copy_home(sources["plan"], tmp_path / "home"), documents(sources["plan"])
    assert killed_at("record_closed:1=kill", lambda path: carry_out(path, BOTH), home)
    put_back(home, before, TARGETS)()
    assert check(home, outside=True) == []
    assert waiting(home) == {}
    with closing(open_store(home)) as store:
        assert mend(store).interrupted is None
        assert set(store.book.decided(["item0", "item1", "item2"])) == {"item0", "item1", "item2"}
        store.transact(Request(stamp("look again"), Kind.OBSERVE), core_plan)
        assert [row.row and row.row["action"] for row in store.book.rows()][0:1] == ["first seen"]
        images = store.backups()[0]
        assert b"fact 0" in (images[-1].files[MEMORY] or b""), "what we wrote can be rolled back to"
