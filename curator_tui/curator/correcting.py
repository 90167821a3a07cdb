"""Correcting: what a person's own change would do to the documents as last read, as an item a screen can show.

Here: the preview and carrying out exactly it. Not here: the rules (``core.corrections``).
"""

from __future__ import annotations

from msgspec.structs import replace

from curator_tui.core.changes import Receipt
from curator_tui.core.corrections import Correction, corrected
from curator_tui.core.documents import TARGETS
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit
from curator_tui.core.requests import OverrideCode
from curator_tui.core.review import needs_second_key
from curator_tui.core.settling import Settlement
from curator_tui.curator.desk import Desk
from curator_tui.curator.items import Item
from curator_tui.curator.looking import Looked, documents_between
from curator_tui.curator.room import room_for


def with_edit(wanted: Correction, edit: Edit) -> Correction:
    """Return a correction with a person's other wording of some of its operations."""
    operations = list(wanted.operations)
    for index, content in edit.contents.items():
        operations[index] = replace(operations[index], content=content)
    return replace(wanted, operations=tuple(operations))


def correction_item(desk: Desk, wanted: Correction) -> Item:
    """Return what a correction would do, in the form in which a waiting proposal is looked at."""
    done = corrected(desk.snapshot(), wanted)
    after = {target: part.after for target, part in done.found.outcome.items()}
    entries = {target: after.get(target, desk.snapshot().document(target).entries) for target in TARGETS}
    settlement = Settlement((), (), (), (), entries, done.spliced, done.digest)
    room = room_for(desk.queue, done.found)
    return Item(done.found, (wanted.name,), 1, settlement, done.digest, done.digest, room=room)


def look_at_correction(desk: Desk, wanted: Correction, edit: Edit | None = None) -> Looked:
    """Work out what a correction, or a person's other wording of it, would do to the documents as last read."""
    edit = edit or Edit()
    item = correction_item(desk, wanted)
    now = item if edit.empty else correction_item(desk, with_edit(wanted, edit))
    return Looked(item, now.found, edit, now.digest, needs_second_key(now.found), documents_between(now.found))


def carry_out_correction(
    desk: Desk,
    wanted: Correction,
    shown: str,
    *,
    override: frozenset[State] = frozenset(),
    reason: OverrideCode | None = None,
    note: str = "",
) -> Receipt:
    """Carry out a correction as it was shown; where its outcome is another one by now nothing is written."""
    return desk.correct(
        wanted.operations,
        order=wanted.order,
        tidy=wanted.tidy,
        shown=shown,
        override=override,
        reason=reason,
        note=note,
    )
