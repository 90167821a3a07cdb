"""What others wrote since a backup, and what of it a rollback to that backup takes away or brings back.

Here: finding it in what is recorded. Not here: what else a rollback does (``rollbacks``), recording what others wrote
(``recording``). Nobody decided about these texts here, so no item brings them back.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from curator_tui.core.changes import View
from curator_tui.core.documents import Target, parse


class OutsideChanges(Struct, frozen=True):
    """Changes from outside that a rollback takes back.

    Attributes:
        changes: how many.
        entries: the entries that go with them, or come back, in the order they were written.
    """

    changes: int = 0
    entries: tuple[str, ...] = ()


def outside_changes(view: View, restored: Mapping[Target, bytes | None]) -> OutsideChanges:
    """Return what others wrote since ``view.backup`` and a rollback takes back.

    Args:
        view: with the backup and the changes since.
        restored: new bytes of the documents that it changes.
    """
    assert view.backup is not None
    places: set[int] = set()
    entries: dict[str, None] = {}
    for target, raw in restored.items():
        now, then = set(view.snapshot.document(target).entries), set(parse(target, raw).entries)
        stood = view.backup.files[target]
        own = [(place, change) for place, change in enumerate(view.later) if target in change.after]
        states = [(place, change.before.get(target), change.after[target]) for place, change in own]
        for place, found, left in (*states, (len(view.later), view.snapshot.document(target).raw, None)):
            if found != stood:
                old, new = parse(target, stood).entries, parse(target, found).entries
                came = [entry for entry in new if entry not in old and entry in now - then]
                went = [entry for entry in old if entry not in new and entry in then - now]
                if came or went:
                    places.add(place)
                    entries.update(dict.fromkeys((*came, *went)))
            stood = left
    return OutsideChanges(len(places), tuple(entries))
