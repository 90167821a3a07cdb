"""Deciding about the item on screen: approve, reject, edit, inside only, skip.

Here: from a key to a request, and from its receipt back to the screen. Not here: whether an approval is allowed
(``core.review``), what was painted (``gates``), the dialogs. An approval carries the digest of the painted page; the
store compares it and answers *moved* where the outcome is another one by now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from curator_tui.core.changes import Receipt
from curator_tui.core.endings import Ending
from curator_tui.core.keeping import says_secret
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit, editable
from curator_tui.core.reason_words import reason_word
from curator_tui.core.requests import Decision, Reason, ReasonCode, Verb
from curator_tui.core.review import OVERRIDABLE, approval_problem
from curator_tui.curator.desk import Desk
from curator_tui.curator.looking import Looked
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import counted
from curator_tui.tui.gates import Locked, too_fast_words
from curator_tui.tui.review.marking import StillMarked, lost_words, still_marked
from curator_tui.tui.review.part import Part
from curator_tui.tui.screens.sending import Done
from curator_tui.tui.shown import Line, Piece, Shown, fit, message, own, say, shown_line, words_of
from curator_tui.tui.ways import way_out, whole_only
from curator_tui.tui.words import ended, item_title, item_words

if TYPE_CHECKING:
    from curator_tui.curator.desk import Desk
    from curator_tui.curator.queue_model import Row
    from curator_tui.tui.screens.rejecting import Rejections

_NOTHING = Shown("")
_STANDS_WIDTH = 36
_VERBS = {Verb.APPROVE: "approved", Verb.REJECT: "rejected", Verb.LOG_ONLY: "closed without writing"}


class Deciding(Part):
    """Keys that decide about one item."""

    # -- the keys --------------------------------------------------------------------------------------------------

    def approve(self) -> None:
        """Approve what was painted last, if every gate is open."""
        looked = self.at_hand()
        if looked is None:
            return
        if (problem := approval_problem(looked.found, OVERRIDABLE)) is not None:
            self._explain(looked, problem[0])
            return
        locked = self.app.gate.locked(looked.id, looked.digest, self.app.pressed_at)
        if locked is Locked.UNSEEN:
            self.screen.moving.to_unseen()
            key = key_for("decide.approve")
            self.screen.say_of_item(
                (own("not approved: here is what you had not seen; read it, then {}", key, role="warn"),)
            )
        elif locked is not None:
            self.too_fast(shown_line(looked.id), locked)
        elif self._closes_unseen():
            pass
        elif looked.override:
            self._ask_second(looked)
        else:
            self.decide_now(looked, Verb.APPROVE)

    def _closes_unseen(self) -> bool:
        """Whether an approval would close a wording that nobody opened; says so."""
        if not self.model.unseen_wordings():
            return False
        key = key_for("alternative.next")
        self.screen.say_of_item(
            (own("not approved: another wording would be closed unseen; {} shows it", key, role="warn"),)
        )
        return True

    def reject(self) -> None:
        """Reject, whatever the item would do: the ledger says what the key said."""
        looked = self.at_hand()
        if looked is not None and self.is_shown(looked):
            self.decide_now(looked, Verb.REJECT)

    def log_only(self) -> None:
        """Close the item without writing anything of it."""
        looked = self.at_hand()
        if looked is not None and self.is_shown(looked):
            self.decide_now(looked, Verb.LOG_ONLY)

    def reject_with_reason(self) -> None:
        """Ask for the reason first; where items are marked, it is about all of them."""
        if self.app.session.marked:
            self.reject_marked()
            return
        from curator_tui.tui.screens.reasons import ReasonScreen

        looked = self.at_hand()
        if looked is not None and self.is_shown(looked):

            def answered(answer: tuple[ReasonCode, str] | None) -> None:
                if answer is not None and looked.is_same(self.model.looked):
                    self.decide_now(looked, Verb.REJECT, *answer)
                else:
                    self.screen.say((own("not rejected"),))

            title, record = say("reject {}", item_title(looked.found.proposal)), looked.item.found.proposal.digest
            self.app.push_screen(ReasonScreen(title, frozenset({(looked.id, record)})), answered)

    def reject_marked(self) -> None:
        """Show the marked items together, ask why, and reject them as one change."""
        if self.screen.is_free():
            self.screen.work(partial(self._ask_many, self.app.session.marked_records), "reject")

    def reject_now(self, rejections: Rejections) -> None:
        """Reject items as one change, as was decided."""
        decisions, digest = rejections
        words = say("rejected {} ({})", counted(len(decisions), "item"), Shown(reason_word(str(decisions[0].reason))))
        self._send(decisions, digest, words)

    async def _ask_many(self, marks: Mapping[str, str]) -> None:
        from curator_tui.curator.rejecting import rows_of
        from curator_tui.tui.screens.rejecting import Rejections, RejectManyScreen

        def read(desk: Desk) -> tuple[StillMarked, tuple[Row, ...], str]:
            still = still_marked(desk, marks)
            return still, *rows_of(desk, still.kept, whole=False)

        still, rows, digest = await self.app.clerk.ask(read)
        self.screen.marking.drop(still.lost)

        def answered(decisions: tuple[Decision, ...] | None) -> None:
            if decisions:
                self.reject_now(Rejections(decisions, digest))
            else:
                self.screen.say((own("nothing rejected"),))

        if not rows:
            self.screen.say((own("none of these items waits any more as it was marked"),))
        elif self.screen.is_current:
            self.app.push_screen(RejectManyScreen(rows, lost_words(still.lost) or None), answered)

    def skip(self) -> None:
        """Put the item to the end for this run; nothing is stored."""
        row = self.screen.showing.current_row()
        if row is None or self.model.rows is None or self.model.board is None:
            return
        following = self.model.rows.after(self.screen.queue.cursor)
        self.app.session.skipped[row.id] = None
        self.model.wanted = ("", Edit())
        self.app.gate.hide()  # what is painted is not what the next key is for
        self.screen.paging.put_in_order(following.id if following is not None else row.id)
        self.screen.say((own("skipped {}. It waits at the end of the list", item_words(row.proposal)),))

    def show_inside(self) -> None:
        """Show the variant that changes only the matched words inside the entry; ``a`` approves it."""
        looked = self.at_hand()
        if looked is None:
            return
        if not looked.item.found.inside:
            self.screen.say_of_item((own("there is no variant inside the entry: {}", whole_only(looked)),))
            return
        self.screen.showing.open_item(looked.id, looked.inside_only)
        self.screen.say_of_item(
            (
                own(
                    "inside only: this is what would be written; {} approves, {} goes back",
                    key_for("decide.approve"),
                    key_for("clear"),
                    role="warn",
                ),
            )
        )

    def edit(self) -> None:
        """Open the editor on one's own version."""
        looked = self.at_hand()
        if looked is not None:
            self.open_edit(looked)

    def write_outside(self) -> None:
        """Write one's own version in ``$EDITOR`` first."""
        from curator_tui.tui.editor import edit_outside

        looked = self.at_hand()
        if looked is None or not self._is_editable(looked):
            return
        step = editable(looked.item.found.proposal)[0]
        key = (looked.id, step)
        drafts = self.app.session.drafts
        text, problem = edit_outside(self.app, drafts.get(key, looked.text_to_edit(step)))
        if text is not None:
            drafts[key] = text
        self.open_edit(looked, problem)

    # -- what the keys need ----------------------------------------------------------------------------------------

    def at_hand(self) -> Looked | None:
        """Return the item that a key is about, unless something speaks against deciding anything now."""
        if self.model.asked is not None:
            self.screen.showing.tell_no_row()
            return None
        if not self.screen.is_free():
            return None
        if self.app.trouble is not None:
            self.screen.say((own("cannot be read now: nothing is decided", role="bad"),))
            return None
        if self.model.looked is None:
            waits = self.screen.showing.current_row() is not None
            self.screen.say((own("the item is still being read" if waits else "nothing waits here"),))
            return None
        if self.model.looked.id in self.app.session.changed:
            self.screen.say_of_item(
                (own("it changed on disk since it was drawn: press {}, then decide", key_for("refresh"), role="warn"),)
            )
            return None
        return self.model.looked

    def is_shown(self, looked: Looked) -> bool:
        """Whether the item was on screen when the key was pressed; says so where it was not."""
        locked = self.app.gate.shown_problem(looked.id, self.app.pressed_at)
        if locked is None:
            return True
        self.too_fast(shown_line(looked.id), locked)
        return False

    def too_fast(self, what: Shown, locked: Locked) -> None:
        """Say why a key came before what it is about was on screen."""
        if not self.screen.reader.display or not self.screen.reader.size:
            words: Line = (own("its text is not on screen: {} shows it", key_for("pane.next"), role="warn"),)
        else:
            words = too_fast_words(what, locked, self.app.timing.dwell)
        self.screen.say_of_item(words)

    def _explain(self, looked: Looked, state: State) -> None:
        """Do what helps with an item that cannot be approved as it stands, or say what would."""
        if state in {State.STALE, State.AMBIGUOUS}:
            self.screen.picking.choose_entry(looked, state)
            return
        # the way first: of a row that is too short the reason goes, which stands among the facts anyway
        reason = looked.found.reasons.get(state)
        told = say(" ({})", message(reason.message)) if reason is not None else Shown("")
        self.screen.say_of_item((own("{}: {}{}", state, way_out(looked, state), told, role="warn"),))

    # -- questions -------------------------------------------------------------------------------------------------

    def _ask_second(self, looked: Looked) -> None:
        from curator_tui.tui.screens.second import Answer, SecondScreen

        def answered(answer: Answer | None) -> None:
            if answer is None or not looked.is_same(self.model.looked):
                self.screen.say((own("not approved"),))
            elif answer.inside:
                self.show_inside()
            else:
                self.decide_now(looked, Verb.APPROVE, answer.reason, answer.note)

        self.app.push_screen(SecondScreen(looked), answered)

    def _is_editable(self, looked: Looked) -> bool:
        if editable(looked.item.found.proposal):
            return True
        self.screen.say_of_item((own("there is no text to edit in this item: {}", whole_only(looked)),))
        return False

    def open_edit(self, looked: Looked, problem: str = "", begin_with: Mapping[int, str] | None = None) -> None:
        """Open the editor on an item, as it stands or with the entry that was picked for it.

        Args:
            looked: the item.
            problem: what is said over the field.
            begin_with: what its steps begin with, in place of a draft and of what is best to begin with.
        """
        from curator_tui.tui.screens.editing import Edited, EditScreen

        if not self._is_editable(looked) or self._closes_unseen():
            return

        def saved(answer: Edited | None) -> None:
            if answer is None:
                draft = own("; your draft is kept: {} opens it again", key_for("decide.edit"))
                self.screen.say((own("not approved"), *((draft,) if self._has_draft(looked.id) else ())))
                return
            decision = replace(
                answer.looked.decision(Verb.APPROVE, self.model.source_of(looked)),
                reason=answer.reason,
                note=answer.note,
                seen=answer.seen,
            )
            self._send(
                [decision],
                answer.looked.digest,
                say("approved your version of {}", _what_stands(answer.looked)),
                item_words(looked.item.found.proposal),
            )

        self.app.push_screen(EditScreen(looked, problem, begin_with), saved)

    def _has_draft(self, name: str) -> bool:
        return any(key[0] == name for key in self.app.session.drafts)

    # -- sending ---------------------------------------------------------------------------------------------------

    def decide_now(self, looked: Looked, verb: Verb, reason: Reason | None = None, note: str = "") -> None:
        """Send a decision about an item as it was painted."""
        decision = looked.decision(verb, self.model.source_of(looked))
        decision = replace(decision, reason=reason, note=note, seen=self.app.gate.seen)
        approves = verb is Verb.APPROVE
        did = say("approved a version of") if approves and not decision.edit.empty else Shown(_VERBS[verb])
        told = say("{} {}", did, _what_stands(looked) if approves else item_words(looked.item.found.proposal))
        if reason is not None:
            told = say("{} ({})", told, reason)
        self._send([decision], looked.digest if approves else None, told, item_words(looked.item.found.proposal))

    def _send(self, decisions: Sequence[Decision], shown: str | None, words: Shown, item: Shown = _NOTHING) -> None:
        """Send decisions, told by ``words``; ``item`` names the one that may turn out to write nothing."""
        offered = self.model.rows.free_after(self.screen.queue.cursor) if self.model.rows is not None else ()
        following = list(offered[:1])

        def decide(desk: Desk) -> Receipt:
            receipt = desk.decide(decisions, shown=shown)
            if receipt.change is not None and (free := desk.claims.first_free(offered)) is not None:
                following[:] = [free]
            return receipt

        def told(receipt: Receipt) -> Done:
            unwritten = any(part.ending is Ending.LOG_ONLY for part in receipt.applied)
            did = say("{} {}", Shown(_VERBS[Verb.LOG_ONLY]), item) if unwritten and item else words
            return Done(_with_closed(did, decisions[0].verb, receipt), ended=ended(receipt))

        self.screen.going_on.send(decide, told, lambda _: next(iter(following), None))


def _what_stands(looked: Looked) -> Shown:
    """Name an approved item by what now stands there: of a version of it not by the words that were proposed."""
    found = looked.found
    texts = [(step.operation.target, step.after) for step in found.steps if step.after is not None]
    if looked.edit.empty or not texts or says_secret(found.proposal):
        return item_words(looked.item.found.proposal)
    target, text = texts[0]
    more = say(" and {} more", len(texts) - 1) if len(texts) > 1 else Shown("")
    return say("{}: '{}'{}", target, words_of(fit((Piece(shown_line(text)),), _STANDS_WIDTH)), more)


def _with_closed(words: Shown, verb: Verb, receipt: Receipt) -> Shown:
    """Return the words for a decision with what was closed along with it."""
    if not receipt.closed:
        return words
    did = Shown(_VERBS[verb]) if verb is Verb.REJECT else say("closed")
    alike = all(item.ending is Ending.ALREADY for item in receipt.closed)
    same = say("that say the same") if alike else say("for the same entry")
    return say("{} and {} {} more {}", words, did, len(receipt.closed), same)
