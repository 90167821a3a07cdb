"""Running an operation so that it fails or dies at a failpoint; used where ``strace`` is missing, and for speed."""

from __future__ import annotations

import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from curator_tui.stores import failpoints

_HIT = re.compile(r"""\bhit\("(\w+)"\)""")


def all_points(*folders: str) -> list[str]:
    """Return every failpoint that these folders of the stores name."""
    root = Path(failpoints.__file__).parent
    return sorted(
        {name for folder in folders for file in (root / folder).glob("*.py") for name in _HIT.findall(file.read_text())}
    )


def points_of(operation: Callable[[Any], object], home: Any) -> list[str]:
    """Run an operation and return the failpoints it passes, each as often as it passes it: ``name:ordinal``."""
    passed: list[str] = []

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is failpoints.hit.__code__:
            name = frame.f_locals["name"]
            passed.append(f"{name}:{sum(point.startswith(name + ':') for point in passed) + 1}")

    sys.setprofile(watch)
    try:
        operation(home)
    finally:
        sys.setprofile(None)
    return passed


@contextmanager
def armed(spec: str) -> Iterator[None]:
    """Arm failpoints in this process."""
    os.environ[failpoints.VARIABLE] = spec
    failpoints.reset()
    try:
        yield
    finally:
        del os.environ[failpoints.VARIABLE]
        failpoints.reset()


def killed_at(spec: str, operation: Callable[[Any], object], home: Any) -> bool:
    """Run an operation in a child that is killed where ``spec`` says; return whether it got there.

    Raises:
        AssertionError: the child failed in another way.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with armed(spec):
                operation(home)
            code = 0
        except BaseException:
            traceback.print_exc(file=sys.__stderr__)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0, f"the child failed on its own with {spec}"
    return False
