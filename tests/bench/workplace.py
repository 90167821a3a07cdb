"""Where a run takes place: a scratch folder on a real disk, homes that are built once, how often things are repeated.

Not here: what a home holds (``homes``), what is measured.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from curator_tui.curator.desk import Desk
from curator_tui.curator.opening import open_desk
from tests.bench import homes

_IN_MEMORY = {"tmpfs", "ramfs"}


@dataclass
class Workplace:
    """What every group is given.

    Attributes:
        scratch: a folder of this run; removed at its end.
        quick: a smoke run: small homes, few repetitions, figures that mean nothing.
    """

    scratch: Path
    quick: bool = False
    _homes: dict[tuple[int, bool], Path] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=count)

    def times(self, full: int) -> int:
        """Return how often something is repeated: ``full``, or twice in a smoke run."""
        return min(full, 2) if self.quick else full

    @property
    def few(self) -> int:
        """Number of waiting records in a small home."""
        return 40 if self.quick else 200

    @property
    def many(self) -> int:
        """Number of waiting records in a large home."""
        return 120 if self.quick else 10_000

    @property
    def most(self) -> int:
        """Number of waiting records in the largest home."""
        return 240 if self.quick else 50_000

    def home(self, waiting: int, *, roomy: bool = False) -> Path:
        """Return a home that is only looked at; built when first asked for."""
        key = (waiting, roomy)
        if key not in self._homes:
            self._homes[key] = self.new_home(waiting, roomy=roomy)
        return self._homes[key]

    def new_home(self, waiting: int, *, roomy: bool = False) -> Path:
        """Build a home of one's own, to be written to."""
        return homes.build(self.scratch / f"home-{next(self._numbers)}", waiting, roomy=roomy)

    def new_folder(self) -> Path:
        """Return a new empty folder."""
        folder = self.scratch / f"folder-{next(self._numbers)}"
        folder.mkdir()
        return folder

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of measured processes: a plain terminal, and nothing of the person who measures."""
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        return {
            **kept,
            "HOME": str(self.scratch),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "PYTHONPATH": str(Path(homes.__file__).parents[2]),
            **more,
        }


def opened(home: Path) -> Desk:
    """Open the desk of a home as the application does."""
    return open_desk(home=home, profile=None, environ={}, through="tui")


@contextmanager
def workplace(folder: Path | None, *, quick: bool) -> Iterator[Workplace]:
    """Make a scratch folder for one run, on a disk where that is possible."""
    place = folder or _on_disk()
    scratch = Path(tempfile.mkdtemp(prefix="curator-tui-bench-", dir=place))
    try:
        yield Workplace(scratch, quick)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _on_disk() -> Path:
    """Return a folder for temporary files that is not kept in memory: durable writes cost nothing there."""
    for name in (tempfile.gettempdir(), "/var/tmp", str(Path.cwd())):
        if Path(name).is_dir() and file_system(Path(name)) not in _IN_MEMORY:
            return Path(name)
    return Path(tempfile.gettempdir())


def file_system(path: Path) -> str:
    """Return the kind of file system a path is on: that of the longest mount point in front of it."""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "unknown"
    real = os.path.realpath(path)
    kind, longest = "unknown", -1
    for line in mounts:
        _, point, found, *_ = line.split()
        inside = real == point or real.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= longest:
            kind, longest = found, len(point)
    return kind
