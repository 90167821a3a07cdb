"""Who is let in: an address with a random token, the cookie it is exchanged for, and which hosts and origins count.

Here: the rules, as plain functions of headers. Not here: HTTP (``server``). Three things are asked of every request.
*Host* must be the address that was printed, or a name that leads to this machine today and to another tomorrow could
be used to reach the desk (DNS rebinding). *Origin*, where a browser sends one, must be that address too, or any page
open in the same browser could connect. The *cookie* must be the one of this run.

The token works once: what stays behind in a history, a log or on a screen opens nothing. The cookie is bound to a
folder with a random name, because cookies know no ports and another server on this machine would be sent it.
"""

from __future__ import annotations

import ipaddress
import secrets
from urllib.parse import urlsplit

from msgspec import Struct

_TOKEN_BYTES = 32
_PLACE_BYTES = 9
_PORTS = {"http": 80, "https": 443}
COOKIE = "curator_tui_desk"


class Address(Struct, frozen=True):
    """Where browsers find the server.

    Attributes:
        origin: scheme, host and port as a browser writes them, for instance ``http://127.0.0.1:8123``.
    """

    origin: str

    @property
    def secure(self) -> bool:
        """Whether browsers reach it through TLS."""
        return self.origin.startswith("https:")

    @property
    def socket(self) -> str:
        """The same origin in the scheme of web sockets."""
        return "ws" + self.origin.removeprefix("http")


def local_address(host: str, port: int) -> Address:
    """Return the address of a server that browsers reach directly."""
    return Address(_origin("http", host, port))


def public_address(url: str) -> Address:
    """Return the address of a proxy in front of the server.

    Raises:
        ValueError: it is no such address; the text says why.
    """
    if not url.isascii():
        raise ValueError("it must be written as browsers send it, in ASCII (xn--...)")
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
        raise ValueError("it is no address like https://desk.example.org")
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise ValueError("it must end with its host: the desk is served at the top of it")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ValueError("with http everything would cross the network in clear text; it must be https")
    return Address(_origin(parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme]))


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and can be reached from no other."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _origin(scheme: str, host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host.lower()
    return f"{scheme}://{name}" if port == _PORTS[scheme] else f"{scheme}://{name}:{port}"


class Access:
    """Lets in one browser by the token and knows it again by its cookie.

    Attributes:
        address: the address it guards.
        place: name of the folder everything is served in; it opens nothing by itself.
        used: whether the token was exchanged.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self.place = secrets.token_urlsafe(_PLACE_BYTES)
        self.used = False
        self._token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._cookie = secrets.token_urlsafe(_TOKEN_BYTES)

    @property
    def url(self) -> str:
        """The one address that opens the desk, once."""
        return f"{self.address.origin}/?token={self._token}"

    @property
    def folder(self) -> str:
        """The path everything is served under."""
        return f"/{self.place}/"

    def knows_host(self, hosts: list[str]) -> bool:
        """Whether a request was meant for this address; it must carry exactly one Host."""
        if len(hosts) != 1:
            return False
        name = self.address.origin.partition("//")[2]
        default = f":{_PORTS['https' if self.address.secure else 'http']}"
        return hosts[0].lower().removesuffix(default) == name

    def knows_origin(self, origins: list[str], *, needed: bool) -> bool:
        """Whether a request comes from our own page.

        Args:
            origins: every Origin it carries.
            needed: whether one must be there. Browsers always send it with a web socket, never with a page.
        """
        return origins == [self.address.origin] or (not origins and not needed)

    def is_token(self, token: str) -> bool:
        """Whether it is the token, used or not."""
        return secrets.compare_digest(token.encode("utf-8", "replace"), self._token.encode())

    def exchange(self) -> str | None:
        """Return the cookie for the token the first time, then None."""
        if self.used:
            return None
        self.used = True
        return self._cookie

    def knows(self, cookie: str | None) -> bool:
        """Whether a cookie is the one that was given for the token."""
        given = (cookie or "").encode("utf-8", "replace")
        return secrets.compare_digest(given, self._cookie.encode()) and self.used
