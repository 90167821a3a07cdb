"""The help overlay: every key of a screen under its heading, made from the registry, and why ``a`` does what it does.

Here: its page. Not here: which keys there are (``actions``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from curator_tui.tui.actions import (
    DOCUMENTS,
    HELP,
    HISTORY,
    LEARNED,
    LEDGER,
    PLAN,
    PROFILES,
    REVIEW,
    SKILLS,
    Action,
    bindings,
    events_of,
    find,
    groups,
    key_for,
    keys_of,
    keys_shown,
    offered,
)
from curator_tui.tui.entry_rows import MARKS_TOLD
from curator_tui.tui.page_lines import BLANK_LINE, Page, PageLine
from curator_tui.tui.screens.acting import Dialog, TooSmall
from curator_tui.tui.shown import EMPTY, Line, Piece, Shown, own, padded
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine
from curator_tui.tui.widgets.reader import Reader

_COLUMN = 37
_KEYS = 7
_FINDINGS = "soft finding: a warning   hard finding: approving wants a reason"
_CUT = "…: cut   … +52: cut, 52 characters follow   (+52): a document grows by 52"
_WORDS: Mapping[str, tuple[str, ...]] = {
    REVIEW: (
        "S: . not seen  o partly  * all seen  = changed on disk  ~ skipped",
        "OP: ADD, REP replaces an entry, DEL removes one, BAT a batch of several steps",
        "x3: three items wait for the same entry; a decision is about all of them",
        _FINDINGS,
        _CUT,
    ),
    PLAN: (_CUT,),
    DOCUMENTS: (MARKS_TOLD, _FINDINGS, _CUT),
    HISTORY: ("! nobody reviewed it   B many decisions at once   = the base of a comparison", _CUT),
    LEARNED: (_CUT,),
    SKILLS: (_CUT,),
    PROFILES: ("* the profile that is open   ! something in it cannot be read: the text below says what",),
    LEDGER: (
        "edit: approved in a version other than proposed: edited, inside only, or an entry picked",
        "tombstone: proof that a text was erased everywhere, without the text",
        _CUT,
    ),
}
"""What the signs and words of a screen mean that are no keys."""


class HelpScreen(Dialog[None]):
    """Keys of one screen."""

    SCREEN = HELP
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(HELP)]

    def __init__(self, screen: str, why: Sequence[Line]) -> None:
        super().__init__()
        self._screen = screen
        self._why = why
        for key in events_of("help"):  # what opened it closes it
            self._bindings.bind(key, "back", show=False)

    def compose(self) -> ComposeResult:
        """Put the page under its title."""
        with Container(id="help-box"):
            yield OneLine(ground="bar", id="sheet-title")
            yield Reader(ground="raised", id="text")
            yield KeyRow(HELP, help_key=False, id="keys")
        yield TooSmall(id="too-small")

    def on_mount(self) -> None:
        """Show the keys."""
        keys = key_for("read.down"), key_for("read.up"), key_for("back")
        self._tell(own("{} {} scroll, {} goes back ", *keys, role="dim"))
        self.draw()

    def say(self, line: Line) -> None:
        """Say something beside the title: all other rows are for the keys."""
        self.app.hear(line)
        self._tell(*line, own(" "))

    def _tell(self, *right: Piece) -> None:
        title = own(" keys of this screen", role="strong")
        self.query_one("#sheet-title", OneLine).show((title,), right, keep_right=True)

    def on_resize(self) -> None:
        """Lay the columns out for the new width."""
        self.draw()

    def draw(self) -> None:
        """Show the page for the width there is."""
        page = help_page(self._screen, self._why, self.app.size.width - 4, web=self.app.is_web)
        self.query_one("#text", Reader).show(page, keep=True)

    def action_read_down(self) -> None:
        """Scroll a line."""
        self.query_one("#text", Reader).scroll_rows(1)

    def action_read_up(self) -> None:
        """Scroll a line up."""
        self.query_one("#text", Reader).scroll_rows(-1)

    def action_read_on(self) -> None:
        """Scroll a page; close at the end."""
        if not self.query_one("#text", Reader).scroll_pages(1):
            self.dismiss(None)

    def action_read_first(self) -> None:
        """Scroll to the beginning."""
        self.query_one("#text", Reader).to_end(-1)

    def action_read_last(self) -> None:
        """Scroll to the end."""
        self.query_one("#text", Reader).to_end(1)

    def action_page_down(self) -> None:
        """Scroll a page."""
        self.query_one("#text", Reader).scroll_pages(1)

    def action_page_up(self) -> None:
        """Scroll a page up."""
        self.query_one("#text", Reader).scroll_pages(-1)

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)


def help_page(screen: str, why: Sequence[Line], width: int, *, web: bool = False) -> Page:
    """Return the keys of a screen in as many columns as fit, then why things are as they are."""
    blocks = [_block(heading, actions) for heading, actions in groups(offered(screen, web=web)).items()]
    columns = max(1, min(len(blocks), width // _COLUMN))
    # the tallest blocks first, each into the shortest column, so that little scrolling is needed
    stacks: list[list[Line]] = [[] for _ in range(columns)]
    for block in blocks:
        shortest = min(stacks, key=len)
        shortest.extend([EMPTY, *block] if shortest else block)
    rows = zip_longest(*stacks, fillvalue=EMPTY)
    keys = [PageLine(tuple(piece for part in row for piece in padded(part, _COLUMN)), cut=True) for row in rows]
    lines = [PageLine(line) for line in why if line]
    lines += [PageLine((own("{}", Shown(words), role="dim"),)) for words in _WORDS.get(screen, ())]
    return Page("", "", (*lines, *([BLANK_LINE] if lines else []), *keys))


def _block(heading: str, actions: Sequence[Action]) -> list[Line]:
    rows: list[Line] = [(own("{}", Shown(heading), role="head"),)]
    for action in actions:
        name = keys_shown(action) or keys_of(find("palette"))[0]  # what has no key is found by its name
        keys = own("{}", Shown(f"{name:<{_KEYS}}"), role="key")
        rows.append((keys, own(" {}", Shown(action.help))))
    return rows
