"""The demo: an invented person's home, built on the spot without any network, to try everything on."""

from __future__ import annotations

from pathlib import Path


def build(path: Path) -> Path:
    """Build the demo home in ``path``; see :func:`curator_tui.demo.home.build`."""
    from curator_tui.demo.home import build as build_home

    return build_home(path)
