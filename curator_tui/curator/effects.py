"""Effects: what an undo, a redo or a rollback does to documents and asides, told before it is done.

Here: the words, the same for every surface. Not here: what becomes of the documents (each surface draws that), what
is done (``core.reverts``, ``core.rollbacks``).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from curator_tui.core.aside_reverts import AsidesReverted
from curator_tui.core.departing import unkept_notes
from curator_tui.core.endings import Ending
from curator_tui.core.reverts import UndoPreview
from curator_tui.core.rollbacks import RollbackPreview

_AWAY = {Ending.DEFER: "is deferred again", Ending.WITHDRAWN: "is withdrawn as a question"}


class Effect(Struct, frozen=True):
    """One thing that happens.

    Attributes:
        about: id of the item or question it happens to; empty where ``words`` are a whole sentence.
        words: what happens to it, safe to print.
        warns: whether it is something a person may not expect: what cannot be done, or comes along.
    """

    about: str
    words: str
    warns: bool = False


def effects(preview: UndoPreview | RollbackPreview) -> Iterator[Effect]:
    """Yield everything that happens to items and questions, and everything that does not although it should."""
    for item in preview.returned:
        yield Effect(item.proposal, "comes back to the queue")
    for part in preview.closing:
        yield Effect(part.id, "is closed again")
    yield from (Effect("", note, warns=True) for note in unkept_notes(preview.closing))
    yield from aside_effects(preview.aside)
    yield from (Effect("", one.message, warns=True) for one in preview.stuck)
    notes = (*(preview.notes if isinstance(preview, RollbackPreview) else ()), *preview.aside.notes)
    yield from (Effect("", note, warns=True) for note in notes)


def aside_effects(aside: AsidesReverted) -> Iterator[Effect]:
    """Yield what becomes of deferrals and questions, its notes left out."""
    for name in aside.returned:
        yield Effect(name, "is an open question again" if name in aside.opened else "is deferred no more and waits")
    for one in aside.closed:
        yield Effect(one.id, _AWAY.get(one.ending, f"is answered again: {one.ending}"))
