"""Power cuts: what was acknowledged is on the disk, and the home is whole.

The home lies on a file system in an image file. The writer is stopped at a moment of chance and the image is copied
while it is mounted: the copy holds what the writer had synced, plus what the kernel happened to have written, and is
mounted and looked at like a disk after a power cut.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from curator_tui.core.documents import parse
from tests.stores.consistency import check
from tests.stores.homes import MEMORY, USER, added, decide, documents, make_home, open_store, planned, waiting

pytestmark = pytest.mark.slow

CHANGES = 50
_SIZE = 48 << 20


def _need_mount() -> None:
    if os.geteuid() != 0 or shutil.which("mount") is None or shutil.which("mkfs.ext4") is None:
        pytest.skip("NOT CUT: mounting an image needs root, mount and mkfs.ext4")


@contextmanager
def mounted(image: Path, at: Path) -> Iterator[Path]:
    """Mount an image file."""
    at.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-o", "loop", str(image), str(at)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"NOT CUT: an image cannot be mounted here: {done.stderr.strip()}")
    try:
        yield at
    finally:
        subprocess.run(["umount", str(at)], check=True)


def make_image(file: Path) -> None:
    """Make an empty file system in a file."""
    with file.open("wb") as handle:
        handle.truncate(_SIZE)
    subprocess.run(["mkfs.ext4", "-q", "-F", str(file)], check=True)


def write_many(home: Path) -> None:
    """Approve one item after the other, and say so after each."""
    store = open_store(home)
    for number in range(CHANGES):
        edits = {USER if number % 5 == 4 else MEMORY: added(f"fact {number}")}
        store.transact(decide(f"change {number}", [f"item{number}"]), planned(edits))
        acknowledge(number)
    store.close()


def acknowledge(number: int) -> None:
    """Say that a change is done, and wait for the word to go on."""
    print(number, flush=True)
    sys.stdin.readline()


def unsafe_writer(home: Path) -> None:
    """Write documents as a program does that syncs the file but not its folder."""
    for number in range(CHANGES):
        file = home / "memories" / "MEMORY.md"
        raw = added(f"fact {number}")(file.read_bytes())
        assert raw is not None
        temp = home / "memories" / "temp"
        with temp.open("wb") as handle:
            handle.write(raw)
            handle.flush()
            os.fsync(handle.fileno())
        temp.rename(file)
        acknowledge(number)


@contextmanager
def writer(function: str, home: Path) -> Iterator[subprocess.Popen[str]]:
    """Run one of the writers above in a process of its own."""
    root = str(Path(__file__).resolve().parents[3])
    code = (
        f"import sys; from pathlib import Path; sys.path.insert(0, {root!r}); "
        f"from tests.stores.sweeps import test_power_cuts as cuts; cuts.{function}(Path(sys.argv[1]))"
    )
    command = [sys.executable, "-c", code, str(home)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, bufsize=1, **pipes) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()


def cut(image: Path, copy: Path, process: subprocess.Popen[str], wait: float) -> None:
    """Stop the writer a moment after it went on, and take what is on the disk."""
    time.sleep(wait)
    os.kill(process.pid, signal.SIGSTOP)
    while Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"T", "Z"}:
        time.sleep(0.0005)
    subprocess.run(["cp", "--sparse=always", str(image), str(copy)], check=True)
    os.kill(process.pid, signal.SIGCONT)


def test_no_acknowledged_change_is_lost(tmp_path: Path) -> None:
    _need_mount()
    image, copy = tmp_path / "disk", tmp_path / "copy"
    make_image(image)
    chance = random.Random(7)
    lost: list[str] = []
    cuts = 0
    with mounted(image, tmp_path / "live") as live:
        home = make_home(live / "home", records=CHANGES)
        os.sync()
        with writer("write_many", home) as process:
            assert process.stdout is not None
            assert process.stdin is not None
            for line in process.stdout:
                acknowledged = int(line)
                process.stdin.write("go\n")
                cut(image, copy, process, chance.random() * 0.012)
                with mounted(copy, tmp_path / "after") as after:
                    lost += [f"cut {cuts}: {fault}" for fault in faults_after(after / "home", acknowledged)]
                cuts += 1
    print(f"power cuts: {cuts - len({fault.partition(':')[0] for fault in lost})} of {cuts}")
    assert cuts == CHANGES
    assert lost == []


def faults_after(home: Path, acknowledged: int) -> list[str]:
    """Return what is wrong with a home after a cut that followed the acknowledgement of this change."""
    found = check(home)
    raw = documents(home)
    entries = set(parse(MEMORY, raw["MEMORY.md"]).entries) | set(parse(USER, raw["USER.md"]).entries)
    queue = waiting(home)
    store = open_store(home)
    decided = store.book.decided([f"item{number}" for number in range(CHANGES)])
    store.close()
    for number in range(CHANGES):
        there, waits = f"fact {number}" in entries, f"item{number}.json" in queue
        if number <= acknowledged and not (there and f"item{number}" in decided and not waits):
            found.append(f"the acknowledged change {number} is lost")
        if there == waits:
            found.append(f"item {number} is {'both' if there else 'neither'} applied and waiting")
    return found


def test_the_cuts_notice_a_missing_sync(tmp_path: Path) -> None:
    """A writer that does not sync folders must lose something, or the cuts prove nothing."""
    _need_mount()
    image, copy = tmp_path / "disk", tmp_path / "copy"
    make_image(image)
    lost = 0
    with mounted(image, tmp_path / "live") as live:
        home = make_home(live / "home")
        os.sync()
        with writer("unsafe_writer", home) as process:
            assert process.stdout is not None
            assert process.stdin is not None
            for _, line in zip(range(5), process.stdout, strict=False):
                cut(image, copy, process, 0)
                process.stdin.write("go\n")
                with mounted(copy, tmp_path / "after") as after:
                    raw = (after / "home" / "memories" / "MEMORY.md").read_bytes()
                    lost += f"fact {int(line)}" not in parse(MEMORY, raw).entries
    assert lost, "nothing was lost without syncing folders"
