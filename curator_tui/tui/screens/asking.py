"""Questions on the review screen: showing one beside the list, and answering it.

Here: what a question shows and what ``a``, ``e`` and ``x`` do with it: the entry is kept, corrected or removed. Not
here: its page (``asked``), the previews of the answers that write (``proposing``, ``writing``), the rules
(``core.challenges``). An answer carries the digest of what was painted; nothing that a question asks is ever part of a
mark or a plan.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import FILE_NAMES
from curator_tui.core.errors import CuratorError, UnknownItem
from curator_tui.core.proposals import Edit
from curator_tui.core.questions import Question
from curator_tui.core.requests import AnswerVerb, OverrideCode
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Looked
from curator_tui.tui.actions import answer_keys, key_for
from curator_tui.tui.clerk import board_after
from curator_tui.tui.facts import quoted_entry
from curator_tui.tui.gates import Frame, Locked
from curator_tui.tui.page_lines import Page
from curator_tui.tui.pages import split_facts
from curator_tui.tui.screens.deciding import noted
from curator_tui.tui.screens.deferring import Deferring
from curator_tui.tui.shown import Line, Shown, own, say
from curator_tui.tui.widgets.reader import Reader

if TYPE_CHECKING:
    from curator_tui.curator.answering import AskedLook
    from curator_tui.tui.screens.editing import Edited
    from curator_tui.tui.wanted import Wanted

_LABELS = {"decide.approve": "keep", "decide.edit": "correct", "decide.reject": "remove"}
_NOT_FOR_QUESTIONS = frozenset(
    {"decide.inside", "decide.skip", "decide.defer", "decide.reject_reason", "mark.toggle", "alternative.next",
     "view.source", "decide.editor"}
)  # fmt: skip


class _Given(NamedTuple):
    """An answer on its way: to which question, how, as it was shown, in words, and what was written or confirmed."""

    question: str
    verb: AnswerVerb
    shown: str
    words: Shown
    edited: Edited | None = None

    def carry_out(self, desk: Desk) -> Receipt:
        """Give it."""
        from curator_tui.curator.answering import carry_out_answer

        edited = self.edited
        if edited is None:
            return carry_out_answer(desk, self.question, self.verb, shown=self.shown)
        return carry_out_answer(
            desk,
            self.question,
            self.verb,
            edited.looked.edit.contents.get(0) if self.verb is AnswerVerb.CORRECT else None,
            shown=self.shown,
            override=edited.looked.override,
            reason=OverrideCode(edited.reason) if edited.reason is not None else None,
            note=edited.note,
        )


class Asking(Deferring):
    """The keys that answer a question, where the cursor stands on one."""

    # -- showing ---------------------------------------------------------------------------------------------------

    def open_question(self, question: Question) -> None:
        """Read what a question is about and show it."""
        self.wanted = (question.id, Edit())
        self.work(partial(self.open_question_now, question), "item")

    async def open_question_now(self, question: Question) -> None:
        """Read a question in the clerk's thread and show it, if it is still the one that is wanted."""
        from curator_tui.curator.answering import look_at_question

        self.wanted = (question.id, Edit())
        try:
            asked = await self.app.clerk.ask(lambda desk: look_at_question(desk, question))
        except UnknownItem:
            self.app.gate.hide()
            self.app.session.changed.add(question.id)
            self.draw_divider()
        except CuratorError as error:
            self.fail(error)
        else:
            if self.wanted[0] == question.id:
                self._show_question(asked)

    def _show_question(self, asked: AskedLook) -> None:
        self.now_about(asked.id)
        self.looked, self.asked = None, asked
        self.draw_item()
        if asked.origin is None:
            self.work(partial(self._look_up_origin, asked), "evidence")

    async def _look_up_origin(self, asked: AskedLook) -> None:
        from curator_tui.curator.answering import with_origin

        found = await self.app.clerk.ask(lambda desk: with_origin(desk, asked))
        if self.asked is asked and found.origin is not None:
            self.asked = found
            self.draw_item(keep=True)

    def draw_question(self, *, keep: bool = False) -> None:
        """Draw the question that is shown, and tell the gate."""
        from curator_tui.tui.asked import question_facts, question_page

        asked = self.asked
        assert asked is not None
        now = self.board.now if self.board is not None else 0.0
        pane = self.query_one("#facts", Reader)
        below, rest = split_facts(question_facts(asked, self.app.clerk.desk.actor, now), pane.size)
        self.page = page = question_page(asked, self.look, rest)
        frame = Frame(asked.id, asked.digest, tuple(line.key for line in page.lines[: page.last_change + 1]), asked.id)
        if self.app.gate.frame != frame:
            self.app.gate.begin(frame)
        self.reader.show(page, keep=keep)
        pane.show(Page(asked.id, "", tuple(below)))
        self.draw_gauge()
        self.draw_divider()
        self.draw_status()

    def lock_words(self) -> Line:
        """Say what the keys do with a question, or what keeps them locked."""
        asked = self.asked
        if asked is None:
            return super().lock_words()
        if asked.id in self.app.session.changed:
            return (own("changed meanwhile: press {} to redraw", key_for("refresh"), role="warn"),)
        if asked.question.present is None:
            return (own("its document cannot be read", role="bad"),)
        if self.app.gate.unseen():
            return (own("read all of it first: {} goes on", key_for("change.next"), role="warn"),)
        if not asked.question.present:
            return (own("{} closes the question", key_for("decide.approve"), role="good"),)
        return (own("{} keeps it, {} corrects it, {} removes it", *answer_keys(), role="good"),)

    def a_is_locked(self) -> bool:
        """Whether ``a`` would not answer now."""
        if self.asked is None:
            return super().a_is_locked()
        changed = self.asked.id in self.app.session.changed
        return self.app.read_only or changed or self.asked.question.present is None or bool(self.app.gate.unseen())

    def standing(self) -> Line:
        """Return the undo line, or what the keys do with a question."""
        if self.asked is None or self.app.session.last is not None:
            return super().standing()
        keys = *answer_keys(), key_for("help")
        return (own("{} keeps the entry, {} corrects it, {} removes it, {} shows every key", *keys, role="dim"),)

    def key_labels(self) -> dict[str, str]:
        """Return other labels of the keys, for a question."""
        return _LABELS if self.asked is not None else super().key_labels()

    def hidden_keys(self) -> frozenset[str]:
        """Return the actions that a question leaves out."""
        return super().hidden_keys() | (_NOT_FOR_QUESTIONS if self.asked is not None else frozenset())

    # -- answering -------------------------------------------------------------------------------------------------

    def action_decide_approve(self) -> None:
        """Keep the entry that is disputed; on an item, approve it."""
        if self.asked is None:
            super().action_decide_approve()
        elif (asked := self._to_answer()) is not None and self._was_seen(asked):
            kept = say("kept {}", quoted_entry(asked.question))
            words = kept if asked.question.present else say("closed the question {}", Shown(asked.id))
            self._answer(_Given(asked.id, AnswerVerb.KEEP, asked.digest, words))

    def action_decide_reject(self) -> None:
        """Show what removing the entry that is disputed would do; on an item, reject it."""
        if self.asked is None:
            super().action_decide_reject()
        elif (asked := self._to_change()) is not None:
            self.work(partial(self._preview, asked, AnswerVerb.REMOVE), "wanted")

    def action_decide_reject_reason(self) -> None:
        """Reject an item with a reason; a question is answered instead."""
        if self.asked is None or self.app.session.marked:
            super().action_decide_reject_reason()
        else:
            self._to_change()

    def action_decide_edit(self) -> None:
        """Open the field on the entry that is disputed; on an item, edit it."""
        if self.asked is None:
            super().action_decide_edit()
        elif (asked := self._to_change()) is not None:
            self.work(partial(self._preview, asked, AnswerVerb.CORRECT), "wanted")

    def _at_hand(self) -> Looked | None:
        """Return the item that a key is about; a question is none."""
        if self.asked is None:
            return super()._at_hand()
        self.tell_no_row()
        return None

    def _to_answer(self) -> AskedLook | None:
        """Return the question at hand, unless something speaks against answering it now."""
        asked = self.asked
        if not self.is_free() or asked is None:
            return None
        if asked.id in self.app.session.changed:
            self.say((own("it changed meanwhile: press {}, then answer", key_for("refresh"), role="warn"),))
            return None
        if asked.question.present is None:
            name = Shown(FILE_NAMES[asked.question.challenge.target])
            self.say_of_item((own("{} cannot be read, so nothing can be answered", name, role="bad"),))
            return None
        return asked

    def _to_change(self) -> AskedLook | None:
        """Return the question at hand, if its entry stands there to be changed."""
        asked = self._to_answer()
        if asked is not None and not asked.question.present:
            words = own(
                "the entry is gone or changed: {} only closes the question", key_for("decide.approve"), role="warn"
            )
            self.say_of_item((words,))
            return None
        return asked

    def _was_seen(self, asked: AskedLook) -> bool:
        locked = self.app.gate.locked(asked.id, asked.digest, self.app.pressed_at)
        if locked is Locked.UNSEEN:
            self.to_unseen()
            key = key_for("decide.approve")
            self.say_of_item((own("not answered: here is what you had not seen; read it, then {}", key, role="warn"),))
        elif locked is not None:
            self.say_of_item((own("too fast: the question was not on screen yet when you pressed", role="warn"),))
        return locked is None

    async def _preview(self, asked: AskedLook, verb: AnswerVerb) -> None:
        """Show what an answer that writes would do; it is given from there."""
        from curator_tui.tui.asked import correction_wanted, removal_wanted
        from curator_tui.tui.screens.answering import CorrectScreen
        from curator_tui.tui.screens.proposing import ProposeScreen

        looked = await self.app.clerk.ask(partial(_first_look, question=asked.question, verb=verb))
        if not self.is_current or self.asked is not asked:
            return
        if verb is AnswerVerb.CORRECT:
            wanted = correction_wanted(asked.question)
            self.app.push_screen(CorrectScreen(wanted, looked, asked.id), partial(self._written, asked, wanted))
        else:
            wanted = removal_wanted(asked.question)
            self.app.push_screen(ProposeScreen((wanted,), (looked,)), partial(self._removed, asked, wanted))

    def _written(self, asked: AskedLook, wanted: Wanted, answer: Edited | None) -> None:
        if answer is None:
            self.say((own("the question is still open"),))
        else:
            self._answer(_Given(asked.id, AnswerVerb.CORRECT, answer.looked.digest, wanted.done, answer))

    def _removed(self, asked: AskedLook, wanted: Wanted, answer: tuple[int, Edited] | None) -> None:
        if answer is None:
            self.say((own("the question is still open"),))
        else:
            self._answer(_Given(asked.id, AnswerVerb.REMOVE, answer[1].looked.digest, wanted.done, answer[1]))

    # -- sending ---------------------------------------------------------------------------------------------------

    def _answer(self, given: _Given) -> None:
        if not self.is_free():  # a preview may have been answered after something else began
            return
        self.busy = True
        following = self.rows.next_name(self.queue.cursor) if self.rows is not None else None
        self.app.gate.hide()
        self.work(partial(self._answered, given, following), "send", alone=False)

    async def _answered(self, given: _Given, following: str | None) -> None:
        assert self.board is not None
        try:
            receipt = await self.app.clerk.change(given.carry_out)
            taken = await board_after(self.app.clerk, self.board)
        except CuratorError as error:
            self.fail(error)
            self.busy = False
            await self.open_cursor()
            return
        self.busy = False
        if receipt.change is None:
            await self.not_done(receipt, taken)
            return
        gone = tuple(item.id for item in receipt.applied)
        self.app.session.note(receipt.change, given.words, self.app.clerk.desk.now(), gone)
        self.app.gate.forget(gone)
        self.wanted = ("", Edit())
        self.take_board(taken, following)
        done = own("{}; the question is closed. ", given.words, role="good")
        self.say(noted(receipt, (done, own("{} undoes it", key_for("undo")) if receipt.undoable else own(""))))
        await self.open_cursor()


def _first_look(desk: Desk, question: Question, verb: AnswerVerb) -> Looked:
    from curator_tui.curator.answering import look_at_answer

    desk.refresh()
    entry = question.challenge.entry or ""
    edit = Edit({0: entry}) if verb is AnswerVerb.CORRECT else Edit()
    return look_at_answer(desk, question.id, verb, edit)
