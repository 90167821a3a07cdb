"""Failpoints: named places where a test may kill, stop or fail the process.

Here: :func:`hit`, which does nothing unless ``CURATOR_TUI_FAILPOINTS`` is set. Not here: which places there are (the
code that calls it names them; a test collects the names).

The variable holds ``name=action`` pairs joined by ``;``. An action is ``kill`` (SIGKILL to this process), ``stop``
(SIGSTOP, to be continued from outside), ``int`` (SIGINT, as the interrupt key sends it) or the name of an error number
(``eio``, ``enospc`` …), raised as ``OSError``.
``name:3=kill`` acts on the third hit only, a bare name on the first, ``name:*=eio`` on every one.
"""

from __future__ import annotations

import errno
import os
import signal

from msgspec import Struct

VARIABLE = "CURATOR_TUI_FAILPOINTS"

_SIGNALS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP, "int": signal.SIGINT}


class _Point(Struct, frozen=True):
    """What happens at one name: ``ordinal`` counts from 1, 0 means every time."""

    ordinal: int
    action: str


_armed: dict[str, dict[str, _Point]] = {}
_hits: dict[tuple[str, str], int] = {}


def hit(name: str) -> None:
    """Mark a place; acts only where a test armed it.

    Raises:
        OSError: the armed error.
        ValueError: the variable cannot be understood (a test that arms nothing must not look like a pass).
    """
    spec = os.environ.get(VARIABLE)
    if not spec:
        return
    if spec not in _armed:
        _armed[spec] = _parse(spec)
    point = _armed[spec].get(name)
    if point is None:
        return
    count = _hits[spec, name] = _hits.get((spec, name), 0) + 1
    if point.ordinal in {0, count}:
        _act(name, point.action)


def reset() -> None:
    """Forget how often each place was passed."""
    _hits.clear()


def _parse(spec: str) -> dict[str, _Point]:
    points: dict[str, _Point] = {}
    for part in filter(None, spec.split(";")):
        where, _, action = part.partition("=")
        name, _, ordinal = where.partition(":")
        if action not in _SIGNALS and not hasattr(errno, action.upper()):
            raise ValueError(f"{VARIABLE}: unknown action in {part!r}")
        points[name] = _Point(0 if ordinal == "*" else int(ordinal or "1"), action)
    return points


def _act(name: str, action: str) -> None:
    if action in _SIGNALS:
        os.kill(os.getpid(), _SIGNALS[action])
        return
    number: int = getattr(errno, action.upper())
    raise OSError(number, os.strerror(number), f"failpoint {name}")
