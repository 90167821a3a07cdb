"""Writing an entry: another wording for one that stands, or a new one, with the outcome below the field.

Here: what differs from editing a waiting item. Not here: the field, its live checks and its gate (``editing``).
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from curator_tui.core.operations import Action
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit
from curator_tui.curator.correcting import look_at_correction
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Looked
from curator_tui.tui.actions import WRITE, bindings, key_for
from curator_tui.tui.edit_pages import told_lines
from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.pages import label_prefix
from curator_tui.tui.screens.editing import EditScreen
from curator_tui.tui.screens.second import SecondScreen
from curator_tui.tui.shown import Line, Shown, own, say
from curator_tui.tui.wanted import Wanted


class WriteScreen(EditScreen):
    """The field for an entry."""

    SCREEN = WRITE
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WRITE)]
    saving = "writes it"

    def __init__(self, wanted: Wanted, looked: Looked, problem: str = "") -> None:
        super().__init__(looked, problem)
        self._wanted = wanted

    def heading(self) -> Shown:
        """Return what is written."""
        return self._wanted.title

    def look_again(self, desk: Desk, edit: Edit) -> Looked:
        """Work out what the text would do."""
        return look_at_correction(desk, self._wanted.correction, edit)

    def second(self, looked: Looked) -> SecondScreen:
        """Return the question that a text with conditions is asked."""
        return SecondScreen(looked, say("write it anyway?"), say("write it anyway"))

    def proposed(self) -> list[PageLine]:
        """Return the entry as it stands, or what makes a good one."""
        operation = self._wanted.correction.operations[0]
        if operation.action is Action.ADD:
            hint = own("one fact, in words that are clear without the others", role="dim")
            return [PageLine((hint,), label_prefix(say("new")))]
        return told_lines(say("entry now"), operation.pin or "", "gone")

    def _verdict(self, looked: Looked) -> Line:
        if State.NO_CHANGE in looked.found.conditions and not self.app.read_only:
            return (own("nothing to write: memory holds this text already; {} goes back", key_for("edit.leave")),)
        return super()._verdict(looked)

    def action_edit_write(self) -> None:
        """Write the text as it was checked, shown and seen."""
        looked = self.checked
        if looked is not None and State.NO_CHANGE in looked.found.conditions:
            self.say(self._verdict(looked))
        else:
            self.action_edit_save()
