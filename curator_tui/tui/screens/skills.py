"""The skills screen: writes that wait for Hermes with what each would change, and the skills that are installed.

Here: both lists, the text of the row under the cursor, Hermes's own commands below it. Not here: words and columns
(``skill_rows``, ``skill_pages``), reading (``curator.skills``). Nothing on it applies, drops or changes a skill: that
stays with Hermes, which has checks of its own.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.geometry import Size

from curator_tui.core.errors import CuratorError
from curator_tui.core.skills import InstalledSkill, SkillListing, SkillWrite
from curator_tui.core.word_filter import meant
from curator_tui.curator.looking import Board, board_or_glance
from curator_tui.curator.skills import ShownSkill, WaitingSkills, installed, shown, skill_findings, waiting
from curator_tui.tui.actions import SKILLS, bindings, key_for, key_out
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.screens.filtering import Filtering
from curator_tui.tui.shown import EMPTY, Line, data, message, own, say, shown_line
from curator_tui.tui.skill_pages import command_lines, installed_page, keeping_lines, totals, write_page
from curator_tui.tui.skill_rows import InstalledRows, WriteRows, installed_head, skill_key, write_head
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Rule
from curator_tui.tui.widgets.panes import Panes
from curator_tui.tui.widgets.reader import Reader
from curator_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from collections.abc import Callable

    from curator_tui.tui.copying import Copied

_CONTEXTS = (3, 10, 1_000_000, 0)
"""Unchanged lines around a change, as ``c`` goes through them; the third is all of them."""

_LOOK_EVERY = 3  # polls
_NOTHING = Page("", "", ())


class SkillsScreen(Filtering):
    """Skill writes that wait, and installed skills."""

    SCREEN = SKILLS
    hint = "words of name, file, profile   !without   enter: list   esc: clears it"
    CSS_PATH = "../styles/skills.tcss"
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(SKILLS)]

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.board: Board | None = None
        self.installed_shown = False
        self._waiting: WaitingSkills | None = None
        self._installed: SkillListing | None = None
        self._failure: CuratorError | None = None
        self._words = ""
        self._around = _CONTEXTS[0]
        self._plain = False
        self._wanted = ""
        self._found = 0
        self._asked: SkillWrite | InstalledSkill | None = None
        self._below: Line = EMPTY
        self._looked: ShownSkill | InstalledSkill | None = None

    def body(self) -> ComposeResult:
        """Put the list beside or above the text, and Hermes's commands below it."""
        with Panes(self):
            with Container(id="left"):
                yield OneLine(id="head")
                yield RowList(id="rows")
            with Container(id="right"):
                yield Rule(id="gauge")
                yield Reader(id="reader")
                yield Rule(id="divider")
                yield Reader(id="facts")

    def on_mount(self) -> None:
        """Read what waits, and look again now and then."""
        self.draw_title(None)
        self.work(self._read, "skills")
        self.lookout.keep(self._tick, _LOOK_EVERY)

    # -- reading ---------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        self.board = await self.app.clerk.ask(board_or_glance)
        try:
            self._waiting = await self.app.clerk.ask(waiting)
            self._failure = None
        except CuratorError as error:
            self._failure = error
            self._waiting = None
        if self.installed_shown:
            self._installed = await self.app.clerk.look_beside(installed)
        self._show_list()
        self.restore_words()

    def _tick(self) -> None:
        self.draw_status()
        if not self.installed_shown:
            self.lookout.look_again(self._poll)

    async def _poll(self) -> None:
        """Look whether other writes wait than before; the cursor stays on its own."""
        before = self._waiting
        try:
            found = await self.app.clerk.ask(waiting)
        except CuratorError as error:
            self._failure, self._waiting = error, None
            self._show_list()
            return
        if found != before and before is self._waiting:
            await self._read()

    # -- the list --------------------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What the list is filtered by."""
        return self._words

    def set_words(self, words: str) -> None:
        """Show only rows that hold these words."""
        self._words = words
        self._show_list()

    @property
    def _rows(self) -> WriteRows | InstalledRows:
        now = self.app.clerk.desk.now()
        if self.installed_shown:
            found = self._installed or SkillListing()
            kept = [skill for skill in found.skills if meant(self._words, skill.said)]
            return InstalledRows(kept, found.notes, now)
        waits = self._waiting or WaitingSkills()
        return WriteRows(
            [write for write in waits.writes if meant(self._words, write.said, write.id)], waits.left_out, now
        )

    def _show_list(self) -> None:
        rows, widget = self._rows, self.queue
        self._found = rows.count
        place = rows.place(self._wanted) if self._wanted else None
        widget.show(rows, max(widget.cursor, 0) if place is None else place)
        self.draw_head()
        self._open()

    def draw_head(self) -> None:
        """Draw title and column headings, and say which list it is."""
        width = self.queue.row_width
        head = installed_head(width) if self.installed_shown else write_head(width)
        right: Line = (own(" filter: {} ({}) ", self._found, key_out(), role="mark"),) if self._words else EMPTY
        self.query_one("#head", OneLine).show(head, right, keep_right=bool(right))
        self.draw_title(self.board, [self._counted()])
        self.draw_status()

    def _counted(self) -> Line:
        if self.installed_shown:
            if self._installed is None:
                return (own("reading …", role="dim"),)
            return (own("{} installed", len(self._installed.skills), role="strong"),)
        if self._waiting is None:
            return EMPTY
        count = len(self._waiting.writes) + self._waiting.left_out
        return (own("1 skill write waits" if count == 1 else "{} skill writes wait", count, role="strong"),)

    @on(RowList.Moved, "#rows")
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        self._open()

    # -- the text --------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Show the row under the cursor; a waiting one is compared with its file as it stands now."""
        source = self.queue.source
        row = source.row(self.queue.cursor) if isinstance(source, WriteRows | InstalledRows) else None
        self._asked = row
        if isinstance(row, SkillWrite):
            self._wanted = row.id
            self.work(partial(self._open_write, row, self._around), "row")
        elif isinstance(row, InstalledSkill):
            self._wanted = skill_key(row)
            self.work(partial(self._open_installed, row), "row")
        else:
            self._looked = None
            self._show_none()

    async def _open_write(self, write: SkillWrite, context: int) -> None:
        try:
            found = await self.app.clerk.ask(lambda desk: shown(desk, write, context))
        except CuratorError as error:
            if self._asked is write:
                self._show_failed(error)
            return
        if self._asked is not write:
            return  # meanwhile another row is looked at, or none
        same = isinstance(self._looked, ShownSkill) and self._looked.write == write
        self._looked = found
        self._draw(keep=same)

    async def _open_installed(self, skill: InstalledSkill) -> None:
        findings = await self.app.clerk.look_beside(lambda _: tuple(skill_findings(skill)))
        if self._asked is not skill:
            return
        self._looked = skill
        page = installed_page(skill, findings, self.app.clerk.desk.now())
        self._show(page, (own("{}", shown_line(skill.name, 40), role="head"),), EMPTY)
        self._show_below((own("Hermes changes it; this program only looks", role="head"),), keeping_lines(skill))

    def _draw(self, *, keep: bool = False) -> None:
        found = self._looked
        if not isinstance(found, ShownSkill):
            return
        page = write_page(found, self.app.clerk.desk.now(), plain=self._plain)
        write = found.write
        title = own("{} {} {}", shown_line(write.action or "?", 14), shown_line(write.name, 30),
                    shown_line(write.file, 30), role="head")  # fmt: skip
        self._show(page, (title,), totals(found.effect.diff), keep=keep)
        self._show_below((own("Hermes applies it, this program never does", role="head"),), command_lines(found))

    def _show(self, page: Page, left: Line, right: Line, *, keep: bool = False) -> None:
        self.reader.show(page, keep=keep)
        self.query_one("#gauge", Rule).show(left, right)
        self.query_one("#keys", KeyRow).dim(frozenset(), self._hidden_keys())

    def _hidden_keys(self) -> frozenset[str]:
        here = {"go.skills"}
        return frozenset(here | {"change.next", "view.diff", "view.context"} if self.installed_shown else here)

    def _show_below(self, words: Line, lines: tuple[PageLine, ...]) -> None:
        self.query_one("#facts", Reader).show(Page("", "", lines))
        self._below = words
        self._draw_divider()

    def _draw_divider(self) -> None:
        below = self.reader.below
        more: Line = (own("v {} more above ({})", below, key_for("page.down"), role="head"),) if below else EMPTY
        self.query_one("#divider", Rule).show(self._below, more)

    def _show_none(self) -> None:
        """Say why no row is there, and what can be done next."""
        if self._failure is not None and not self.installed_shown:
            self._show_failed(self._failure)
            return
        lines: list[Line]
        view = key_for("skills.view")
        if (self._installed if self.installed_shown else self._waiting) is None:
            lines = [(own("reading …", role="dim"),)]
        elif self._words:
            lines = [(own("No row holds these words."),), (own("{} clears the filter.", key_out()),)]
        elif self.installed_shown:
            lines = [(own("No skill is installed in this home. "),), (own("{} shows the writes that wait.", view),)]
        else:
            lines = [
                (own("No skill write waits in this profile. ", role="good"),),
                (own("They wait only where Hermes was told so: skills.write_approval: true in its config.yaml."),),
                (own("{}  ", view, role="key"), own("shows the skills that are installed")),
            ]
        self._show(Page("", "", tuple(PageLine(line, (own("  "),)) for line in lines)), EMPTY, EMPTY)
        self._show_below(EMPTY, ())

    def _show_failed(self, error: CuratorError) -> None:
        """Say in the place of a row why it cannot be shown, and the way out."""
        self._looked = None
        lines = (own("{}", message(error.message), role="bad"), own("{}", message(error.way_out)))
        self._show(Page("", "", tuple(PageLine((piece,), (own("  "),)) for piece in lines)), EMPTY, EMPTY)
        self._show_below(EMPTY, ())

    def standing(self) -> Line:
        """Return what always holds."""
        return (own("Skills are only shown here: Hermes applies and changes them.", role="dim"),)

    @on(Reader.Scrolled, "#reader")
    def _scrolled(self, event: Reader.Scrolled) -> None:
        event.stop()
        self._draw_divider()

    def on_resize(self) -> None:
        """Draw the headings for the new size."""
        self.draw_head()

    # -- keys ------------------------------------------------------------------------------------------------------

    def copied(self) -> Callable[[], Copied] | None:
        """Return what copies the words Hermes applies the write at hand by, else drops it; of a skill its text."""
        from curator_tui.tui.copying import copy_of, copy_of_page

        found = self._looked
        if isinstance(found, ShownSkill):
            command = found.commands.apply or found.commands.drop
            return partial(copy_of, [(data(command),)]) if command else None
        return partial(copy_of_page, self.reader.page) if found is not None else None

    def action_skills_view(self) -> None:
        """Change between the writes that wait and the installed skills."""
        self.installed_shown = not self.installed_shown
        self._wanted = ""
        self.queue.cursor = -1
        self._show_list()
        if self.installed_shown:
            self.work(self._read, "skills")

    def action_open(self) -> None:
        """Show everything about the row in the whole window."""
        from curator_tui.tui.screens.reading import ReadScreen

        found = self._looked
        if isinstance(found, ShownSkill):
            page = write_page(found, self.app.clerk.desk.now(), key=False)
            page = page._replace(lines=(*command_lines(found), *page.lines))
            self.app.push_screen(ReadScreen(say("skill write {}", shown_line(found.write.id)), page))
        elif found is not None:
            self.app.push_screen(ReadScreen(shown_line(found.name, 60), self.reader.page))

    def action_view_diff(self) -> None:
        """Change between the diff and the text as the record brings it."""
        self._plain = not self._plain
        self._draw()

    def action_view_context(self) -> None:
        """Show more or fewer unchanged lines."""
        self._around = _CONTEXTS[(_CONTEXTS.index(self._around) + 1) % len(_CONTEXTS)]
        count = say("all") if self._around > 1_000 else say("{}", self._around)
        self.say((own("unchanged lines around a change: {}", count),))
        self._open()

    def action_refresh(self) -> None:
        """Read everything again."""
        self.work(self._read, "skills")
