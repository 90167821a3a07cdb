"""Signs for terminals without ours: every line, block and ellipsis in ASCII, in the same number of cells.

Here: the table, and a driver that uses it for whatever is sent, so that no widget has to know. Not here: text of a
store that a terminal cannot take (``shown``).
"""

from __future__ import annotations

from textual.driver import Driver


def _table() -> dict[int, str]:
    lines = {0x2500 + at: "+" for at in range(0x80)}  # corners and crossings
    lines |= {ord(sign): "-" for sign in "─━┄┅┈┉╌╍═╴╶╸╺╼╾"}
    lines |= {ord(sign): "|" for sign in "│┃┆┇┊┋╎╏║╵╷╹╻╽╿"}
    blocks = {0x2580 + at: "#" for at in range(0x20)}
    blocks |= dict(zip(map(ord, "▁▂▃▄▅▆▇█"), "._-=+*%#", strict=True))
    blocks |= {ord(sign): "|" for sign in "▏▎▍▌▐▕"} | {ord(sign): " " for sign in "░▀"}
    return lines | blocks | {ord(sign): plain for sign, plain in zip("…⏎·⟨⟩", "~/.<>", strict=True)}


GLYPHS = _table()
"""Character numbers and what is sent in their place, one cell for one."""


def ascii_driver(base: type[Driver]) -> type[Driver]:
    """Return a driver that draws as another one does, in ASCII."""

    class AsciiDriver(base):  # type: ignore[misc, valid-type]  # known only when it runs
        """Sends the signs of the table in place of ours."""

        def write(self, data: str) -> None:
            """Send what is drawn."""
            super().write(data.translate(GLYPHS))

    return AsciiDriver
