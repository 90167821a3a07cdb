"""The door: every request needs host, origin and cookie; the token is exchanged once and stands in no address after."""

from __future__ import annotations

import aiohttp
import pytest
from aiohttp import WSServerHandshakeError

from curator_tui.web.access import COOKIE
from tests.web.serving import Client, served


async def test_without_token_or_cookie_nothing_answers() -> None:
    async with served() as (_, access, said), Client(access.url) as client:
        for path in ("/", access.folder, f"{access.folder}textual.js", f"{access.folder}ws", "/nothing", "/static/"):
            assert await client.status(path) == 401, path
        assert await client.status("/?token=") == 403
        assert await client.status("/?token=wrong") == 403
        assert await client.status(f"{access.folder}?token={access.url.partition('=')[2]}") == 401
        assert said == []


async def test_the_token_becomes_a_cookie_and_leaves_the_address() -> None:
    async with served() as (_, access, said), Client(access.url) as client:
        token = access.url.partition("token=")[2]
        async with client.http.get(access.url, allow_redirects=False) as answer:
            assert answer.status == 303
            place = answer.headers["Location"]
            cookie = answer.headers["Set-Cookie"]
        assert token not in place
        assert token not in cookie
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert f"Path={place};" in cookie, "cookies know no ports: no other server of this machine is sent it"
        assert "Secure" not in cookie, "without TLS a secure cookie would not come back"
        async with client.http.get(access.address.origin + place) as answer:
            assert answer.status == 200
            assert token not in await answer.text()
        assert token not in "".join(said)


async def test_a_second_browser_gets_nothing_for_the_same_token() -> None:
    async with served() as (_, access, _said), Client(access.url) as first, Client(access.url) as second:
        await first.enter()
        async with second.http.get(access.url) as answer:
            assert answer.status == 401
            assert "once" in await answer.text()
        assert "Set-Cookie" not in answer.headers
        await first.enter()


async def test_who_comes_through_a_link_of_another_site_comes_again_and_is_then_asked_for_the_cookie() -> None:
    async with served() as (_, access, _said), Client(access.url) as client:
        for path, said in ((access.folder, "refresh"), (f"{access.folder}page.js", "opened by"), ("/", "opened by")):
            async with client.http.get(client.origin + path, headers={"Sec-Fetch-Site": "cross-site"}) as answer:
                assert answer.status == 401
                assert said in await answer.text()
        async with client.http.get(client.origin + access.folder, headers={"Sec-Fetch-Site": "same-origin"}) as answer:
            assert "opened by" in await answer.text()


async def test_every_answer_carries_the_rules_of_the_page() -> None:
    async with served() as (_, access, _said), Client(access.url) as client:
        await client.enter()
        for path in (client.folder, f"{client.folder}page.js", f"{client.folder}none", "/", "/?token=wrong"):
            async with client.http.get(client.origin + path) as answer:
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"], path
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Server"] == "curator-tui"


async def test_only_the_parts_of_the_page_are_served() -> None:
    async with served() as (_, access, _said), Client(access.url) as client:
        await client.enter()
        assert await client.status(f"{client.folder}textual.js") == 200
        for path in (
            "page.html",
            "..%2fserver.py",
            "js/textual.js",
            "download/x",
            "app_index.html",
        ):
            assert await client.status(client.folder + path) == 404, path
        async with client.http.post(client.origin + client.folder, data=b"x" * 100) as answer:
            assert answer.status == 405


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1"])
async def test_another_host_is_refused_with_everything_else_right(host: str) -> None:
    """A name that led elsewhere when the page was loaded and leads here now."""
    async with served() as (_, access, _said), Client(access.url) as client:
        await client.enter()
        assert await client.status(client.folder) == 200
        assert await client.status(client.folder, Host=host) == 403
        with pytest.raises(WSServerHandshakeError) as refused:
            await client.connect(Host=host, origin=f"http://{host}")
        assert refused.value.status == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", None])
async def test_another_origin_cannot_connect_even_with_the_cookie(origin: str | None) -> None:
    async with served() as (_, access, said), Client(access.url) as client:
        await client.enter()
        with pytest.raises(WSServerHandshakeError) as refused:
            await client.connect(origin=origin)
        assert refused.value.status == 403
        if origin is not None:
            assert await client.status(client.folder, Origin=origin) == 403
        assert not any("session" in line for line in said)


@pytest.mark.parametrize("cookie", ["", "wrong"])
async def test_a_web_socket_without_the_cookie_is_refused(cookie: str) -> None:
    async with served() as (_, access, said), Client(access.url) as client:
        await client.enter()
        client.http.cookie_jar.clear()
        more = {"Cookie": f"{COOKIE}={cookie}"} if cookie else {}
        with pytest.raises(WSServerHandshakeError) as refused:
            await client.connect(**more)
        assert refused.value.status == 401
        assert not any("session" in line for line in said)


async def test_the_token_is_no_way_into_a_web_socket() -> None:
    async with served() as (_, access, _said), aiohttp.ClientSession() as http:
        url = f"{access.address.origin}{access.folder}ws?token={access.url.partition('=')[2]}"
        with pytest.raises(WSServerHandshakeError) as refused:
            await http.ws_connect(url, headers={"Origin": access.address.origin})
        assert refused.value.status == 401
