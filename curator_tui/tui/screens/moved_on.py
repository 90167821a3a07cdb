"""An undo whose entries moved on: before, after and now of each, and the text that shall stand there.

Here: choosing per entry. Not here: what a choice does to the documents (``core.reverts``); everything else in them
stays as it is in every case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType

from curator_tui.core.changes import MovedOn
from curator_tui.core.word_diffs import word_diff
from curator_tui.tui.actions import MOVED_ON, bindings, key_for
from curator_tui.tui.columns import abreast
from curator_tui.tui.facts import file_name
from curator_tui.tui.page_lines import BLANK_LINE, PageLine
from curator_tui.tui.pages import label_prefix
from curator_tui.tui.screens.sheets import Sheet, paragraph
from curator_tui.tui.shown import Line, Shown, highlighted, own, say, shown
from curator_tui.tui.widgets.key_row import KeyRow

_WORDS = ("before", "after", "now")
_ABREAST = 100  # columns from which the three stand side by side
_EDGE = 4


class MovedOnScreen(Sheet[Mapping[int, str | None]]):
    """Three texts per entry; 1, 2, 3 or one's own."""

    SCREEN = MOVED_ON
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(MOVED_ON)]

    def __init__(self, words: Shown, moved: Sequence[MovedOn]) -> None:
        """Ask, for entries that moved on, about what is reverted; what comes of it is shown before it is done."""
        super().__init__(say("the entry changed since ({})", words))
        self._moved = moved
        self._takes: dict[int, str | None] = {}
        self._chosen: dict[int, str] = {}
        self._at = 0

    def on_mount(self) -> None:
        """Lock ``y`` until every entry has a text."""
        self._lock()

    def _lock(self) -> None:
        left = len(self._moved) - len(self._takes)
        self.query_one("#keys", KeyRow).dim(frozenset({"moved.yes"}) if left else frozenset())
        if left:
            self.say((own("choose a text for {} more", left),))
        elif self.unread:
            self.say((own("{} is locked: read on ({})", key_for("moved.yes"), key_for("page.down"), role="warn"),))
        else:
            self.say((own("{} shows what comes of it", key_for("moved.yes")),))

    def read_more(self) -> None:
        """Say what is to be done now."""
        self._lock()

    def lines(self) -> Sequence[PageLine]:
        """Return the three texts of the entry at hand, the chosen one marked."""
        moved = self._moved[self._at]
        place = own("{}: entry {} of {}", file_name(moved.target), self._at + 1, len(self._moved), role="head")
        lines = [paragraph((place,))]
        if self.app.size.width >= _ABREAST:
            chosen = self._chosen.get(moved.pair)
            signs = [own("> " if chosen == word else "  ", role="mark") for word in _WORDS]
            heads = [(sign, own("{} ", n, role="key"), own("{}", Shown(word), role="label"))
                     for n, (sign, word) in enumerate(zip(signs, _WORDS, strict=True), 1)]  # fmt: skip
            lines += abreast(heads, _marked(moved, marks=self.app.palette.mono), self.app.size.width - _EDGE)
        for number, text in (
            () if self.app.size.width >= _ABREAST else enumerate((moved.before, moved.after, moved.now), 1)
        ):
            word = _WORDS[number - 1]
            sign = own("> " if self._chosen.get(moved.pair) == word else "  ", role="mark")
            lead: Line = (sign, own("{} ", number, role="key"), *label_prefix(Shown(word)))
            lines.append(PageLine(_text(text), lead))
        if self._chosen.get(moved.pair) == "own":
            sign = own("> {} ", key_for("moved.edit"), role="mark")
            lines.append(PageLine(_text(self._takes[moved.pair]), (sign, *label_prefix(say("yours")))))
        return [*lines, BLANK_LINE]

    def action_moved_take(self, number: int) -> None:
        """Take one of the three texts for the entry at hand, once all of them could be read."""
        if not self.was_read():
            return
        moved = self._moved[self._at]
        self._takes[moved.pair] = (moved.before, moved.after, moved.now)[number - 1]
        self._chosen[moved.pair] = _WORDS[number - 1]
        self._next()

    def _next(self) -> None:
        if self._at + 1 < len(self._moved) and len(self._takes) < len(self._moved):
            self._at += 1
        self.draw()
        self._lock()

    def action_moved_edit(self) -> None:
        """Write a text of one's own."""
        from curator_tui.tui.screens.reasons import NoteScreen

        moved = self._moved[self._at]
        start = moved.now or moved.after or moved.before or ""
        self.app.push_screen(NoteScreen(say("the text that shall stand there"), start), self._written)

    def _written(self, text: str | None) -> None:
        if text is not None and text.strip():
            moved = self._moved[self._at]
            self._takes[moved.pair] = text.strip()
            self._chosen[moved.pair] = "own"
            self._next()

    def action_choose_down(self) -> None:
        """Go to the next entry."""
        self._at = (self._at + 1) % len(self._moved)
        self.draw()

    def action_choose_up(self) -> None:
        """Go to the entry before."""
        self._at = (self._at - 1) % len(self._moved)
        self.draw()

    def action_moved_yes(self) -> None:
        """Revert with these texts."""
        if len(self._takes) < len(self._moved):
            self._lock()
        elif self.was_read():
            self.dismiss(self._takes)

    def action_moved_cancel(self) -> None:
        """Go back, nothing changed."""
        self.dismiss(None)


def _text(text: str | None) -> Line:
    return highlighted(shown(text), "text") if text is not None else (own("(not there)", role="dim"),)


def _marked(moved: MovedOn, *, marks: bool) -> list[Line]:
    """Return the three texts; in each what the one before it does not have stands out."""
    texts: list[Line] = [_text(moved.before)]
    for earlier, later in ((moved.before, moved.after), (moved.after, moved.now)):
        if earlier is None or later is None:
            texts.append(_text(later))
            continue
        line: Line = ()
        for span in word_diff(earlier, later):
            if span.kind == "same":
                line = (*line, *highlighted(shown(span.text), "text"))
            elif span.kind == "new":
                words = say("{{+{}+}}", shown(span.text)) if marks else shown(span.text)
                line = (*line, *highlighted(words, "new_word"))
        texts.append(line)
    return texts
