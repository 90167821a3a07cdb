"""Reading in full: the source of a claim, the documents as they stand, one row of a plan.

Here: the screen that shows one page over another screen, and these pages. Not here: any decision.
"""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from curator_tui.core.requests import Actor
from curator_tui.curator.looking import Looked, look
from curator_tui.tui.actions import PLAN_ROW, READ, bindings
from curator_tui.tui.facts import counted, facts, raw_text
from curator_tui.tui.gates import PaintedGate
from curator_tui.tui.page_lines import BLANK_LINE, Page, PageLine, rule
from curator_tui.tui.pages import fact_lines, text_lines
from curator_tui.tui.screens.acting import Dialog, TooSmall
from curator_tui.tui.shown import Shown, lines_of, own, say, shown_line
from curator_tui.tui.sources import source_lines
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine
from curator_tui.tui.widgets.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from curator_tui.curator.values import Evidence
    from curator_tui.tui.clerk import Clerk
    from curator_tui.tui.copying import Copied

_RAW_SHOWN = 20_000


class ReadScreen(Dialog[bool]):
    """One page, to be read; the answer tells whether ``enter`` asked for the next one.

    Args:
        title: what it is.
        page: the page.
        gate: told what of the page reached the screen, where that counts; its frame is this page.
    """

    SCREEN = READ
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(READ)]

    def __init__(self, title: Shown, page: Page, gate: PaintedGate | None = None) -> None:
        super().__init__()
        self._title = title
        self._page = page
        self._gate = gate

    def compose(self) -> ComposeResult:
        """Put the page under its title."""
        with Container(id="read-box"):
            yield OneLine(ground="bar", id="sheet-title")
            yield Reader(ground="raised", id="text")
            yield OneLine(ground="raised", id="said")
            yield KeyRow(self.SCREEN, help_key=False, id="keys")
        yield TooSmall(id="too-small")

    @property
    def _reader(self) -> Reader:
        return self.query_one("#text", Reader)

    def on_mount(self) -> None:
        """Show the page from its beginning."""
        self.query_one("#sheet-title", OneLine).show((own(" {}", self._title, role="strong"),))
        self._reader.show(self._page, keep=True)

    @on(Reader.Painted)
    def _was_painted(self, event: Reader.Painted) -> None:
        event.stop()
        if self._gate is not None and event.page is self._page:
            self._gate.painted(event.parts, monotonic())

    @on(Reader.Rewrapped)
    def _was_rewrapped(self, event: Reader.Rewrapped) -> None:
        event.stop()
        if self._gate is not None:
            self._gate.rewrapped()

    @on(Reader.Scrolled)
    def _scrolled(self, event: Reader.Scrolled) -> None:
        event.stop()
        below = self._reader.below
        self.say((own("v {}", counted(below, "more row"), role="head"),) if below else (own("end", role="dim"),))

    def copied(self) -> Callable[[], Copied] | None:
        """Return what makes a copy of the page, all of it."""
        from curator_tui.tui.copying import copy_of_page

        return partial(copy_of_page, self._page)

    def action_read_down(self) -> None:
        """Scroll a line."""
        self._reader.scroll_rows(1)

    def action_read_up(self) -> None:
        """Scroll a line up."""
        self._reader.scroll_rows(-1)

    def action_read_on(self) -> None:
        """Scroll a page; at the end close, and ask for the next page where there is one."""
        if not self._reader.scroll_pages(1):
            self.dismiss(True)

    def action_read_first(self) -> None:
        """Scroll to the beginning."""
        self._reader.to_end(-1)

    def action_read_last(self) -> None:
        """Scroll to the end."""
        self._reader.to_end(1)

    def action_page_down(self) -> None:
        """Scroll a page."""
        self._reader.scroll_pages(1)

    def action_page_up(self) -> None:
        """Scroll a page up."""
        self._reader.scroll_pages(-1)

    def action_change_next(self) -> None:
        """Go to the next change, or on by a page."""
        if not self._reader.to_change(1):
            self._reader.scroll_pages(1)

    def action_change_prev(self) -> None:
        """Go to the change before."""
        self._reader.to_change(-1)

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(False)


class PlanRowScreen(ReadScreen):
    """One row of a plan, and from it the source of its item."""

    SCREEN = PLAN_ROW
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(PLAN_ROW)]

    def __init__(self, name: str, title: Shown, page: Page, gate: PaintedGate) -> None:
        super().__init__(title, page, gate)
        self._item = name

    def action_view_source(self) -> None:
        """Show everything about the item: source, record, details."""
        self.work(self._show_source, "source")

    async def _show_source(self) -> None:
        screen = await source_screen(self.app.clerk, self._item)
        if self.is_current:
            self.app.push_screen(screen)


async def source_screen(clerk: Clerk, name: str) -> ReadScreen:
    """Return the screen with everything about a waiting item.

    Raises:
        UnknownItem: it does not wait any more.
    """
    looked = await clerk.ask(lambda desk: look(desk, name))
    evidence = await clerk.evidence(looked.item.found.proposal)
    page = source_page(looked, evidence, clerk.desk.actor, clerk.desk.now())
    return ReadScreen(say("source of {}", shown_line(name)), page)


def source_page(looked: Looked, evidence: Evidence | None, you: Actor, now: float) -> Page:
    """Return everything about an item: facts, messages in full, the record's own bytes."""
    lines = [
        rule(say("what is known")),
        *fact_lines(facts(looked, now, evidence, you)),
        BLANK_LINE,
        rule(say("where it came from")),
    ]
    lines += [PageLine(line) for line in source_lines(evidence)]
    for quote in evidence.quotes if evidence is not None else ():
        number = say("{}", quote.message) if quote.message is not None else Shown("?")
        lines += [BLANK_LINE, PageLine((own("{}, message {}", shown_line(quote.role, 20), number, role="head"),))]
        lines += text_lines(quote.text)
    lines += [BLANK_LINE, rule(say("the record as it is stored"))]
    raw = looked.item.raw
    unread = (own("its bytes were not read", role="bad"),)
    stored = (unread,) if raw is None else lines_of(raw_text(raw[:_RAW_SHOWN]), "dim")
    lines += [PageLine(line) for line in stored]
    return Page("", "", tuple(lines))
