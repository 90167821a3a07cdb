"""The key row: what can be pressed here, most useful first, dropping from the right and always ending in ``? keys``.

Here: layout of the row and clicks on it. Not here: which actions there are (``actions``), what a click sets off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from curator_tui.tui.actions import (
    NEEDS_TERMINAL,
    Action,
    find,
    in_key_row,
    is_menu,
    key_for,
    key_name,
    keys_of,
    while_typing,
)
from curator_tui.tui.shown import EMPTY, Line, Piece, Shown, own, width_of
from curator_tui.tui.widgets.painting import paint, palette_of

NO_LABELS: Mapping[str, str] = MappingProxyType({})


class KeyRow(Widget):
    """One row of keys and labels; locked ones stay in their place, dimmed."""

    class Pressed(Message):
        """A label was clicked."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    def __init__(self, screen: str, *, help_key: bool = True, id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self._actions = in_key_row(screen)
        self._end = (
            (own("{} ", key_for("help"), role="key"), own("{} ", Shown(find("help").label))) if help_key else EMPTY
        )
        self._locked: frozenset[str] = frozenset()
        self._hidden: frozenset[str] = frozenset()
        self._labels: Mapping[str, str] = NO_LABELS
        self._typing = False
        self._choices: int | None = None
        self._places: list[tuple[int, int, Action]] = []

    def dim(
        self, locked: frozenset[str], hidden: frozenset[str] = frozenset(), labels: Mapping[str, str] = NO_LABELS
    ) -> None:
        """Dim some actions, leave others out, and give some other labels than those of the registry.

        Labels are words of ours, by the id of the action.
        """
        if (locked, hidden, labels) != (self._locked, self._hidden, self._labels):
            self._locked, self._hidden, self._labels = locked, hidden, labels
            self.refresh()

    def typing(self, *, now: bool) -> None:
        """Show only what works while a field takes every letter, or all of it again."""
        if now != self._typing:
            self._typing = now
            self.refresh()

    def choices(self, number: int) -> None:
        """Name no more digits of a menu than things to choose from; with none of them the menu is left out."""
        if number != self._choices:
            self._choices = number
            self.refresh()

    def layout_row(self, width: int, *, web: bool = False, read_only: bool = False) -> Line:
        """Return the row for a width, and remember where each label stands.

        Args:
            width: cells of the row.
            web: whether it is for a browser.
            read_only: whether what decides is refused here, whatever else keeps it locked or open.
        """
        room = width - width_of(self._end)
        row: list[Piece] = [own(" ")]
        self._places = []
        used = 1
        for action in self._actions:
            unheard = not self._keys(action) or (web and action.id in NEEDS_TERMINAL)
            if action.id in self._hidden or unheard or (is_menu(action) and self._choices == 0):
                continue
            off = action.id in self._locked or (read_only and action.decides)
            key = own("{} ", _key(action, self._keys(action), self._choices), role="off" if off else "key")
            label = own("{}  ", Shown(self._labels.get(action.id, action.label)), role="off" if off else "text")
            cells = width_of((key, label))
            if used + cells > room:
                break
            row += [key, label]
            self._places.append((used, used + cells, action))
            used += cells
        if used < room:
            row.append(own("{}", Shown(" " * (room - used))))
        return (*row, *self._end)

    def _keys(self, action: Action) -> tuple[str, ...]:
        return while_typing(action) if self._typing else keys_of(action)

    def render_line(self, y: int) -> Strip:
        """Paint the row."""
        refused = bool(getattr(self.app, "read_only", False)) and getattr(self.screen, "decides", True)
        line = self.layout_row(self.size.width, web=self.app.is_web, read_only=refused) if y == 0 else EMPTY
        return paint(line, self.size.width, palette_of(self), "bar")

    def on_click(self, event: events.Click) -> None:
        """Report which label was clicked."""
        for start, end, action in self._places:
            if start <= event.x < end:
                self.post_message(self.Pressed(action))


def _key(action: Action, keys: Sequence[str], choices: int | None) -> Shown:
    """Return the key as the row writes it: a menu of digits as a range, behind the key that takes what is chosen."""
    first, digits = keys[0], [key for key in keys if key.isdigit()][:choices]
    if not is_menu(action):
        return Shown(key_name(first))
    lead = "" if first.isdigit() else f"{key_name(first)} "
    return Shown(f"{lead}{digits[0]}-{digits[-1]}" if len(digits) > 1 else f"{lead}{digits[0]}")
