"""The application in a browser: the same one, on the packets of ``web.child`` in place of a terminal.

Here: how it is drawn and what a browser is never asked for. Not here: the server, screens. Of what Textual can ask of a
browser nothing is needed: no address is opened there and no file given to it.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any, BinaryIO, Literal, TextIO

from textual.app import App
from textual.drivers.web_driver import WebDriver


class ServedDriver(WebDriver):
    """Textual's driver for browsers, without what this application never asks of one."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._write = self._write_whole  # type: ignore[assignment]  # Textual keeps its writer there

    def _write_whole(self, packet: bytes) -> int:
        """Write one packet; a signal may cut a write short, and a server that is gone is noticed elsewhere."""
        left = memoryview(packet)
        with contextlib.suppress(BrokenPipeError):
            while left:
                left = left[os.write(self.fileno, left) :]
        return len(packet)

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """Open nothing."""

    def deliver_binary(
        self,
        binary: BinaryIO | TextIO,
        *,
        delivery_key: str,  # noqa: ARG002 - the signature is Textual's
        save_path: Path,  # noqa: ARG002 - as above
        open_method: Literal["browser", "download"] = "download",  # noqa: ARG002 - as above
        encoding: str | None = None,  # noqa: ARG002 - as above
        mime_type: str | None = None,  # noqa: ARG002 - as above
        name: str | None = None,  # noqa: ARG002 - as above
    ) -> None:
        """Hand over nothing."""
        binary.close()
