"""The command ``curator-tui``. Only the way in is here; the verbs are in ``cli``.

Starting must stay cheap: nothing slow is imported until a verb needs it (``--help`` answers without any of
it).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from curator_tui.cli.root import run


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code (0 done, 1 not applied, 2 usage, 3 store)."""
    return run(sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    sys.exit(main())
