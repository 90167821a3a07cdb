"""Rebasing by hand: an item whose entry moved on, held against an entry that stands, and what that one shall say.

Here: the three texts, the entries that could be meant (the nearest first), and the choice. Not here: the draft
(``core.combining``), what follows from a choice (``picking``): nothing is written from here, every text is shown as an
outcome first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

from textual.binding import BindingType

from curator_tui.core.combining import Draft, combined
from curator_tui.core.operations import Operation
from curator_tui.core.word_diffs import word_diff
from curator_tui.tui.actions import REBASE, bindings, key_for
from curator_tui.tui.page_lines import BLANK_LINE, PageLine
from curator_tui.tui.pages import label_prefix
from curator_tui.tui.screens.sheets import Sheet, paragraph
from curator_tui.tui.shown import Line, Piece, Shown, data, highlighted, own, say, shown

_WAYS: tuple[Literal["keep", "take", "draft", "edit"], ...] = ("keep", "take", "draft", "edit")


class Rebased(NamedTuple):
    """What shall become of the item.

    Attributes:
        way: keep the entry and reject the item, take its text, begin with the combined draft, or with its text.
        entry: the entry that stands.
        text: the text to begin with, for those that are written.
    """

    way: Literal["keep", "take", "draft", "edit"]
    entry: str
    text: str


class RebaseScreen(Sheet[Rebased]):
    """What the agent saw, what stands there now, what it proposed; 1 to 4 choose.

    Args:
        title: which item.
        operation: its replace that found no entry.
        entries: the entries that stand, the nearest first.
        marks: whether changed words get signs.
    """

    SCREEN = REBASE
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(REBASE)]

    def __init__(self, title: Shown, operation: Operation, entries: Sequence[str], *, marks: bool) -> None:
        super().__init__(title)
        self._base = operation.pin
        self._match = operation.match or ""
        self._proposed = operation.content or ""
        self._entries = entries
        self._marks = marks
        self._at = 0

    @property
    def _now(self) -> str:
        return self._entries[self._at]

    def _draft(self) -> Draft | None:
        return combined(self._base, self._now, self._proposed) if self._base is not None else None

    def on_mount(self) -> None:
        """Say what can be pressed."""
        self._tell()

    def _tell(self) -> None:
        keys = key_for("choose.down"), key_for("choose.up")
        self.say((own("nothing is written yet; {} {} another entry", *keys, role="dim"),))

    def lines(self) -> Sequence[PageLine]:
        """Return the three texts, then what can be done."""
        return [*self._texts(), BLANK_LINE, *self._ways()]

    def _texts(self) -> Iterator[PageLine]:
        if self._base is not None:
            yield PageLine(highlighted(shown(self._base), "text"), label_prefix(say("it saw")))
        else:
            words = own("which entry it meant is not known; it looked for: ", role="dim")
            yield PageLine((words, *highlighted(shown(self._match), "text")), label_prefix(say("it saw")))
        place = own("({} of {}) ", self._at + 1, len(self._entries), role="dim")
        yield PageLine((place, *self._against(self._now)), label_prefix(say("now")))
        yield PageLine(self._against(self._proposed), label_prefix(say("proposed")))

    def _against(self, text: str) -> Line:
        """Return a text with the words marked that came since the agent looked, or that differ from the entry."""
        before = self._base if self._base is not None else self._now
        if before == text:
            return highlighted(shown(text), "text")
        line: list[Piece] = []
        for span in word_diff(before, text):
            if span.kind == "new":
                marked = say("{{+{}+}}", shown(span.text)) if self._marks else shown(span.text)
                line += highlighted(Shown(marked), "new_word")
            elif span.kind == "same":
                line += highlighted(shown(span.text), "text")
        return tuple(line)

    def _ways(self) -> Iterator[PageLine]:
        yield paragraph((own("what shall the entry say?", role="head"),))
        yield self._way(1, say("keep now"), own("rejects the item as stale", role="dim"))
        yield self._way(2, say("take the proposal"), own("shown as a diff first", role="dim"))
        draft = self._draft()
        if draft is None:
            yield self._way(3, say("combine"), own("not possible: what it saw is not known", role="dim"))
        else:
            rule = "both changed the same words" if not draft.clean else "by a rule, to be read and mended"
            yield self._way(3, say("combine (draft)"), data(draft.text), own("  {}", Shown(rule), role="warn"))
        yield self._way(4, say("edit by hand"), own("the editor, with the proposal in it", role="dim"))

    def _way(self, number: int, words: Shown, *told: Piece) -> PageLine:
        return PageLine(told, (own(" {}  ", number, role="key"), own("{:<18}", words)))

    def action_choose_down(self) -> None:
        """Hold it against the next entry."""
        self._go(1)

    def action_choose_up(self) -> None:
        """Hold it against the entry before."""
        self._go(-1)

    def _go(self, step: int) -> None:
        self._at = (self._at + step) % len(self._entries)
        self.draw()
        self._tell()

    def action_rebase_take(self, number: int) -> None:
        """Choose what becomes of the entry."""
        if not self.readable:
            self.too_fast()
            return
        way, draft = _WAYS[number - 1], self._draft()
        if way == "draft" and draft is None:
            self.say((own("what it saw is not known, so there is nothing to combine", role="warn"),))
            return
        text = draft.text if way == "draft" and draft is not None else self._proposed
        self.dismiss(Rebased(way, self._now, text))

    def action_rebase_cancel(self) -> None:
        """Go back; the item waits as it did."""
        self.dismiss(None)
