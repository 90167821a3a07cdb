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
from textual.message import Message
from textual.widgets import Input, TextArea

from curator_tui.core.text import marked, unvisible, visible
from curator_tui.tui.shown import Shown

MOST_TEXT, _MOST_LINES = 20_000, 1_000
"""Characters and lines of a field: many times what a document may hold, and laid out before the next key comes."""
_TOO_LONG = Shown("This text is too long to be written here.")
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

    def __init__(self, words: str = "", *, placeholder: str = "", id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
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
    """Several lines.

    A text over the bounds is held and not painted: laying it out would keep every key waiting. It can be changed
    outside only, and comes back as it was put in.

    Args:
        too_long: what stands in the field while it holds such a text.
    """

    class TooLong(Message):
        """What was typed or pasted would have made the text too long for the field; nothing of it was taken."""

    class Spent(Message):
        """Nothing is left that could be taken back, or written again.

        Attributes:
            again: whether it was to be written again.
        """

        def __init__(self, *, again: bool) -> None:
            super().__init__()
            self.again = again

    def __init__(self, too_long: Shown = _TOO_LONG, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
        super().__init__("", id=id, soft_wrap=True, tab_behavior="focus", show_line_numbers=False)
        self._too_long = too_long
        self._held: str | None = None

    @property
    def words(self) -> str:
        """What was written."""
        return unvisible(self.text) if self._held is None else self._held

    @property
    def selected_text(self) -> str:
        """What is copied: the characters, not the tokens that stand for them."""
        return unvisible(super().selected_text)

    def put(self, words: str) -> None:
        """Put a text in the place of all that stands in the field."""
        text = visible(words) if len(words) <= MOST_TEXT else ""
        fits = len(words) <= MOST_TEXT and _fits(len(text), text.count("\n"))
        self._held = None if fits else words
        self.read_only = not fits
        self.load_text(text if fits else self._too_long)
        self.move_cursor(self.document.end if fits else (0, 0))

    def take_out_hidden(self) -> int:
        """Take out every character that is shown as a token, line breaks and brackets that were typed left alone.

        Returns:
            How many characters went.
        """
        words = self.words
        parts, at = [], 0
        for start, end in marked(words):
            parts += [words[at:start], *(char for char in words[start:end] if char in "⟨⟩")]
            at = end
        kept = "".join([*parts, words[at:]])
        if kept != words and self._held is not None:
            self.put(kept)
        elif kept != words:
            self.replace(kept, (0, 0), self.document.end)
        return len(words) - len(kept)

    def action_undo(self) -> None:
        """Take back what was typed last, or say that nothing is left."""
        if self.history.undo_stack:
            self.undo()
        else:
            self.post_message(self.Spent(again=False))

    def action_redo(self) -> None:
        """Write again what was taken back last, or say that nothing is left."""
        if self.history.redo_stack:
            self.redo()
        else:
            self.post_message(self.Spent(again=True))

    def edit(self, edit: Edit) -> EditResult:
        """Replace a part of the text; every key and every paste comes here."""
        if len(edit.text) > MOST_TEXT:
            return self._refused()
        top, bottom = edit.top, edit.bottom
        rows = [self.document.get_line(row) for row in range(top[0], bottom[0] + 1)]
        before = "\n".join(rows)
        done = splice(before, top[1], len(before) - len(rows[-1]) + bottom[1], edit.text)
        lines = self.document.line_count - len(rows) + done.whole.count("\n")
        if len(done.whole) > len(before) and not _fits(len(self.text) - len(before) + len(done.whole), lines):
            return self._refused()
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

    def _refused(self) -> EditResult:
        self.post_message(self.TooLong())
        return EditResult(self.selection.end, "")


def _fits(length: int, breaks: int) -> bool:
    """Whether a field lays out a shown text fast enough to be typed in."""
    return length <= MOST_TEXT and breaks < _MOST_LINES


def _location(text: str, offset: int, row: int) -> Location:
    """Return the row and column of an offset, in a text whose first line is a row of the field."""
    before = text[:offset]
    return row + before.count("\n"), offset - (before.rfind("\n") + 1)
