"""Sessions, with a stand-in for the application: one process each, so many and so long; only what is drawn goes out."""

from __future__ import annotations

import asyncio
import logging
import re

import aiohttp
import pytest
from msgspec.structs import replace

from curator_tui.tui.leaving import LEAVE_SECONDS
from curator_tui.web.child import END_SECONDS
from tests.web.serving import STUB, Client, Session, gone, served, told


async def number_of(session: Session) -> int:
    """Return the process id of a session of the stand-in."""
    return int(re.search(r"pid (\d+)", await session.heard())[1])  # type: ignore[index]


async def test_what_is_typed_arrives_and_what_is_drawn_comes_back() -> None:
    async with served() as (_, access, said), Client(access.url) as client:
        await client.enter()
        session = await client.connect(size=(132, 43))
        assert (await session.heard()).startswith("window 132x43")
        await session.type("a\x1b[Bü")
        assert await session.heard() == "Da\x1b[Bü"
        await session.socket.send_json(["resize", {"width": 10**9, "height": 30}])
        assert await session.heard() == 'M{"type": "resize", "width": 500, "height": 30}'
        await session.socket.send_json(["focus"])
        assert await session.heard() == 'M{"type": "focus"}'
        await session.socket.send_json(["ping", "17"])
        assert (await session.socket.receive_json(timeout=60)) == ["pong", "17"]
        await session.type("end")
        assert await session.ended() == (1000, "You left the application.")
        await told(said, "session 1 ended with code 0.")
        assert any(line.startswith("session 1 began; places taken: 1 of ") for line in said)
        assert "\x1b" not in "".join(said)


async def test_the_words_of_the_command_reach_the_process_as_they_are() -> None:
    hostile = "a'b\"; touch /tmp/x; $(id) `id`\n|&*?\\"
    async with served(command=(*STUB, hostile)) as (_, access, _said), Client(access.url) as client:
        await client.enter()
        session = await client.connect()
        assert repr(hostile) in await session.heard()


async def test_an_application_asks_nothing_of_the_browser() -> None:
    """No address is opened there and no file handed over."""
    async with served() as (_, access, _said), Client(access.url) as client:
        await client.enter()
        session = await client.connect()
        await session.heard()
        await session.type("ask")
        assert await session.heard() == "Dask"
        await session.type("end")
        await session.ended()


async def test_more_than_so_many_are_refused_until_one_ends() -> None:
    async with served(most=2) as (_, access, said), Client(access.url) as client:
        await client.enter()
        first, second = await client.connect(), await client.connect()
        await first.heard()
        await second.heard()
        third = await client.connect()
        code, why = await third.ended()
        assert code == 1013
        assert "2 sessions are open already" in why
        await first.type("end")
        await first.ended()
        await told(said, "session 1 ended with code 0.")
        fourth = await client.connect()
        assert "window" in await fourth.heard()


async def test_a_session_without_a_key_ends() -> None:
    async with served() as (server, access, _said), Client(access.url) as client:
        await client.enter()
        session = await client.connect()
        number = await number_of(session)
        server._serving = replace(server._serving, idle=0.3)  # from now on: a busy machine starts no session in that
        for _ in range(4):  # what the page sends by itself is no sign of a person
            await asyncio.sleep(0.05)
            await session.socket.send_json(["ping", "1"])
        code, why = await session.ended()
        assert (code, why[:5]) == (1000, "Ended")
        assert await gone({number})


@pytest.mark.parametrize(
    "message", ["[", "7", "[]", '["stdin", 5]', '["resize", {"width": "x"}]', '["quit"]', "[" * 5000]
)
async def test_what_no_page_of_ours_says_ends_the_session(message: str) -> None:
    async with served() as (_, access, said), Client(access.url) as client:
        await client.enter()
        session = await client.connect()
        number = await number_of(session)
        await session.socket.send_str(message)
        assert (await session.ended())[0] == 1008
        assert await gone({number})
        await told(said, "session 1 ended with code 0.")


async def test_a_browser_that_goes_away_takes_its_session_with_it() -> None:
    async with served() as (_, access, _said), Client(access.url) as client:
        await client.enter()
        session = await client.connect()
        number = await number_of(session)
        await session.socket.close()
        assert await gone({number})


async def test_a_session_that_fails_says_so_and_not_why() -> None:
    async with served() as (_, access, said), Client(access.url) as client:
        await client.enter()
        session = await client.connect()
        await session.heard()
        await session.type("fail")
        assert "curator-tui doctor" in (await session.ended())[1]
        await told(said, "session 1 ended with code 3.")


async def test_a_command_that_is_no_application_shows_nothing() -> None:
    async with served(command=("cat", "/etc/hostname")) as (_, access, _said), Client(access.url) as client:
        await client.enter()
        session = await client.connect()
        message = await session.socket.receive(timeout=60)
        assert message.type is aiohttp.WSMsgType.CLOSE


async def test_a_command_that_cannot_be_started_ends_the_session() -> None:
    async with served(command=("/nonexistent",)) as (_, access, said), Client(access.url) as client:
        await client.enter()
        session = await client.connect()
        assert (await session.ended())[1] == "The application could not start."
        await told(said, "session 1 could not start.")


async def test_when_the_server_ends_every_session_ends_with_it() -> None:
    async with served() as (server, access, said), Client(access.url) as client:
        await client.enter()
        sessions = [await client.connect() for _ in range(3)]
        numbers = {await number_of(session) for session in sessions}
        server.end()
        for session in sessions:
            assert await session.ended() == (1001, "The server was ended.")
        assert await gone(numbers)
    assert sorted(said[-3:]) == [f"session {number} ended with code 0." for number in (1, 2, 3)]


async def test_libraries_log_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """Their lines would hold addresses, and so the token."""
    caplog.set_level(logging.DEBUG)
    async with served() as (_, access, said), Client(access.url) as client:
        await client.enter()
        session = await client.connect()
        await session.heard()
        await session.socket.send_str("nonsense")
        await session.ended()
        await client.status("/" + "x" * 9000)
        token, secret = access.url.partition("token=")[2], access._cookie
        host, port = access.address.origin.removeprefix("http://").split(":")
        for line in (f"GET /?token={token} HTTP/1.1\r\nbroken {token}", f"GET /?token={token} x HTTP/0.0"):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(f"{line}\r\n\r\n".encode())
            assert b"400" in await reader.readline()
            writer.close()
        for text in (caplog.text, "".join(said)):
            assert token not in text
            assert secret not in text
            assert access.place not in text


def test_what_was_decided_has_time_to_be_carried_out() -> None:
    assert END_SECONDS > LEAVE_SECONDS + 2
