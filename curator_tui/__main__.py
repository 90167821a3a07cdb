"""The command ``curator-tui``. Only the way in is here; the verbs are in ``cli``.

Starting must stay cheap: nothing slow is imported until a verb needs it (``--help`` answers without any of it), and the
line of a shell prompt needs nothing at all.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_OTHERS = 0o077  # the bits of a mask that are about everybody but the owner


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code (0 done, 1 not applied, 2 usage, 3 store)."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        if "--line" in arguments:
            from curator_tui.cli.line import answer_quickly

            if (code := answer_quickly(arguments)) is not None:
                return code
        from curator_tui.cli.root import run

        # a mask that takes from the owner, too, would leave folders and locks that the next start cannot open
        os.umask(os.umask(_OTHERS) & _OTHERS)
        return run(arguments)
    except KeyboardInterrupt:
        return 130  # before a verb was begun, which tells it otherwise: loading takes a while on a slow machine


if __name__ == "__main__":
    sys.exit(main())
