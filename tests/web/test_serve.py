"""``curator-tui serve``: what it refuses, and the real application behind it, looked at and decided with."""

from __future__ import annotations

import signal
import socket
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from curator_tui.cli import serve as verb
from curator_tui.curator.opening import open_desk, pinned
from tests.cli.conftest import Cli
from tests.homes import make_home, record
from tests.web.serving import ROOT, Client, Command, gone

SECRET_WORDS = "the zebra crossing"


@pytest.fixture
def cli_at(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[Path], Cli]:
    monkeypatch.delenv("HERMES_HOME", raising=False)
    return lambda home: Cli(home, monkeypatch, capsys)


def home_at(path: Path) -> Path:
    pending = [record("add00001", "add", f"Painted {SECRET_WORDS}"), record("add00002", "add", "Likes rye bread")]
    return make_home(path, memory="Prefers tabs", pending=pending, config={"write_approval": True})


# -- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["serve", "--host", "0.0.0.0"], "--behind-proxy"),
        (["serve", "--host", "192.168.7.7"], "--behind-proxy"),
        (["serve", "--behind-proxy", "http://desk.example.org"], "clear text"),
        (["serve", "--behind-proxy", "desk"], "no address"),
        (["serve", "--behind-proxy", "https://h", "--host", "ü" * 80], "cannot be used"),
        (["serve", "--port", "70000"], "70000"),
        (["serve", "--sessions", "0"], "range"),
        (["--read-only", "serve", "--write"], "contradict"),
    ],
)
def test_what_would_not_be_safe_is_a_usage_error(
    words: list[str], said: str, tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    answer = cli_at(home_at(tmp_path / "home"))(*words)
    assert answer.code == 2
    assert said in answer.err
    assert answer.out == ""


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, cli_at: Callable[[Path], Cli], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verb, "find_spec", lambda _: None)
    answer = cli_at(tmp_path)("serve")
    assert answer.code == 2
    assert "pip install '.[web]'" in answer.err


def test_a_home_that_cannot_be_opened_is_told_before_anything_is_served(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    answer = cli_at(tmp_path / "nowhere")("serve", "--port", "0")
    assert answer.code == 3
    assert answer.out == ""


def test_a_port_that_is_taken_is_named(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        answer = cli_at(home_at(tmp_path / "home"))("serve", "--port", str(taken.getsockname()[1]))
    assert answer.code == 2
    assert "--port 0" in answer.err


def test_its_help_needs_no_server(tmp_path: Path) -> None:
    import subprocess

    code = (
        "import sys\nfrom curator_tui.__main__ import main\nmain(['serve', '--help'])\n"
        "print(sorted({'aiohttp', 'textual', 'asyncio', 'curator_tui.web'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stderr.strip() == "[]"
    assert "--one" not in done.stdout


# -- the store that is served --------------------------------------------------------------------------------------


def test_sessions_open_the_profile_that_was_active_when_serving_began(tmp_path: Path) -> None:
    home = home_at(tmp_path / "home")
    work = home_at(home / "profiles" / "work")
    for profile, path in ((None, home), ("work", work)):
        desk = open_desk(home=home, profile=profile, environ={}, through="web")
        given = dict(option.removeprefix("--").split("=", 1) for option in pinned(desk))
        desk.close()
        (home / "active_profile").write_text("work")
        again = open_desk(home=Path(given["home"]), profile=given.get("profile"), environ={}, through="web")
        assert again.bound().scope == (profile or "default")
        assert given["home"] == str(path)
        again.close()


# -- the application -----------------------------------------------------------------------------------------------


def everything_in(place: Path) -> dict[Path, tuple[int, bytes]]:
    return {
        path: (path.stat().st_mtime_ns, path.read_bytes() if stat.S_ISREG(path.stat().st_mode) else b"")
        for path in sorted(place.rglob("*"))
    }


async def test_it_looks_and_writes_nothing_whatever_is_pressed_and_ends_with_a_killed_server(tmp_path: Path) -> None:
    """The home has a name that a shell would act on."""
    place = tmp_path / "a'b\"; touch pwned\n$(touch pwned) `touch pwned` | & *"
    home = home_at(place)
    before = everything_in(home)
    with Command(home, cwd=tmp_path) as command:
        async with Client(command.told["url"]) as client:
            await client.enter()
            session = await client.connect(size=(100, 30))
            await session.wait_for("READ ONLY")
            await session.wait_for("assistant_tool, ")
            await session.rest(0.5)
            await session.type("a")
            await session.wait_for("curator-tui serve --write")
            await session.type("E")
            await session.look(0.3)
            await session.type("?")
            await session.wait_for("keys of this screen")
            assert "EDITOR" not in session.text
            children = command.children()
            assert len(children) == 1
            code, log = command.stop(signal.SIGKILL)
            assert code == -signal.SIGKILL
            assert await gone(children), "they notice that nobody is there any more"
    assert everything_in(home) == before
    assert not list(tmp_path.rglob("pwned"))
    assert not (ROOT / "pwned").exists()
    assert SECRET_WORDS not in log
    assert command.told["url"].partition("token=")[2] not in log


async def test_with_write_it_decides_and_the_ledger_says_from_where(
    tmp_path: Path, cli_at: Callable[[Path], Cli]
) -> None:
    home = home_at(tmp_path / "home")
    with Command(home, "--write") as command:
        async with Client(command.told["url"]) as client:
            await client.enter()
            session = await client.connect(size=(100, 30))
            await session.wait_for("all seen")
            await session.rest(1.0)
            assert "READ ONLY" not in session.text
            for _ in range(
                5
            ):  # a key before its item stood there long enough does nothing, which a busy machine can bring
                await session.type("a")
                await session.rest(1.0)
                if "approved" in session.text:
                    break
            await session.wait_for("approved")
            children = command.children()
            code, log = command.stop(signal.SIGTERM)
            assert code == 0
            assert command.told.keys() == {"url", "home", "write"}, "as JSON.md says"
            assert await gone(children)
    cli = cli_at(home)
    assert len(cli.waiting()) == 1
    row = cli.json("ledger")["rows"][-1]
    assert row["action"] == "approve"
    assert row["actor"]["through"] == "web"
    assert "you through web" in cli("ledger").out
    assert SECRET_WORDS not in log
    assert "session 1 ended with code" in log


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_the_signals_of_a_terminal_end_it(number: int, tmp_path: Path) -> None:
    code, log = Command(home_at(tmp_path / "home")).stop(number)
    assert code == 0
    assert "ending" in log
