"""What a browser is given: our own page, the terminal of textual-serve with its font, and the headers of every answer.

Here: a closed list of files, read when first asked for, and what a page may do. Not here: who may ask (``access``).
Everything comes from this server: the page of textual-serve itself is not used, because it loads a font from elsewhere
and holds inline scripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import NamedTuple

from curator_tui.web.access import Address


class _Part(NamedTuple):
    package: str
    path: str
    kind: str


_OURS, _THEIRS = "curator_tui.web", "textual_serve"
_TEXT = "; charset=utf-8"
PARTS: Mapping[str, _Part] = {
    "page.css": _Part(_OURS, "static/page.css", "text/css" + _TEXT),
    "page.js": _Part(_OURS, "static/page.js", "text/javascript" + _TEXT),
    "textual.js": _Part(_THEIRS, "static/js/textual.js", "text/javascript" + _TEXT),
    "xterm.css": _Part(_THEIRS, "static/css/xterm.css", "text/css" + _TEXT),
    "RobotoMono.ttf": _Part(_THEIRS, "static/fonts/RobotoMono-VariableFont_wght.ttf", "font/ttf"),
    "RobotoMono-Italic.ttf": _Part(_THEIRS, "static/fonts/RobotoMono-Italic-VariableFont_wght.ttf", "font/ttf"),
}


@cache
def part(name: str) -> bytes:
    """Return one file of :data:`PARTS`."""
    found = PARTS[name]
    return files(found.package).joinpath(found.path).read_bytes()


def page(address: Address, folder: str, *, write: bool) -> str:
    """Return the page that draws the application.

    Args:
        address: where browsers find the server.
        folder: the path everything is served under.
        write: whether anything can be decided; the name of the browser's tab says so where it cannot.
    """
    title = "curator-tui" if write else "READ ONLY - curator-tui"
    text = files(_OURS).joinpath("static/page.html").read_text("utf-8")
    return Template(text).substitute(title=escape(title), socket=escape(f"{address.socket}{folder}ws"))


def headers(address: Address) -> dict[str, str]:
    """Return what every answer carries: where its parts may come from, and that nobody keeps, frames or reads it.

    Nothing may stand inline. The terminal tries to add two sheets of styles; it draws on canvases, and what it needs of
    them is in the one that is served. The sandbox leaves out popups and downloads, so that no click opens an address
    that stands in a memory.
    """
    rules = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "font-src": "'self'",
        "img-src": "data:",
        "connect-src": "'self'"
        if "[" in address.origin
        else f"'self' {address.socket}",  # no rule can name an IPv6 host
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "sandbox": "allow-scripts allow-same-origin",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in rules.items()),
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "clipboard-read=(), camera=(), geolocation=(), microphone=(), usb=()",
        "Referrer-Policy": "no-referrer",
        "Server": "curator-tui",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }
