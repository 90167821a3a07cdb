"""A probe inside a measured application: how long its event loop was away from its work, and how long it was held.

Here: what runs in the measured process. Not here: starting it, pressing keys (``lag_group``). The probe asks to be
woken every two milliseconds. What it is late by is the *lag*, which on a busy machine is the machine's; the processor
time that the loop's own thread used between two wakings is how long it was *held*, whatever else the machine does.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path

from textual.app import App

FILE = "CURATOR_TUI_BENCH_LAG"
_EVERY = 0.002


def watch(kind: type[App[object]]) -> None:
    """Have every application of a kind write its figures into a file when it ends."""
    mounted = getattr(kind, "on_mount", None)

    def on_mount(self: App[object]) -> None:
        if mounted is not None:
            mounted(self)
        self.probe = asyncio.get_running_loop().create_task(_probe())  # type: ignore[attr-defined]

    kind.on_mount = on_mount  # type: ignore[attr-defined]


async def _probe() -> None:
    lags: list[float] = []
    helds: list[float] = []
    began, used = time.perf_counter(), time.thread_time()
    try:
        while True:
            await asyncio.sleep(_EVERY)
            now, by_now = time.perf_counter(), time.thread_time()
            lags.append(now - began - _EVERY)
            helds.append(by_now - used)
            began, used = now, by_now
    finally:
        Path(os.environ[FILE]).write_text(json.dumps({"lag": lags, "held": helds}), encoding="ascii")


def main() -> None:
    """Run the command line of the application, watched."""
    from curator_tui.__main__ import main as command
    from curator_tui.tui.app import CuratorApp

    watch(CuratorApp)  # type: ignore[arg-type]
    sys.exit(command(sys.argv[1:]))


def main_bare() -> None:
    """Run a bare list of as many rows, watched."""
    from tests.bench.bare_app import BareListApp, main_list

    watch(BareListApp)  # type: ignore[arg-type]
    main_list()
