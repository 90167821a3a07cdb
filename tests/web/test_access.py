"""Who is let in, as rules: hosts, origins, the token, the cookie, and addresses of proxies."""

from __future__ import annotations

import re

import pytest

from curator_tui.web.access import Access, is_loopback, local_address, public_address
from curator_tui.web.child import environment, window
from curator_tui.web.page import PARTS, headers, page, part

HERE = local_address("127.0.0.1", 8123)


def test_the_token_is_long_and_never_the_same() -> None:
    tokens = {Access(HERE).url.partition("token=")[2] for _ in range(50)}
    assert len(tokens) == 50
    assert all(len(token) >= 43 for token in tokens), "32 random bytes in base64"


def test_it_works_once_and_its_cookie_is_another_secret() -> None:
    access = Access(HERE)
    token = access.url.partition("token=")[2]
    assert not access.knows("")
    assert access.is_token(token)
    assert not access.is_token(token[:-1])
    assert not access.is_token("ü")
    cookie = access.exchange()
    assert cookie is not None
    assert token not in cookie
    assert access.knows(cookie)
    assert not access.knows(cookie[:-1])
    assert not access.knows(None)
    assert access.exchange() is None
    assert access.is_token(token), "it still tells who has it, so that a reload is no alarm"


@pytest.mark.parametrize("host", ["127.0.0.1:8123"])
def test_its_own_host_is_known(host: str) -> None:
    assert Access(HERE).knows_host([host])


@pytest.mark.parametrize(
    "hosts",
    [[], ["evil.example"], ["evil.example:8123"], ["127.0.0.1"], ["127.0.0.1:80"], ["127.0.0.1:81230"],
     ["localhost:8123"], ["127.0.0.1:8123.evil.example"], ["127.0.0.1:8123", "evil.example"], [""]],
)  # fmt: skip
def test_other_hosts_are_not(hosts: list[str]) -> None:
    assert not Access(HERE).knows_host(hosts)


@pytest.mark.parametrize(
    "origins",
    [["http://evil.example"], ["null"], ["https://127.0.0.1:8123"], ["http://127.0.0.1"], ["http://127.0.0.1:9999"],
     ["http://localhost:8123"], ["http://127.0.0.1:8123", "http://evil.example"], [""]],
)  # fmt: skip
def test_other_origins_are_refused(origins: list[str]) -> None:
    access = Access(HERE)
    assert not access.knows_origin(origins, needed=True)
    assert not access.knows_origin(origins, needed=False)


def test_a_page_has_no_origin_and_a_web_socket_must_have_one() -> None:
    access = Access(HERE)
    assert access.knows_origin([], needed=False)
    assert not access.knows_origin([], needed=True)
    assert access.knows_origin(["http://127.0.0.1:8123"], needed=True)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://desk.example.org", "https://desk.example.org"),
        ("https://Desk.example.org:443/", "https://desk.example.org"),
        ("https://desk.example.org:8443", "https://desk.example.org:8443"),
        ("http://localhost:9000", "http://localhost:9000"),
        ("http://[::1]:9000", "http://[::1]:9000"),
    ],
)
def test_the_address_of_a_proxy(url: str, origin: str) -> None:
    assert public_address(url).origin == origin
    assert Access(public_address(url)).knows_host([origin.partition("//")[2]])


def test_a_proxy_may_say_the_usual_port() -> None:
    assert Access(public_address("https://desk.example.org")).knows_host(["desk.example.org:443"])


@pytest.mark.parametrize(
    "url",
    ["", "desk.example.org", "ftp://desk.example.org", "https://", "https://a@desk.example.org", "https://h/desk",
     "https://h?x", "https://h#x", "http://desk.example.org", "http://10.0.0.1", "https://h:99999", "https://[::1",
     "https://ü.example"],
)  # fmt: skip
def test_what_is_no_address_of_a_proxy(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        public_address(url)


@pytest.mark.parametrize(
    ("host", "is_it"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False),
     ("192.168.1.4", False), ("", False), ("localhost.evil.example", False), ("127.0.0.1.evil.example", False)],
)  # fmt: skip
def test_only_an_address_of_this_machine_itself_is_loopback(host: str, is_it: bool) -> None:
    assert is_loopback(host) is is_it


def test_the_page_names_nothing_from_elsewhere() -> None:
    """Also not in the sheets: the terminal's own page loads a font from another server."""
    texts = [page(HERE, "/place/", write=False), *(part(name).decode() for name in PARTS if name.endswith(".css"))]
    for text in texts:
        assert "//fonts" not in text
        assert "http" not in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        assert "@import" not in text
    assert "<script>" not in texts[0]
    assert "style=" not in texts[0]
    assert "READ ONLY" in texts[0]
    assert "READ ONLY" not in page(HERE, "/place/", write=True)
    assert 'url="ws://127.0.0.1:8123/place/ws"' in texts[0]
    assert "wss://desk.example.org/place/ws" in page(public_address("https://desk.example.org"), "/place/", write=True)


def test_nothing_inline_runs_and_nobody_frames_it() -> None:
    found = headers(HERE)
    assert "unsafe" not in found["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in found["Content-Security-Policy"]
    assert "popups" not in found["Content-Security-Policy"]
    assert found["X-Frame-Options"] == "DENY"
    assert found["Cache-Control"] == "no-store"
    assert found["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("given", "sides"),
    [(("120", "40"), (120, 40)), ((None, None), (80, 24)), (("9999999999", "-5"), (500, 10)), (("x", ""), (80, 24))],
)
def test_a_window_has_sides_within_bounds(given: tuple[object, object], sides: tuple[int, int]) -> None:
    assert window(*given) == sides


def test_a_session_inherits_no_editor_and_no_switch_of_textual() -> None:
    own = {"PATH": "/bin", "EDITOR": "vi", "VISUAL": "vi", "TEXTUAL": "devtools", "TEXTUAL_LOG": "/tmp/log", "X": "y"}
    found = environment(own, (100, 30))
    assert found == {
        "PATH": "/bin", "X": "y", "COLUMNS": "100", "ROWS": "30", "LINES": "30", "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
    }  # fmt: skip
