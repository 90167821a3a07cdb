"""The filter field below the list. Here: typing. Not here: what is filtered (``curator.queries``)."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from curator_tui.tui.widgets.fields import LineField
from curator_tui.tui.widgets.finding import Find


class FilterInput(LineField):
    """One line of words; enter and down go back to the list, escape clears the filter too."""

    def __init__(self, words: str, hint: str) -> None:
        super().__init__(words, placeholder=hint, id="find")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter as one types."""
        event.stop()
        self.post_message(Find.Changed(self.words))

    def on_key(self, event: events.Key) -> None:
        """Leave the field."""
        if event.key in {"enter", "down", "escape"}:
            event.stop()
            event.prevent_default()
            self.post_message(Find.Left(clear=event.key == "escape"))
