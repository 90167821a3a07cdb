"""The quick look at a store, for whoever cannot wait for the desk to be opened: how much waits, and since when.

Here: whose home it is, and which store is looked at. Not here: the look itself (``stores.hermes.quick``). It loads no
package besides; keep it so.
"""

from __future__ import annotations

import os
import pwd

from curator_tui.stores.hermes.quick import Quick, look

__all__ = ["Quick", "quick_look"]


def quick_look(home: str | None, profile: str | None) -> Quick | None:
    """Return what waits in the store that is meant, or None where the desk has to be asked."""
    try:
        uid_home = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        uid_home = ""
    return look(home, profile, os.environ, uid_home)
