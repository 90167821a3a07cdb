"""The ledger row of a change, and what stands in it: nothing of another row is taken for it."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from curator_tui.core.requests import Decision, ReasonCode, Verb
from curator_tui.curator.ledger_view import named_text, own_row, reasons
from tests.tui.desks import desk_with, item


def test_a_row_that_is_not_of_the_change_is_not_its_row(tmp_path: Path) -> None:
    """A ledger that was cut and went on, or is damaged, has something else in its place, or nothing."""
    desk = desk_with(tmp_path, [item("a1", "add", "Has a cat"), item("b1", "add", "Has a dog")])
    first = desk.decide([Decision("a1", Verb.REJECT, reason=ReasonCode.OTHER, note="no pets")]).change
    second = desk.decide([Decision("b1", Verb.REJECT)]).change
    assert first is not None
    assert second is not None
    one, two = desk.store.book.change(first), desk.store.book.change(second)
    assert one is not None
    assert two is not None
    own = own_row(desk, one)
    assert own is not None
    assert (own.sealed.seq, own.form.change) == (one.seq, first)
    assert reasons(desk, one) == {"a1": ("other", "no pets")}
    assert named_text(desk, own.form.decisions[0].note) == "no pets"
    assert named_text(desk, "") is None
    for elsewhere in (two.seq, two.seq + 1):
        moved = replace(one, seq=elsewhere)
        assert own_row(desk, moved) is None
        assert reasons(desk, moved) == {}
