"""The two panes of a screen, a list, ``#left``, and the text of its row, ``#right``: shares, zoom, dragging the line.

Here: how the room is shared out, by keys and by the mouse. Not here: what stands in the panes, keeping the shares
(``remembered``). Where only one pane fits there is nothing to share.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from textual import events
from textual.containers import Container
from textual.geometry import Offset

from curator_tui.tui.actions import key_for
from curator_tui.tui.shown import own

if TYPE_CHECKING:
    from curator_tui.tui.screens.base import DeskScreen

_STEP = 5
_ZOOMS = ("", "-zoom-text", "-zoom-list")


class Panes(Container):
    """What holds both panes of a screen; the screen, too, has the class of the zoom."""

    zoomed = ""
    """Class of the zoom, which the screen has; empty while both panes are shown."""
    _dragging = False

    def __init__(self, frame: DeskScreen) -> None:
        super().__init__(id="panes")
        self._frame = frame

    @property
    def _list(self) -> Container:
        return self.query_one("#left", Container)

    @property
    def beside(self) -> bool:
        """Whether the panes stand side by side, and not above each other."""
        layout = self.styles.layout
        return layout is not None and layout.name == "horizontal"

    @property
    def single(self) -> bool:
        """Whether only one pane fits."""
        return any(self._frame.has_class(name) for name in ("-w0", "-h0", "-w1", "-h1"))

    def share_out(self) -> None:
        """Give each pane its share, or take back what was given where the layout says it all."""
        styles, beside = self._list.styles, self.beside
        share = 0 if self.single or self.zoomed else self._frame.app.remembered.share(self._frame.SCREEN, beside=beside)
        for rule, wanted in (("width", share if beside else 0), ("height", share if not beside else 0)):
            if wanted:
                setattr(styles, rule, f"{wanted / 10}%")
            elif styles.inline.clear_rule(rule):
                self._list.refresh(layout=True)

    def _cells(self) -> tuple[int, int]:
        """Return the columns or rows that the list has, and those that there are."""
        whole, part = self.size, self._list.outer_size
        return (part.width, max(whole.width, 1)) if self.beside else (part.height, max(whole.height, 1))

    def _step(self, direction: int) -> None:
        """Move the line by some parts of the room, by a row or column at least."""
        cells, whole = self._cells()
        self._set_cells(cells + direction * max(round(_STEP * whole / 100), 1))

    def _set_cells(self, cells: int) -> None:
        share = ceil(1000 * cells / self._cells()[1])  # what is shared out is rounded down
        kept = self._frame.app.remembered.set_share(self._frame.SCREEN, share, beside=self.beside)
        self._divide()
        self._frame.say((own("the list has {}% of the room", kept // 10, role="dim"),))

    def _can_divide(self) -> bool:
        if self.zoomed:
            self.unzoom()
        if self.single:
            words = own("only one pane fits here; {} changes between them", key_for("pane.next"), role="dim")
            self._frame.say((words,))
        return not self.single

    # -- keys ------------------------------------------------------------------------------------------------------

    def widen(self, direction: int) -> None:
        """Give the list more room, or less: 1 or -1."""
        if self._can_divide():
            self._step(direction)

    def zoom(self) -> None:
        """Show the text alone, then the list alone, then both again."""
        if self.single:
            self._frame.toggle_class("-reading")
            return
        self._zoom(_ZOOMS[(_ZOOMS.index(self.zoomed) + 1) % len(_ZOOMS)])
        on = key_for("view.zoom")
        words = {
            "": own(""),
            "-zoom-text": own("the text alone; {} again: the list alone", on, role="dim"),
            "-zoom-list": own("the list alone: without the text nothing is decided; {} again: both", on, role="dim"),
        }
        self._frame.say((words[self.zoomed],) if self.zoomed else ())

    def unzoom(self) -> bool:
        """Show both panes again; True when only one of them was shown."""
        if not self.zoomed:
            return False
        self._zoom("")
        return True

    def _zoom(self, name: str) -> None:
        if self.zoomed:
            self._frame.remove_class(self.zoomed)
        self.zoomed = name
        if name:
            self._frame.add_class(name)
        self._divide()

    def _divide(self) -> None:
        """Share the room out anew, and have the screen drawn for it as for another window."""
        self.share_out()
        frame = self._frame
        frame.call_after_refresh(lambda: frame.post_message(events.Resize(frame.size, frame.app.size)))

    # -- the mouse -------------------------------------------------------------------------------------------------

    def _on_line(self, at: Offset) -> bool:
        """Whether a point lies on the line between the panes."""
        left = self._list.region
        return at.x == left.right - 1 if self.beside else at.y == left.bottom

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the line between the panes."""
        if not (self.single or self.zoomed) and self._on_line(event.screen_offset):
            self._dragging = True
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the line."""
        if self._dragging:
            whole, at = self.region, event.screen_offset
            self._set_cells(at.x + 1 - whole.x if self.beside else at.y - whole.y)

    def on_mouse_up(self) -> None:
        """Let the line go."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()
