"""The application in a real Chromium: it is painted, keys decide, nothing comes from elsewhere, no other page gets in.

Skipped, and said so, where there is no Chromium; on Debian ``apt-get install chromium`` brings one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from curator_tui.web.access import COOKIE
from tests.cli.conftest import Cli
from tests.homes import make_home, record
from tests.web.browser import Page, chromium, colours, found
from tests.web.serving import Command

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(found() is None, reason="NO CHROMIUM HERE: the application in a browser was not tested"),
]
_BLOCKED = "Applying inline style"  # two sheets the terminal would add, and does not need
LINK = "See http://elsewhere.example/page for more"


@pytest.fixture
def cli_at(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[Path], Cli]:
    monkeypatch.delenv("HERMES_HOME", raising=False)
    return lambda home: Cli(home, monkeypatch, capsys)


def home_at(path: Path) -> Path:
    pending = [record("add00001", "add", LINK), record("add00002", "add", "Likes rye bread", target="user")]
    return make_home(path, memory="Prefers tabs", pending=pending, config={"write_approval": True})


async def decided(page: Page, words: str, *keys: str) -> None:
    """Press until it is done: a key before its item stood there long enough does nothing, as on a busy machine."""
    for _ in range(6):
        await page.press(*keys)
        await asyncio.sleep(1.0)
        if words in page.text:
            return
    raise AssertionError(page.text)


def complaints(page: Page) -> list[str]:
    return [words for words in page.complaints if not words.startswith(_BLOCKED)]


@asynccontextmanager
async def elsewhere() -> AsyncIterator[str]:
    """Serve an empty page from another port of this machine, as a stranger's page is another origin."""

    async def empty(_: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><title>elsewhere</title>", content_type="text/html")

    application = web.Application()
    application.router.add_get("/{path:.*}", empty)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def test_it_is_painted_and_keys_decide(tmp_path: Path, cli_at: Callable[[Path], Cli]) -> None:
    home = home_at(tmp_path / "home")
    command = Command(home, "--write")
    try:
        async with chromium() as tab:
            page = await tab()
            await page.open(command.told["url"])
            await page.wait_for("all seen: a approves")
            assert len(colours(await page.picture(whole=False))) > 50, "letters, not an empty window"
            place = await page.ask("location.href")
            assert "token" not in place
            token = command.told["url"].partition("token=")[2]
            assert token not in await page.ask("document.documentElement.outerHTML")
            assert await page.ask("document.cookie") == "", "no script reads it"
            assert await page.ask("document.activeElement.className") == "xterm-helper-textarea", (
                "keys go there at once"
            )
            here = place.split("/")[2]
            assert {address.split("/")[2] for address in page.requested} == {here}, "nothing comes from elsewhere"
            await decided(page, "approved", "a")
            await decided(page, "rejected", "x", "1")
            await page.press("q")
            await page.wait_until("!document.querySelector('#ended').hidden")
            assert "left the application" in await page.ask("document.querySelector('#why').textContent")
            assert [words for words in complaints(page) if "CLOSING or CLOSED" not in words] == []
    finally:
        _, log = command.stop()
    cli = cli_at(home)
    assert cli.entries() == ("Prefers tabs", LINK)
    assert cli.waiting() == set()
    rows = [row for row in cli.json("ledger")["rows"] if row["action"] in {"approve", "reject"}]
    assert [row["actor"]["through"] for row in rows] == ["web", "web"]
    assert "rye" not in log


async def test_read_only_a_click_on_a_link_opens_nothing_and_another_browser_is_not_let_in(tmp_path: Path) -> None:
    command = Command(home_at(tmp_path / "home"))
    try:
        async with chromium() as tab:
            page = await tab()
            await page.open(command.told["url"])
            await page.wait_for("read only: nothing")
            assert "READ ONLY" in await page.ask("document.title")
            await page.press("a")
            await page.wait_for("curator-tui serve --write")
            assert await page.ask("window.open('about:blank') === null"), "the sandbox holds no popups"
            place = await page.ask("location.href")
            again = await tab()
            await again.open(command.told["url"])
            await again.wait_for("READ ONLY")
        async with chromium() as tab:
            other = await tab()
            for address in (command.told["url"], place):
                await other.open(address)
                await other.wait_until("document.readyState === 'complete'")
                assert "This desk is opened by" in await other.ask("document.body.innerText")
                assert await other.ask("document.querySelector('canvas') === null")
    finally:
        command.stop()


async def test_a_link_of_another_site_leads_in(tmp_path: Path) -> None:
    """As a terminal in a browser has it: the strict cookie is kept back at first."""
    command = Command(home_at(tmp_path / "home"))
    try:
        async with chromium() as tab, elsewhere() as stranger:
            page = await tab()
            await page.open(stranger.replace("127.0.0.1", "localhost"))
            await page.wait_until("document.title === 'elsewhere'")
            await page.ask(f"location.href = {json.dumps(command.told['url'])}")
            await page.wait_for("READ ONLY")
    finally:
        command.stop()


async def test_a_page_of_another_origin_gets_nothing(tmp_path: Path) -> None:
    """Even in the browser that was let in, and although another port of this machine counts as the same site."""
    command = Command(home_at(tmp_path / "home"), "--write")
    try:
        async with chromium() as tab, elsewhere() as stranger:
            page = await tab()
            await page.open(command.told["url"])
            await page.wait_for("all seen")
            place = await page.ask("location.href")
            evil = await tab()
            for origin in (stranger, stranger.replace("127.0.0.1", "localhost")):
                await evil.open(origin)
                await evil.wait_until("document.title === 'elsewhere'")
                for target in (place, place.replace("127.0.0.1", "localhost")):
                    assert await evil.ask(_CONNECTS.replace("URL", json.dumps(f"ws{target[4:]}ws"))) == "refused"
                    assert await evil.ask(_READS.replace("URL", json.dumps(target))) == "refused"
                    assert await evil.ask(_FRAMES.replace("URL", json.dumps(target))) == "refused"
            for address in (f"{stranger}/", f"{stranger}/{COOKIE}"):
                await evil.open(address)
                await evil.wait_until("document.title === 'elsewhere'")
                assert await evil.ask("document.cookie") == ""
            assert len(command.children()) == 1
    finally:
        _, log = command.stop()
    assert "session 2" not in log


_CONNECTS = """new Promise(done => {
  const socket = new WebSocket(URL);
  socket.onopen = () => done("connected");
  socket.onerror = () => done("refused");
})"""
_READS = """fetch(URL, {credentials: "include"}).then(a => a.text()).then(t => t, () => "refused")"""
_FRAMES = """new Promise(done => {
  const frame = document.createElement("iframe");
  frame.onload = () => {
    try { done(frame.contentDocument === null ? "refused" : "framed"); } catch { done("refused"); }
  };
  frame.src = URL;
  document.body.append(frame);
})"""
