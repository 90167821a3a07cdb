"""``status --line``: what a prompt, tmux and cron read, whichever way it was found out, and what it loads."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import curator_tui.curator.quick
from curator_tui.__main__ import main
from curator_tui.cli.line import fitted
from curator_tui.curator.quick import quick_look
from curator_tui.stores.book.book import FOLDER_NAME
from curator_tui.stores.hermes.names import DEFERRED_MARK, OWN_FOLDER
from tests.cli.conftest import Cli
from tests.homes import fixture_home, make_home, picture, record, stage

DAY = 86_400.0
ROOT = Path(__file__).parents[2]
Bind = Callable[[Path], Cli]


@pytest.fixture
def slow_way(monkeypatch: pytest.MonkeyPatch) -> Callable[[Cli, tuple[str, ...]], tuple[int, str, str]]:
    """Ask for the line with the quick look turned off."""

    def asked(cli: Cli, arguments: tuple[str, ...]) -> tuple[int, str, str]:
        with monkeypatch.context() as patch:
            patch.setattr(curator_tui.curator.quick, "quick_look", lambda *_: None)
            answer = cli(*arguments)
        return answer.code, answer.out, answer.err

    return asked


def ordinary(root: Path) -> Path:
    return make_home(root, memory="One", pending=[record("a0000001", "add", "Two"), record("a0000002", "add", "Three")])


def nothing_waits(root: Path) -> Path:
    return make_home(root, memory="One")


def no_queue(root: Path) -> Path:
    (root / "memories").mkdir(parents=True)
    return root


def broken(root: Path) -> Path:
    raw = {
        "b0000001.json": b"{not json",
        "b0000002.json": b'{"id": "b0000002", "created_at": 1000000.0, "payload": {}}',
        "b0000003.json": b'{"created_at": 5.0, "created_at": 6.0}',
        "b0000004.json": b'{"created_at": "77.5"}',
        "b0000005.json": b'{"created_at": true}',
        "b0000006.json": b'{\n  "created_at": 1e400,\n  "id": 1\n}',
        "b0000007.json": b'{\n  "created_at": -5,\n  "id": 1\n}',
        "b0000008.json": b"",
        "no record.txt": b"x",
        "odd name \xc3\xa9.json".encode("latin-1").decode("latin-1"): b"[]",
    }
    return make_home(root, pending=[record("a0000001", "add", "Two", created_at=2e9)], raw_files=raw)


def written_by_hermes(root: Path) -> Path:
    return fixture_home(root)


def of_a_profile(root: Path) -> Path:
    home = make_home(root, memory="One", pending=[record("a0000001", "add", "Two")])
    make_home(root, profile="work", pending=[record(f"c000000{n}", "add", f"Text {n}") for n in range(3)])
    (home / "active_profile").write_text("work\n")
    return home


def profile_home(root: Path) -> Path:
    return make_home(root, profile="work", pending=[record("c0000001", "add", "Text")])


def linked(root: Path) -> Path:
    home = ordinary(root)
    (home / "pending" / "memory" / "a0000003.json").symlink_to("a0000001.json")
    return home


def deferred(root: Path) -> Path:
    home = ordinary(root)
    assert main(["--home", str(home), "defer", "a0000001"]) == 0
    return home


def deferred_before(root: Path) -> Path:
    home = deferred(root)
    assert main(["--home", str(home), "reopen", "a0000001"]) == 0
    assert main(["--home", str(home), "undo"]) == 0
    return home


def disputed(root: Path) -> Path:
    home = ordinary(root)
    assert main(["--home", str(home), "challenge", "One", "--reason", "wrong"]) == 0
    return home


WORLDS = (
    disputed, ordinary, nothing_waits, no_queue, broken, written_by_hermes, of_a_profile, profile_home, linked,
    deferred, deferred_before,
)  # fmt: skip


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("more", [(), ("--quiet",), ("--fail-if-pending", "--width", "12"), ("--width", "1" * 5_000)])
def test_the_quick_way_and_the_whole_way_say_the_same(
    world: Callable[[Path], Path], more: tuple[str, ...], tmp_path: Path, cli_at: Bind, slow_way: Callable[..., object]
) -> None:
    cli = cli_at(world(tmp_path / "home"))
    before = picture(cli.home)
    quick = cli("status", "--line", *more)
    assert (quick.code, quick.out, quick.err) == slow_way(cli, ("status", "--line", *more))
    assert picture(cli.home) == before


def test_a_deferred_record_that_comes_back_as_it_was_is_left_out_of_the_line_again(
    tmp_path: Path, cli_at: Bind
) -> None:
    """Another program may take a record away and put it back, with changes of ours between."""
    cli = cli_at(ordinary(tmp_path / "home"))
    file = cli.home / "pending" / "memory" / "a0000001.json"
    cli("defer", "a0000001", "--until", "3d")
    raw = file.read_bytes()
    file.unlink()
    cli("approve", "a0000002")
    file.write_bytes(raw)
    assert [item["id"] for item in cli.json("pending")["items"]] == []
    assert cli("status", "--line").out.startswith("0 waiting")


def test_the_line_leaves_out_what_is_deferred_and_is_quick_again_once_nothing_is(tmp_path: Path, cli_at: Bind) -> None:
    """The mark that says so stands beside the book while something is deferred, and no longer."""
    cli = cli_at(ordinary(tmp_path / "home"))
    mark = cli.home / OWN_FOLDER / DEFERRED_MARK
    assert OWN_FOLDER == FOLDER_NAME
    cli("reject", "a0000002")
    cli("undo")
    assert not mark.exists()
    cli("defer", "a0000001", "--until", "3d")
    assert mark.exists()
    assert cli("status", "--line").out.startswith("1 waiting")
    cli("approve", "a0000002")
    assert mark.exists()
    cli("approve", "a0000001")
    assert not mark.exists()
    cli("undo")
    assert mark.exists()
    assert cli("status", "--line").out.startswith("0 waiting")
    cli("reopen", "a0000001")
    assert not mark.exists()
    assert cli("status", "--line").out.startswith("1 waiting")


def test_a_question_is_counted_in_the_line_until_it_is_answered(tmp_path: Path, cli_at: Bind) -> None:
    """It waits for a person though nothing else may wait; the mark that sends the line to the book stands so long."""
    cli = cli_at(nothing_waits(tmp_path / "home"))
    mark = cli.home / OWN_FOLDER / DEFERRED_MARK
    cli("challenge", "One", "--reason", "wrong")
    assert mark.exists()
    assert cli("status", "--line", "--quiet").out == "0 waiting, 1 question\n"
    cli("undo")
    assert not mark.exists()
    assert cli("status", "--line", "--quiet").out == ""
    cli("redo")
    assert mark.exists()
    assert cli("status", "--line").out == "0 waiting, 1 question\n"


def test_the_line_counts_and_says_since_when(tmp_path: Path, cli_at: Bind) -> None:
    cli = cli_at(ordinary(tmp_path / "home"))
    skills = cli.home / "pending" / "skills"
    skills.mkdir()
    (skills / "s1.json").write_text("{}")
    stage(cli.home, record("a0000003", "add", "Old", created_at=1_700_000_000.0))
    waiting, oldest, skill = cli("status", "--line").out.removesuffix("\n").split(", ")
    assert waiting == "3 waiting"
    assert oldest.startswith("oldest ")
    assert oldest.endswith(" d")
    assert skill == "1 skill write"
    document = cli.json("status", "--line")
    assert oldest == f"oldest {int(document['oldest_age_s'] // DAY)} d"


def test_an_unreadable_record_is_counted_and_named_where_states_are_asked_for(tmp_path: Path, cli_at: Bind) -> None:
    cli = cli_at(broken(tmp_path / "home"))
    assert cli("status", "--line").out.startswith("10 waiting, oldest ")
    said = cli("status", "--line", "--states").out
    assert said.startswith("10 waiting (1 ready, ")
    assert " unreadable)" in said
    assert "gate off" in said


@pytest.mark.parametrize("waits", [True, False])
def test_exit_codes_and_quiet(waits: bool, tmp_path: Path, cli_at: Bind) -> None:
    cli = cli_at((ordinary if waits else nothing_waits)(tmp_path / "home"))
    assert cli("status", "--line").code == 0
    assert cli("status", "--line", "--fail-if-pending").code == int(waits)
    quiet = cli("status", "--line", "--quiet", "--fail-if-pending")
    assert (quiet.code, bool(quiet.out)) == (int(waits), waits)
    assert cli("status", "--line", "--states", "--quiet").out.startswith("2 waiting (2 ready)") is waits


def test_what_cannot_be_read_is_said_and_is_no_zero(tmp_path: Path, cli_at: Bind) -> None:
    home = nothing_waits(tmp_path / "home")
    (home / "pending" / "memory").rmdir()
    (home / "pending" / "memory").write_text("no folder")
    for more in ((), ("--quiet",), ("--states",), ("--fail-if-pending",)):
        answer = cli_at(home)("status", "--line", *more)
        assert answer.code == 3
        assert answer.out == "waiting: not readable, see: curator-tui status\n"
        assert answer.err == ""
    gone = cli_at(tmp_path / "nowhere")("status", "--line", "--width", "10")
    assert (gone.code, gone.out) == (3, "waiting...\n")
    assert cli_at(tmp_path / "nowhere").json("status", "--line", code=3)["error"]["code"] == "no-store"


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (31, "15 waiting (4 ready, 3 stale)"),
        (29, "15 waiting (4 ready, 3 stale)"),
        (28, "15 waiting (4 ready, 3..."),
        (15, "15 waiting..."),
        (13, "15 waiting..."),
        (12, "15..."),
        (4, "15"),
        (2, "15"),
        (1, "."),
    ],
)
def test_a_line_is_cut_between_words_and_no_number_is_cut(width: int, line: str) -> None:
    assert fitted(["15 waiting (4 ready, 3 stale)", "oldest 3 d"], width) == line


@pytest.mark.parametrize("width", [1, 9, 20, 80])
def test_a_width_bounds_the_line(width: int, tmp_path: Path, cli_at: Bind) -> None:
    cli = cli_at(broken(tmp_path / "home"))
    for more in ((), ("--states",)):
        line = cli("status", "--line", "--width", str(width), *more).out
        assert line.count("\n") == 1
        assert 0 < len(line) - 1 <= width
        assert line.isascii()
        assert line.removesuffix("\n").isprintable()


def test_options_of_the_line_belong_to_the_line(tmp_path: Path, cli_at: Bind) -> None:
    cli = cli_at(ordinary(tmp_path / "home"))
    for more in ("--quiet", "--states"):
        assert cli("status", more).code == 2
    assert cli("status", "--width", "9").code == 2
    for wrong in ("0", "x", "-1"):
        assert cli("status", "--line", "--width", wrong).code == 2


def test_the_environment_names_the_home(tmp_path: Path, cli_at: Bind, monkeypatch: pytest.MonkeyPatch) -> None:
    cli = cli_at(of_a_profile(tmp_path / "home"))
    monkeypatch.setenv("HERMES_HOME", f" {cli.home} ")
    assert cli.bare("status", "--line").out.startswith("3 waiting")
    assert cli.bare("--profile", "default", "status", "--line").out.startswith("1 waiting")
    assert cli.bare("--profile=work", "status", "--line").out.startswith("3 waiting")
    assert cli.bare("--profile", "other", "status", "--line").code == 3


def test_the_folder_that_home_names_is_looked_in_either_way(
    tmp_path: Path, cli_at: Bind, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli = cli_at(ordinary(tmp_path / ".hermes"))
    monkeypatch.setenv("HOME", f"{tmp_path}/")
    found = quick_look(None, None)
    assert found is not None
    assert found.waiting == 2
    answer = cli.bare("doctor", "--json").json
    assert any(note.startswith("HOME is ") and "as the hermes command does" in note for note in answer["notes"])
    assert not any(note.startswith("HOME is ") for note in cli.json("doctor")["notes"])
    assert cli.bare("status", "--json").json["store"] == str(cli.home)


def test_it_loads_nothing_but_a_few_small_modules_of_ours(tmp_path: Path) -> None:
    home = ordinary(tmp_path / "home")
    code = (
        "import sys; before = set(sys.modules); from curator_tui.__main__ import main; "
        f"main(['--home', {str(home)!r}, 'status', '--line', '--quiet', '--width', '40']); "
        "print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"],
        capture_output=True, text=True, check=True, env=environ,
    )  # fmt: skip
    assert run.stdout.startswith("2 waiting")
    names = set(run.stderr.split())
    ours = {name for name in names if name.startswith("curator_tui")}
    assert names - ours <= {"__future__", "pwd"}
    assert ours <= {
        "curator_tui", "curator_tui.__main__", "curator_tui.cli", "curator_tui.cli.ages", "curator_tui.cli.line",
        "curator_tui.curator", "curator_tui.curator.quick", "curator_tui.stores", "curator_tui.stores.hermes",
        "curator_tui.stores.hermes.names", "curator_tui.stores.hermes.quick",
    }  # fmt: skip
