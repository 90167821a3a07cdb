"""Undo and redo, the same on every screen: the newest change of this person, or one of any age, as a new change.

Here: what is asked before, and what is said after. Not here: what a revert does (``core.reverts``), how a screen shows
what came back (each does so in :meth:`Reverting.reverted`). The change that the status row names is undone at once; any
other one is named first and wants ``y``. Where entries moved on, texts are asked for, and what comes of them is shown
before it is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from textual.geometry import Size

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import TARGETS, Document, Target, parse
from curator_tui.core.reason_words import reason_word
from curator_tui.core.reverts import UndoPreview
from curator_tui.curator.deeds import ENDINGS
from curator_tui.curator.desk import Desk
from curator_tui.curator.effects import aside_effects
from curator_tui.curator.history import kept_proposals, later_than, reverting_of, undo_preview, written_since
from curator_tui.curator.ledger_view import reasons
from curator_tui.curator.looking import Board, DocumentView, documents_view
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import age
from curator_tui.tui.screens.base import DeskScreen
from curator_tui.tui.screens.sending import Sending
from curator_tui.tui.session import Session
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, say, shown_line
from curator_tui.tui.words import LISTED, Names, deed_words, item_words, name_of

Takes = Mapping[int, str | None]
_CHANGED = "it changed meanwhile. Press again to see what it would do now"
_NAMED = 2  # items that could not come back and are named


class Revert(NamedTuple):
    """What an undo or redo would do, in words.

    Attributes:
        preview: the outcome.
        words: the change that is undone or redone.
        names: words for its items.
        reasons: why each was decided, where a reason was given.
    """

    preview: UndoPreview
    words: Shown
    names: Names
    reasons: Names


class LookedBack(NamedTuple):
    """What undoing or redoing one change would do.

    Attributes:
        told: the revert, and words for it.
        documents: each document that changes, before and after.
        later: how many changes were made after the one that is reverted.
        strange: whether another program wrote a document since the last recorded change.
        takes: the texts that were chosen for entries that moved on.
        redo: whether an undo is undone.
        before: digest of it while no text was chosen: the choice counts for the texts shown then and no others.
    """

    told: Revert
    documents: tuple[DocumentView, ...]
    later: int
    strange: bool
    takes: Takes
    redo: bool
    before: str


class Reverting(DeskScreen):
    """The keys ``u`` and ``U``.

    Attributes:
        board: the queue as last read; None before it was.
        sending: carries out what is decided here.
    """

    board: Board | None

    def __init__(self, size: Size) -> None:
        super().__init__(size)
        self.sending = Sending(self)

    def spend(self) -> None:
        """What is painted is spent: no second key may decide what is being decided; see :meth:`unspend`."""

    async def unspend(self) -> None:
        """Show again what is looked at: nothing became of the change it was spent for."""

    async def reverted(self, receipt: Receipt, taken: Board) -> None:
        """Show what a revert left behind, whether it was made or not.

        Args:
            receipt: what became of it.
            taken: the queue after it.
        """
        raise NotImplementedError

    def action_undo(self) -> None:
        """Undo the newest change of this person."""
        self._start(redo=False)

    def action_redo(self) -> None:
        """Undo the newest undo."""
        self._start(redo=True)

    def _start(self, *, redo: bool) -> None:
        if self.board is not None:
            look = partial(self.app.clerk.ask, partial(_look, redo=redo))
            named = self.app.session.named(redo=redo)
            self.sending.begin(look, partial(self._looked_first, named, redo=redo), "revert")

    async def _looked_first(self, named: str | None, told: Revert | None, *, redo: bool) -> None:
        """Do it; ask where it is about another change than was named when the key was pressed."""
        if told is None:
            self.say((own("nothing to redo" if redo else "nothing to undo"),))
            return
        preview = told.preview
        if preview.refused is not None:
            self.say((own("nothing was written: {}", message(preview.refused.message), role="warn"),))
        elif preview.reverted.moved_on:
            self._ask_texts(told, preview.digest, redo=redo)
        elif preview.change.id == named:
            self._go(preview, told.words, {}, redo=redo)
        else:
            self._ask_unnamed(told, redo=redo)

    def _ask_unnamed(self, told: Revert, *, redo: bool) -> None:
        from curator_tui.tui.screens.second import AskScreen

        preview = told.preview
        ago = age(self.app.clerk.desk.now() - preview.change.at)
        run = say("this run" if preview.change.id in self.app.session.made else "another run")
        lines: list[Line] = [
            (own("This was undone in {}, {} ago: ", run, ago), own("{}", told.words, role="strong"))
            if redo
            else (own("This is a change of {}: ", run), own("{}, {} ago", told.words, ago, role="strong")),
            *queue_lines(told),
        ]
        word = say("redo" if redo else "undo")

        def answered(yes: bool | None) -> None:
            if yes:
                self._go(preview, told.words, {}, redo=redo)
            else:
                self.say((own("not redone" if redo else "not undone"),))

        self.app.push_screen(AskScreen(word, lines, say("{} it", word)), answered)

    def revert_one(self, change: str) -> None:
        """Show what undoing a change of any age alone would do, or redoing it where it is undone; then do it."""
        self._look_one(change, {}, "")

    def _look_one(self, change: str, takes: Takes, before: str) -> None:
        look = partial(self.app.clerk.ask, partial(look_at_one, change=change, takes=takes))
        self.sending.begin(look, partial(self._looked_one, before), "revert")

    async def _looked_one(self, before: str, looked: LookedBack | None) -> None:
        """Show what comes of it; texts that were chosen count only for those they were chosen from.

        Args:
            before: digest of the outcome that the texts were chosen for; empty where none was chosen.
            looked: the outcome with these texts; None where there is nothing to revert.
        """
        if looked is None:
            self.say((own("nothing to undo in this row"),))
            return
        preview = looked.told.preview
        if before and looked.before != before:
            self.say((own("nothing was written: {}", Shown(_CHANGED), role="warn"),))
        elif preview.refused is not None:
            self.say((own("nothing was written: {}", message(preview.refused.message), role="warn"),))
        elif preview.reverted.moved_on:
            self._ask_texts(looked.told, looked.before, redo=looked.redo)
        else:
            self._ask_one(looked)

    def _ask_texts(self, told: Revert, before: str, *, redo: bool) -> None:
        from curator_tui.tui.screens.moved_on import MovedOnScreen

        def answered(takes: Takes | None) -> None:
            if takes is None:
                self.say((own("not redone" if redo else "not undone"),))
            else:
                self._look_one(told.preview.change.id, takes, before)

        self.app.push_screen(MovedOnScreen(told.words, told.preview.reverted.moved_on), answered)

    def _ask_one(self, looked: LookedBack) -> None:
        from curator_tui.tui.screens.reverted import RevertScreen

        def answered(yes: bool | None) -> None:
            if yes:
                self._go(looked.told.preview, looked.told.words, looked.takes, redo=looked.redo)
            else:
                self.say((own("not redone" if looked.redo else "not undone"),))

        self.app.push_screen(RevertScreen(looked), answered)

    def _go(self, preview: UndoPreview, words: Shown, takes: Takes, *, redo: bool) -> None:
        self.sending.revert(
            partial(_carry_out, preview=preview, takes=takes, redo=redo),
            preview.change.id,
            partial(done_words, words, redo=redo),
        )


def undo_line(session: Session, now: float) -> Line:
    """Name what ``u`` undoes without asking; empty where there is no change of this run that it would undo."""
    if session.last is None:
        return EMPTY
    ago = age(now - session.last.at)
    return (own("Undo ready: ", role="dim"), own("{} {} ago ({})", session.last.words, ago, key_for("undo")))


def _look(desk: Desk, *, redo: bool) -> Revert | None:
    """Work out what an undo or redo would do, and the words for it; None where there is nothing to revert."""
    preview = undo_preview(desk, redo=redo)
    return revert_words(desk, preview) if preview is not None else None


def look_at_one(desk: Desk, change: str, takes: Takes) -> LookedBack | None:
    """Work out what undoing one change alone would do, or redoing it where it is undone.

    Raises:
        UnknownItem: there is no such change, or what undid it did more than that.
    """
    name, redo = reverting_of(desk, change)
    preview = undo_preview(desk, name, takes=takes, redo=redo)
    first = undo_preview(desk, name, redo=redo) if takes else preview
    if preview is None or first is None:
        return None
    snapshot = desk.read_documents()
    now = {target: snapshot.document(target) for target in TARGETS}
    after: dict[Target, Document] = {t: parse(t, raw) for t, raw in preview.reverted.documents.items()}
    views = documents_view(now, after, snapshot.limits)
    later, strange = later_than(desk, preview.change), written_since(desk)
    return LookedBack(revert_words(desk, preview), views, later, strange, takes, redo, first.digest)


def revert_words(desk: Desk, preview: UndoPreview) -> Revert:
    """Return the words for what a revert would do."""
    from curator_tui.curator.row_subjects import first_of, meant_by

    first = first_of(desk, preview.change)
    kept = kept_proposals(
        desk,
        (*first.closed, *preview.change.closed, *preview.change.returned, *(one.decided for one in preview.returned)),
    )
    names = {name: item_words(one) for name, one in kept.items()}
    why = {name: _why(*reason) for name, reason in reasons(desk, preview.change).items()}
    return Revert(preview, deed_words(first, names, meant_by(desk, first)), names, why)


def _why(code: str, words: str) -> Shown:
    return Shown(": ".join(part for part in (shown_line(reason_word(code), 20), shown_line(words, 60)) if part))


def queue_lines(told: Revert) -> list[Line]:
    """Say which records come back to the queue, and why they had left it, and everything else that comes along."""
    lines: list[Line] = []
    for item in told.preview.returned:
        why, ending = told.reasons.get(item.proposal), item.decided.ending
        because = own(" ({}: {})", Shown(ENDINGS.get(ending, ending)), why, role="dim") if why else own("")
        lines.append((own("  {} comes back to the queue", name_of(item.proposal, told.names)), because))
    lines += [(own("  {} is closed again", name_of(part.id, told.names)),) for part in told.preview.closing]
    aside = told.preview.aside
    lines += [(own("  {} {}", shown_line(one.about, 16), message(one.words)),) for one in aside_effects(aside)]
    warnings = (*(failed.message for failed in told.preview.stuck), *aside.notes)
    lines += [(own("  {}", message(words), role="warn"),) for words in warnings]
    more = len(lines) - LISTED
    return [*lines[:LISTED], (own("  and {} more", more, role="warn"),)] if more > 0 else lines


def _carry_out(desk: Desk, preview: UndoPreview, takes: Takes, *, redo: bool) -> Receipt:
    """Revert exactly as it was previewed."""
    make = desk.redo if redo else desk.undo
    return make(preview.change.id, takes=takes, shown=preview.digest)


def done_words(changed: Shown, receipt: Receipt, *, redo: bool) -> Line:
    """Say what became of it: made, made in part, or why not."""
    told = receipt.causes if receipt.change is None else receipt.not_applied
    causes = [message(failed.message) for failed in told[:_NAMED]]
    stuck = Shown("; ".join(causes))
    if receipt.change is None:
        return (own("nothing was written: {}", stuck or Shown(_CHANGED), role="warn"),)
    words = say("redone: {}", changed) if redo else say("undone: {}", changed)
    back = own("; {} back in the queue", len(receipt.returned)) if receipt.returned else own("")
    if stuck:
        more = len(receipt.not_applied) - _NAMED
        rest = own(" (and {} more)", more, role="warn") if more > 0 else own("")
        return (own("{}", words, role="good"), back, own(". {}", stuck, role="warn"), rest)
    return (own("{}", words, role="good"), back, *_way_back(receipt, redo=redo))


def _way_back(receipt: Receipt, *, redo: bool) -> Line:
    """Promise that a revert can be reverted in turn, where there is anything in it."""
    if not receipt.undoable:
        return ()
    return (
        own("  ({} undoes this)", key_for("undo"), role="dim")
        if redo
        else own("  ({} redoes it)", key_for("redo"), role="dim"),
    )
