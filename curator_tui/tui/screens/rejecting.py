"""Rejecting many items at once: all of them listed, one reason, a second key.

Here: the list and the question. Not here: which items it is about (marks, what a plan leaves out), what a rejection is
bound to (``curator.rejecting``), sending.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType

from curator_tui.core.reason_words import reason_word
from curator_tui.core.requests import Decision, ReasonCode
from curator_tui.curator.queue_model import Row
from curator_tui.curator.rejecting import rejection
from curator_tui.tui.actions import REJECTS, bindings, key_for
from curator_tui.tui.facts import counted, operation_word, state_piece, summary, target_word
from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.screens.acting import read_only_words
from curator_tui.tui.screens.reasons import MENU, NoteScreen
from curator_tui.tui.screens.sheets import Sheet, menu_lines, paragraph
from curator_tui.tui.screens.watching import Basis
from curator_tui.tui.shown import Shown, own, padded, say, shown_line
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.reader import Reader

_STATE, _TARGET = 11, 6


class Rejections(NamedTuple):
    """Rejections that a person decided on, and the digest of what was shown of them."""

    decisions: tuple[Decision, ...]
    digest: str


class RejectManyScreen(Sheet[tuple[Decision, ...]]):
    """The items, why, and ``y``; the answer is the decisions to be sent.

    Args:
        rows: the items.
        left_out: which of what was asked for is not among them, and why; None for nothing.
    """

    SCREEN = REJECTS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(REJECTS)]

    def __init__(self, rows: Sequence[Row], left_out: Shown | None = None) -> None:
        super().__init__(say("reject {} as one change?", counted(len(rows), "item")))
        self._rows = rows
        self._left_out = left_out
        self._reason: ReasonCode | None = None
        self._note = ""

    def on_mount(self) -> None:
        """Begin without a reason."""
        self._tell()

    def basis(self) -> Basis:
        """Return what is rejected: the records whose rows are listed."""
        listed = {row.id: row.proposal.digest for row in self._rows}
        return Basis(lambda desk: desk.digests_of(listed), listed)

    def lines(self) -> Sequence[PageLine]:
        """Return the reasons, then one line per item."""
        told = [paragraph((own("{}", self._left_out, role="warn"),))] if self._left_out else []
        return [*menu_lines(MENU), *told, *map(_line, self._rows)]

    def _tell(self) -> None:
        unread = self.unread
        is_open = self._reason is not None and not unread
        self.query_one("#keys", KeyRow).dim(frozenset() if is_open else frozenset({"rejects.yes"}))
        if self.app.read_only:
            self.say(read_only_words(web=self.app.is_web))
        elif self._reason is None:
            self.say((own("nothing is decided yet: read the list, then press 1-6 for the reason", role="dim"),))
        elif unread:
            self.say(
                (
                    own(
                        "{}: {} is locked, {} not on screen yet ({})",
                        Shown(reason_word(self._reason)),
                        key_for("rejects.yes"),
                        unread,
                        key_for("page.down"),
                        role="warn",
                    ),
                )
            )
        else:
            words = own(
                "{}: {} rejects {}, {} goes back",
                Shown(reason_word(self._reason)),
                key_for("rejects.yes"),
                counted(len(self._rows), "item"),
                key_for("rejects.cancel"),
                role="warn",
            )
            self.say((words,))

    def read_more(self) -> None:
        """Say so when the last row was on screen."""
        self._tell()

    def action_rejects_why(self, number: int) -> None:
        """Take the reason for all of them."""
        self._reason, self._note = MENU[number - 1][0], ""
        if self._reason is ReasonCode.OTHER:
            about = frozenset((row.id, row.proposal.digest) for row in self._rows)
            self.app.push_screen(NoteScreen(say("why, in your words (optional)"), about=about), self._noted)
        self._tell()

    def _noted(self, note: str | None) -> None:
        if note is None:
            self._reason = None
        self._note = note or ""
        self._tell()

    def action_rejects_yes(self) -> None:
        """Reject them all, once every row was on screen and there is a reason."""
        if self._reason is None:
            self._tell()
        elif self.was_read():
            self.dismiss(tuple(map(self._decision, self._rows)))

    def _decision(self, row: Row) -> Decision:
        return rejection(row, self._reason, self._note)

    def action_rejects_cancel(self) -> None:
        """Go back, nothing decided."""
        self.dismiss(None)

    def action_read_down(self) -> None:
        """Scroll a line."""
        self.query_one("#text", Reader).scroll_rows(1)

    def action_read_up(self) -> None:
        """Scroll a line up."""
        self.query_one("#text", Reader).scroll_rows(-1)


def _line(row: Row) -> PageLine:
    lead = (
        *padded((own(" "), state_piece(row.state)), _STATE + 1),
        own("{} ", operation_word(row.proposal)),
        *padded((own("{}", target_word(row.proposal), role="dim"),), _TARGET),
        own(" "),
    )
    # the id stands before the words, which a narrow window may cut: rows of the same words stay rows of their own
    name = own("{}  ", shown_line(row.id, 16), role="dim")
    return PageLine((name, own("{}", summary(row.proposal))), lead, cut=True)
