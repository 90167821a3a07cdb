"""Fields to write in: whatever is typed or pasted is shown as every other text is, and comes back as it was written.

Here: the two fields and the rule they share. Not here: what is written in them, whether it may be stored (``core``).

A field holds what :func:`curator_tui.core.text.visible` makes of its text and nothing else, because Textual paints the
text of a field as it is: one raw escape of a paste would reach the terminal. So what hides is a token; a token goes in
and out as one character; and a bracket that is typed is a bracket, never the beginning of a token.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from textual import events
from textual.document._document import EditResult, Location, Selection
from textual.document._edit import Edit
from textual.widgets import Input, TextArea

from curator_tui.core.text import marked, unvisible, visible

_TOKEN = re.compile("⟨[^⟩]*⟩")


class Splice(NamedTuple):
    """What putting a text into a shown one comes to.

    Attributes:
        start: where the replaced part begins; never inside a token.
        end: where it ends; never inside a token.
        inserted: what stands in its place.
        whole: the shown text afterwards. Where a neighbour of the new text now hides, or hides no more, this is not
            what replacing the part alone would give.
        after: where the inserted text ends in ``whole``.
    """

    start: int
    end: int
    inserted: str
    whole: str
    after: int

    def is_plain(self, before: str) -> bool:
        """Whether replacing the part alone gives the whole."""
        return f"{before[: self.start]}{self.inserted}{before[self.end :]}" == self.whole


def splice(before: str, start: int, end: int, text: str, *, newlines: bool = True) -> Splice:
    """Put ``text``, as it was written, into a shown text; a token it would cut goes whole.

    Args:
        before: the shown text.
        start: where the replaced part begins.
        end: where it ends; where nothing is replaced inside a token, the text goes behind it.
        text: what was typed or pasted.
        newlines: keep line breaks; otherwise they are shown as tokens.
    """
    for token in _TOKEN.finditer(before):
        if token.start() < start < token.end():
            start = token.end() if start == end else token.start()
            end = max(start, end)
        if token.start() < end < token.end():
            end = token.end()
    raw = unvisible(before[:start]) + text
    after = raw + unvisible(before[end:])
    whole = visible(after, newlines=newlines)
    place = _shown_length(after, len(raw), newlines=newlines)
    return Splice(start, end, visible(text, newlines=newlines), whole, place)


def _shown_length(text: str, count: int, *, newlines: bool) -> int:
    """Return how long the first ``count`` characters of a text are where the whole of it is shown."""
    hidden = [char for start, end in marked(text) for char in text[start : min(end, count)] if start < count]
    if not newlines:
        hidden += ["\n"] * text.count("\n", 0, count)
    return count + sum(len(visible(char, newlines=False)) - 1 for char in hidden)


class LineField(Input):
    """One line; a line break in it is a token."""

    def __init__(self, words: str = "", *, placeholder: str = "", id: str | None = None) -> None:  # noqa: A002
        shown = visible(words, newlines=False)
        super().__init__(shown, placeholder=placeholder, id=id, select_on_focus=False)

    @property
    def words(self) -> str:
        """What was written."""
        return unvisible(self.value)

    @property
    def selected_text(self) -> str:
        """What is copied: the characters, not the tokens that stand for them."""
        return unvisible(super().selected_text)

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace a part of the line; every key and every paste comes here."""
        start, end = sorted((max(0, start), min(len(self.value), end)))
        done = splice(self.value, start, end, text, newlines=False)
        self.value = done.whole
        self.cursor_position = done.after

    def on_paste(self, event: events.Paste) -> None:
        """Take all of a paste; Textual would take its first line and say nothing."""
        event.prevent_default()
        event.stop()
        self.replace(event.text, *self.selection)


class TextField(TextArea):
    """Several lines."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__("", id=id, soft_wrap=True, tab_behavior="focus", show_line_numbers=False)

    @property
    def words(self) -> str:
        """What was written."""
        return unvisible(self.text)

    @property
    def selected_text(self) -> str:
        """What is copied: the characters, not the tokens that stand for them."""
        return unvisible(super().selected_text)

    def put(self, words: str) -> None:
        """Put a text in the place of all that stands in the field."""
        self.load_text(visible(words))
        self.move_cursor(self.document.end)

    def take_out_hidden(self) -> int:
        """Take out every character that is shown as a token, line breaks and brackets that were typed left alone.

        Returns:
            How many characters went.
        """
        words = self.words
        hidden = [(start, end) for start, end in marked(words) if not set(words[start:end]) <= set("⟨⟩")]
        kept = "".join(char for at, char in enumerate(words) if char in "⟨⟩" or not any(s <= at < e for s, e in hidden))
        if kept != words:
            self.replace(kept, (0, 0), self.document.end)
        return len(words) - len(kept)

    def edit(self, edit: Edit) -> EditResult:
        """Replace a part of the text; every key and every paste comes here."""
        top, bottom = edit.top, edit.bottom
        rows = [self.document.get_line(row) for row in range(top[0], bottom[0] + 1)]
        before = "\n".join(rows)
        done = splice(before, top[1], len(before) - len(rows[-1]) + bottom[1], edit.text)
        taken = unvisible(before[done.start : done.end])
        if done.is_plain(before):
            start, end = _location(before, done.start, top[0]), _location(before, done.end, top[0])
            result = super().edit(Edit(done.inserted, start, end, edit.maintain_selection_offset))
            return EditResult(result.end_location, taken)
        # a neighbour is shown otherwise now: all lines it touches are written anew
        super().edit(Edit(done.whole, (top[0], 0), (bottom[0], len(rows[-1])), edit.maintain_selection_offset))
        where = _location(done.whole, done.after, top[0])
        self.selection = Selection.cursor(where)
        return EditResult(where, taken)


def _location(text: str, offset: int, row: int) -> Location:
    """Return the row and column of an offset, in a text whose first line is a row of the field."""
    before = text[:offset]
    return row + before.count("\n"), offset - (before.rfind("\n") + 1)
