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
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import quoted_entry
from curator_tui.tui.gates import Frame, Locked
from curator_tui.tui.page_lines import Page
from curator_tui.tui.pages import split_facts
from curator_tui.tui.review.part import Part
from curator_tui.tui.screens.sending import Done
from curator_tui.tui.shown import Shown, own, say
from curator_tui.tui.widgets.reader import Reader

if TYPE_CHECKING:
    from curator_tui.curator.answering import AskedLook
    from curator_tui.tui.screens.editing import Edited
    from curator_tui.tui.wanted import Wanted


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


class Asking(Part):
    """Shows a question and answers it."""

    # -- showing ---------------------------------------------------------------------------------------------------

    def open_question(self, question: Question) -> None:
        """Read what a question is about and show it."""
        self.model.wanted = (question.id, Edit())
        self.screen.work(partial(self.open_question_now, question), "item")

    async def open_question_now(self, question: Question) -> None:
        """Read a question in the clerk's thread and show it, if it is still the one that is wanted."""
        from curator_tui.curator.answering import look_at_question

        self.model.wanted = (question.id, Edit())
        try:
            asked = await self.app.clerk.ask(lambda desk: look_at_question(desk, question))
        except UnknownItem:
            self.app.gate.hide()
            self.app.session.changed.add(question.id)
            self.screen.showing.draw_divider()
        except CuratorError as error:
            self.screen.fail(error)
        else:
            if self.model.wanted[0] == question.id:
                self._show_question(asked)

    def _show_question(self, asked: AskedLook) -> None:
        self.screen.showing.now_about(asked.id)
        self.model.looked, self.model.asked = None, asked
        self.screen.showing.draw_item()
        if asked.origin is None:
            self.screen.work(partial(self._look_up_origin, asked), "evidence")

    async def _look_up_origin(self, asked: AskedLook) -> None:
        from curator_tui.curator.answering import with_origin

        found = await self.app.clerk.ask(lambda desk: with_origin(desk, asked))
        if self.model.asked is asked and found.origin is not None:
            self.model.asked = found
            self.screen.showing.draw_item(keep=True)

    def draw_question(self, *, keep: bool = False) -> None:
        """Draw the question that is shown, and tell the gate."""
        from curator_tui.tui.asked import question_facts, question_page

        asked = self.model.asked
        assert asked is not None
        now = self.model.board.now if self.model.board is not None else 0.0
        pane = self.screen.query_one("#facts", Reader)
        below, rest = split_facts(question_facts(asked, self.app.clerk.desk.actor, now), pane.size)
        self.model.page = page = question_page(asked, self.model.look, rest)
        frame = Frame(asked.id, asked.digest, tuple(line.key for line in page.lines[: page.last_change + 1]), asked.id)
        if self.app.gate.frame != frame:
            self.app.gate.begin(frame)
        self.screen.reader.show(page, keep=keep)
        pane.show(Page(asked.id, "", tuple(below)))
        self.screen.showing.draw_gauge()
        self.screen.showing.draw_divider()
        self.screen.draw_status()

    # -- answering -------------------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Keep the entry that is disputed."""
        if (asked := self._to_answer()) is not None and self._was_seen(asked):
            kept = say("kept {}", quoted_entry(asked.question))
            words = kept if asked.question.present else say("closed the question {}", Shown(asked.id))
            self._answer(_Given(asked.id, AnswerVerb.KEEP, asked.digest, words))

    def preview(self, verb: AnswerVerb) -> None:
        """Show what removing the entry that is disputed would do, or open the field on it."""
        if (asked := self.to_change()) is not None:
            self.screen.work(partial(self._preview, asked, verb), "wanted")

    def _to_answer(self) -> AskedLook | None:
        """Return the question at hand, unless something speaks against answering it now."""
        asked = self.model.asked
        if not self.screen.is_free() or asked is None:
            return None
        if asked.id in self.app.session.changed:
            self.screen.say((own("it changed meanwhile: press {}, then answer", key_for("refresh"), role="warn"),))
            return None
        if asked.question.present is None:
            name = Shown(FILE_NAMES[asked.question.challenge.target])
            self.screen.say_of_item((own("{} cannot be read, so nothing can be answered", name, role="bad"),))
            return None
        return asked

    def to_change(self) -> AskedLook | None:
        """Return the question at hand, if its entry stands there to be changed."""
        asked = self._to_answer()
        if asked is not None and not asked.question.present:
            words = own(
                "the entry is gone or changed: {} only closes the question", key_for("decide.approve"), role="warn"
            )
            self.screen.say_of_item((words,))
            return None
        return asked

    def _was_seen(self, asked: AskedLook) -> bool:
        locked = self.app.gate.locked(asked.id, asked.digest, self.app.pressed_at)
        if locked is Locked.UNSEEN:
            self.screen.moving.to_unseen()
            key = key_for("decide.approve")
            self.screen.say_of_item(
                (own("not answered: here is what you had not seen; read it, then {}", key, role="warn"),)
            )
        elif locked is not None:
            self.screen.deciding.too_fast(Shown("the question"))
        return locked is None

    async def _preview(self, asked: AskedLook, verb: AnswerVerb) -> None:
        """Show what an answer that writes would do; it is given from there."""
        from curator_tui.tui.asked import correction_wanted, removal_wanted
        from curator_tui.tui.screens.answering import CorrectScreen
        from curator_tui.tui.screens.proposing import ProposeScreen

        looked = await self.app.clerk.ask(partial(_first_look, question=asked.question, verb=verb))
        if not self.screen.is_current or self.model.asked is not asked:
            return
        if verb is AnswerVerb.CORRECT:
            wanted = correction_wanted(asked.question)
            self.app.push_screen(CorrectScreen(wanted, looked, asked.id), partial(self._written, asked, wanted))
        else:
            wanted = removal_wanted(asked.question)
            self.app.push_screen(ProposeScreen((wanted,), (looked,)), partial(self._removed, asked, wanted))

    def _written(self, asked: AskedLook, wanted: Wanted, answer: Edited | None) -> None:
        if answer is None:
            self.screen.say((own("the question is still open"),))
        else:
            self._answer(_Given(asked.id, AnswerVerb.CORRECT, answer.looked.digest, wanted.done, answer))

    def _removed(self, asked: AskedLook, wanted: Wanted, answer: tuple[int, Edited] | None) -> None:
        if answer is None:
            self.screen.say((own("the question is still open"),))
        else:
            self._answer(_Given(asked.id, AnswerVerb.REMOVE, answer[1].looked.digest, wanted.done, answer[1]))

    # -- sending ---------------------------------------------------------------------------------------------------

    def _answer(self, given: _Given) -> None:
        following = self.model.rows.next_name(self.screen.queue.cursor) if self.model.rows is not None else None

        def told(receipt: Receipt) -> Done:
            return Done(given.words, say("; the question is closed"), ended=[item.id for item in receipt.applied])

        self.screen.going_on.send(given.carry_out, told, lambda _: following)


def _first_look(desk: Desk, question: Question, verb: AnswerVerb) -> Looked:
    from curator_tui.curator.answering import look_at_answer

    desk.refresh()
    entry = question.challenge.entry or ""
    edit = Edit({0: entry}) if verb is AnswerVerb.CORRECT else Edit()
    return look_at_answer(desk, question.id, verb, edit)
