"""Edit, then approve: one's own version of an item's text, checked while it is written.

Here: the field, the live checks, the gate in front of saving and what is handed back. Not here: the checks themselves
(``core.preflight`` through the desk), letting go of what was written (``handing_in``), deciding. What is saved is what
the outcome pane painted last: its changes must have been seen and stood there for the same time as those of the review
screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from time import monotonic
from typing import ClassVar

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.events import DescendantBlur, DescendantFocus
from textual.widgets import TextArea

from curator_tui.core.errors import CuratorError
from curator_tui.core.proposals import Edit, editable
from curator_tui.core.requests import Reason
from curator_tui.core.review import OVERRIDABLE, approval_problem
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Looked, look
from curator_tui.tui.actions import EDIT, bindings, key_for
from curator_tui.tui.edit_pages import entry_of, outcome_lines, proposed_lines, saving_line
from curator_tui.tui.facts import state_piece
from curator_tui.tui.gates import Frame, Locked, PaintedGate
from curator_tui.tui.gauges import outcome_gauge
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.screens.acting import Dialog, TooSmall, read_only_words
from curator_tui.tui.screens.handing_in import HandingIn
from curator_tui.tui.screens.second import Answer, SecondScreen
from curator_tui.tui.screens.watching import Basis
from curator_tui.tui.shown import EMPTY, Line, Shown, own, say, shown_line
from curator_tui.tui.soon import Soon
from curator_tui.tui.widgets.fields import TextField
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Said
from curator_tui.tui.widgets.reader import Reader

_TOO_FAST: Line = (own("too fast: look at the outcome, then press again", role="warn"),)


class Edited(Struct, frozen=True):
    """A version that may be approved: what it would do, how much of that was seen, the reason where one was needed."""

    looked: Looked
    seen: str
    reason: Reason | None = None
    note: str = ""


class EditScreen(Dialog[Edited]):
    """The field, with the outcome below it."""

    SCREEN = EDIT
    AUTO_FOCUS = "#field"
    saving: ClassVar[str] = "approves your version"
    """What the key that saves does with it."""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(EDIT)]

    def __init__(self, looked: Looked, problem: str = "", begin_with: Mapping[int, str] | None = None) -> None:
        super().__init__()
        self._problem = problem
        self.base = looked
        self._begin_with = dict(begin_with or {})
        self._offered: dict[int, str] = {}
        self._steps = editable(looked.item.found.proposal)
        self._step = self._steps[0]
        self.checked: Looked | None = None
        self._checked_text: str | None = None
        self.later = Soon(self)
        self._gate = PaintedGate()
        self._page = Page("", "", ())
        self.hasty: str | None = None
        self.is_gone = False
        self.handing_in = HandingIn(self)

    def compose(self) -> ComposeResult:
        """Put what was proposed over the field, and the outcome below it."""
        with Container(id="edit-box"):
            yield OneLine(ground="bar", id="sheet-title")
            yield Reader(ground="raised", id="proposed")
            yield OneLine(ground="raised", id="field-label")
            yield TextField(say("This text is too long for a field: {} opens it.", self._editor_key()), id="field")
            yield OneLine(ground="raised", id="gauge")
            yield Reader(ground="raised", id="outcome")
            yield Said(ground="raised", id="said")
            yield KeyRow(self.SCREEN, help_key=False, id="keys")
        yield TooSmall(id="too-small")

    def _editor_key(self) -> Shown:
        return say("{} ($EDITOR)", key_for("decide.editor"))

    @property
    def _field(self) -> TextField:
        return self.query_one("#field", TextField)

    @property
    def _outcome(self) -> Reader:
        return self.query_one("#outcome", Reader)

    def on_mount(self) -> None:
        """Begin with the draft, or with what is best to begin with."""
        self._gate.dwell = self.app.timing.dwell
        # a place for the focus outside the text, where plain keys act
        self._outcome.can_focus = True
        self._begin()
        self._tell_problem(self._problem)

    def _begin(self) -> None:
        start = self.app.session.drafts.get((self.base.id, self._step))
        text = self._begin_with.pop(self._step, None)
        if text is not None and start is None:
            self._offered[self._step] = text
        self._load(text if text is not None else self.start_of(self._step) if start is None else start)
        inside = self._step in self.base.item.found.inside and start is None
        words = " (the proposed words inside the old entry)" if inside else " (your draft)" if start is not None else ""
        self.query_one("#field-label", OneLine).show((own(" your version{}", Shown(words), role="label"),))
        hidden = {"edit.next"} if len(self._steps) < 2 else set()
        hidden |= {"edit.entry"} if entry_of(self.base, self._step) is None else set()
        self.query_one("#keys", KeyRow).dim(frozenset(), frozenset(hidden))
        title = own(" {}", self.heading(), role="strong")
        many = own("step {} of {}  ", self._steps.index(self._step) + 1, len(self._steps), role="dim")
        self.query_one("#sheet-title", OneLine).show((title,), (many,) if len(self._steps) > 1 else EMPTY)
        self.query_one("#proposed", Reader).show(Page("", "", tuple(self.proposed())))

    def start_of(self, step: int) -> str:
        """Return what a step begins with where nothing was written yet: left like this it is no draft."""
        return self._offered.get(step, self.base.text_to_edit(step))

    def heading(self) -> Shown:
        """Return what is edited, for the title."""
        return say("edit {}, then approve", shown_line(self.base.id))

    def look_again(self, desk: Desk, edit: Edit) -> Looked:
        """Work out what the version would do; it runs in the clerk's thread."""
        return look(desk, self.base.id, edit)

    def basis(self) -> Basis:
        """Return what is edited, as it was painted."""
        base = self.base
        return Basis(lambda desk: self.look_again(desk, base.edit).digest, base.digest)

    def outdate(self, *, now: bool) -> None:
        """Work out anew what the version would do."""
        super().outdate(now=now)
        self.check_soon()

    def outdated_words(self) -> Line:
        """Say that the outcome is the one of now, or that there is nothing left to be changed."""
        if self.is_gone:
            return (own("what you edit is gone: nothing can be saved, your text stays until you leave", role="bad"),)
        return (own("it changed on disk: below is what your version does now", role="warn"),)

    def second(self, looked: Looked) -> SecondScreen:
        """Return the question that a version with conditions is asked."""
        return SecondScreen(looked)

    def _load(self, text: str) -> None:
        self._field.put(text)
        self._tell_keys()
        self.check_soon()

    @on(DescendantFocus)
    @on(DescendantBlur)
    def _tell_keys(self) -> None:
        """Show the keys that work now: in the text a letter is a letter, unless the text is too long to be changed."""
        self.query_one("#keys", KeyRow).typing(now=self._field.has_focus and not self._field.read_only)

    def proposed(self) -> list[PageLine]:
        """Return what stands over the field: the entry now, and what was proposed."""
        return proposed_lines(self.base, self._step)

    # -- checking --------------------------------------------------------------------------------------------------

    @on(TextArea.Changed, "#field")
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.app.session.drafts[self.base.id, self._step] = self._field.words
        self.check_soon()

    @on(TextField.TooLong)
    def _too_long(self, event: TextField.TooLong) -> None:
        event.stop()
        self._tell_problem(say("too long, nothing was taken: tab, then {} takes it", self._editor_key()))

    @on(TextField.Spent)
    def _spent(self, event: TextField.Spent) -> None:
        """Say why a key did nothing that elsewhere goes to the shell."""
        event.stop()
        what = "nothing was undone that could come again" if event.again else "nothing typed is left to undo"
        self._tell_problem(what)

    def check_soon(self) -> None:
        """Work out what the version would do when nothing was typed for a moment."""
        self.later.begin(self.app.timing.check, lambda: self.work(self._check, "check"))

    def _edit(self) -> Edit:
        """Return what is changed: the texts of the field, and of the steps written before, where they differ."""
        drafts = self.app.session.drafts
        found = self.base.item.found
        contents = dict(self.base.edit.contents)
        for step in self._steps:
            text = self._field.words if step == self._step else drafts.get((self.base.id, step))
            if text == found.proposal.operations[step].content:
                contents.pop(step, None)  # what was proposed is no edit, whatever the item was opened with
            elif text is not None:
                contents[step] = text
        return self.base.edited(contents)

    async def _check(self) -> None:
        """Work out what the version would do, in the clerk's thread."""
        text, edit, marks = self._field.words, self._edit(), self.app.palette.mono

        def job(desk: Desk) -> tuple[Looked, list[PageLine]]:
            looked = self.look_again(desk, edit)
            return looked, outcome_lines(looked, marks=marks)

        try:
            looked, lines = await self.app.clerk.ask(job)
        except CuratorError as error:
            self.handing_in.cannot(error)
            return
        self.is_gone = False
        if text == self._field.words:
            self.checked, self._checked_text = looked, text
            self._draw(looked, lines)

    def _draw(self, looked: Looked, lines: Sequence[PageLine]) -> None:
        gauge = self.query_one("#gauge", OneLine)
        if looked.documents:
            gauge.show(*outcome_gauge(looked.documents[0]), keep_right=True)
        self._page = Page(looked.id, looked.digest, tuple(lines))
        frame = Frame(looked.id, looked.digest, tuple(line.key for line in lines))
        if self._gate.frame != frame:
            self._gate.begin(frame)
        self._outcome.show(self._page)
        self.say(self._verdict(looked))

    def _verdict(self, looked: Looked) -> Line:
        save = key_for("edit.save" if self.SCREEN == EDIT else "edit.write")
        if self.app.read_only:
            return read_only_words(web=self.app.is_web)
        if self.hasty == self._field.words:
            return _TOO_FAST
        if (problem := approval_problem(looked.found, OVERRIDABLE)) is not None:
            return (state_piece(problem[0]), own(": cannot be written like this"))
        if self._gate.unseen():
            return (own("there are changes you have not seen yet: {} goes on to the next", save, role="warn"),)
        if looked.override:
            return (own("{} asks once more: ", save, role="warn"), state_piece(looked.found.state))
        return saving_line(save, looked, self.saving, is_item=self.SCREEN == EDIT)

    def _tell_problem(self, problem: str) -> None:
        """Say over the field why nothing came of the editor; the status row says what saving needs, at every look."""
        if problem:
            words = own("{}", Shown(problem), role="warn")
            self.query_one("#field-label", OneLine).show((own(" your version: ", role="label"), words))

    # -- what was seen ---------------------------------------------------------------------------------------------

    @on(Reader.Painted, "#outcome")
    def _painted(self, event: Reader.Painted) -> None:
        """Tell the gate what of the outcome reached the screen."""
        event.stop()
        if event.page is self._page and self.checked is not None:
            before = self._gate.unseen()
            self._gate.painted(event.parts, monotonic())
            if self._gate.unseen() != before:
                self.say(self._verdict(self.checked))

    @on(Reader.Rewrapped, "#outcome")
    def _rewrapped(self, event: Reader.Rewrapped) -> None:
        event.stop()
        self._gate.rewrapped()

    def on_screen_suspend(self) -> None:
        """Another screen covers the outcome: it counts again once it was painted again."""
        self._gate.cover()

    def on_screen_resume(self) -> None:
        """Paint again what was covered."""
        self._outcome.refresh()

    # -- leaving ---------------------------------------------------------------------------------------------------

    def close_with(self, looked: Looked, answer: Answer) -> None:
        """Hand back a version as it was shown and seen."""
        self.dismiss(Edited(looked, self._gate.seen, answer.reason, answer.note))

    def action_edit_save(self) -> None:
        """Approve the version as it was checked, shown and seen; before that go on to what was not seen yet."""
        looked, self.hasty = self.checked, None
        if self.is_gone:
            self.say(EMPTY)
            return
        if looked is None or self._checked_text != self._field.words:
            self.hasty = self._field.words  # said until the text is another one: its outcome is drawn at once
            self.check_soon()
            self.say(_TOO_FAST)
            return
        locked = self._gate.locked(looked.id, looked.digest, self.app.pressed_at)
        if approval_problem(looked.found, OVERRIDABLE) is not None:
            self.say(self._verdict(looked))
        elif locked is Locked.UNSEEN:
            self._outcome.to_unseen(self._gate.unseen())
            self.say((own("not saved: there are changes you have not seen; here is the next", role="warn"),))
        elif locked is not None:
            self.hasty = self._field.words
            self.say(_TOO_FAST)
        elif looked.override:
            self.app.push_screen(self.second(looked), partial(self._answered, looked))
        else:
            self.handing_in.hand_in(looked, Answer(), self._edit())

    def _answered(self, looked: Looked, answer: Answer | None) -> None:
        if answer is None or not looked.is_same(self.checked):
            self.say((own("not approved"),))
        elif answer.inside:
            self._take_inside()
        else:
            self.handing_in.hand_in(looked, answer, self._edit())

    def _take_inside(self) -> None:
        """Go on with the text that changes only the matched words, in every step that has one."""
        for step in self._steps:
            if (text := self.base.item.found.inside.get(step)) is not None:
                self.app.session.drafts[self.base.id, step] = text
        self._begin()

    def action_edit_leave(self) -> None:
        """Go back; what was written is kept as a draft of this run. Where nothing can open it again, ask first."""
        self.handing_in.leave()

    def action_edit_reset(self) -> None:
        """Begin again with what was proposed."""
        self.app.session.drafts.pop((self.base.id, self._step), None)
        self._load(self.base.item.found.proposal.operations[self._step].content or "")

    def action_edit_entry(self) -> None:
        """Bring the whole entry as it stands into the field: in place of the agent's text, below one's own."""
        if (entry := entry_of(self.base, self._step)) is None:
            return
        field, found = self._field, self.base.item.found
        offered = {found.proposal.operations[self._step].content, found.inside.get(self._step), entry, ""}
        if field.read_only:
            self._load(entry)
        elif field.words in offered:
            field.replace(entry, (0, 0), field.document.end)
        else:
            field.insert(f"\n{entry}", field.document.end)
        words = own(" your version (with the entry as it stands)", role="label")
        self.query_one("#field-label", OneLine).show((words,))

    def action_edit_other(self) -> None:
        """Leave the text for the keys that are letters, or go back into it."""
        self.focus_next()

    def action_edit_clean(self) -> None:
        """Take everything out of the text that is shown as a token because it hides."""
        gone = self._field.take_out_hidden()
        words = say("{} hidden characters taken out", gone) if gone else say("no hidden character in this text")
        self.query_one("#field-label", OneLine).show((own(" your version: {}", words, role="label"),))

    def action_edit_next(self) -> None:
        """Go to the next step of a batch."""
        self._step = self._steps[(self._steps.index(self._step) + 1) % len(self._steps)]
        self._begin()

    def action_decide_editor(self) -> None:
        """Go on in ``$EDITOR``."""
        from curator_tui.tui.editor import edit_outside

        text, problem = edit_outside(self.app, self._field.words)
        self._tell_problem(problem)
        if text is not None:
            self._load(text)

    def action_line_down(self) -> None:
        """Scroll the outcome a line."""
        self._outcome.scroll_rows(1)

    def action_line_up(self) -> None:
        """Scroll the outcome a line up."""
        self._outcome.scroll_rows(-1)

    def action_page_down(self) -> None:
        """Scroll the outcome a page."""
        self._outcome.scroll_pages(1)

    def action_page_up(self) -> None:
        """Scroll the outcome a page up."""
        self._outcome.scroll_pages(-1)
