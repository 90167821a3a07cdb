"""The model of the review screen: what is looked at, and what follows from it for the keys.

Here: board, item or question, page, what ``a`` does now and the words about what keeps it locked. Not here: drawing
(``showing``), whether an approval is allowed (``core.review``), what was painted (``gates``), marks and filter, which
outlive the screen (``session``).
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, cast

from textual.screen import Screen

from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit, editable
from curator_tui.core.review import OVERRIDABLE, approval_problem
from curator_tui.curator.looking import Board, Looked, look
from curator_tui.curator.queue_model import Row
from curator_tui.tui.actions import answer_keys, key_for
from curator_tui.tui.facts import state_piece
from curator_tui.tui.gates import Locked
from curator_tui.tui.page_lines import Look, Page
from curator_tui.tui.queue_rows import QueueRows
from curator_tui.tui.screens.acting import read_only_words
from curator_tui.tui.screens.reverting import undo_line
from curator_tui.tui.screens.watching import Basis
from curator_tui.tui.shown import EMPTY, Line, message, own
from curator_tui.tui.ways import way_out

if TYPE_CHECKING:
    from curator_tui.curator.answering import AskedLook
    from curator_tui.curator.values import Evidence
    from curator_tui.tui.app import CuratorApp

NOTHING = Page("", "", ())
OF_ROWS = frozenset(
    {"decide.approve", "decide.reject", "decide.reject_reason", "decide.edit", "decide.skip", "decide.defer",
     "decide.log_only", "change.next", "mark.toggle", "mark.range", "mark.all", "mark.section", "plan.open",
     "view.source", "copy"}
)  # fmt: skip
"""Actions that mean nothing where no row is."""
_READ_ONLY = own("read only", role="warn")
_LABELS = {"decide.approve": "keep", "decide.edit": "correct", "decide.reject": "remove"}
_NOT_FOR_QUESTIONS = frozenset(
    {"decide.inside", "decide.skip", "decide.defer", "decide.log_only", "decide.reject_reason", "mark.toggle",
     "alternative.next", "view.source", "decide.editor"}
)  # fmt: skip


class ReviewModel:
    """What the review screen shows, and what its keys do with it.

    Attributes:
        board: the queue as last read; None before it was.
        rows: its rows as they are listed.
        looked: the item that is shown; None while a question or nothing is.
        asked: the question that is shown; None while an item or nothing is.
        page: what stands in the text.
        look: how it is drawn.
        laid_out: whether the size of the screen is known.
        wanted: id of the item or question that shall be shown, and the edit it shall be shown with; no id for none.
        told_of: the item that the message in the status row is about; empty where it is true whatever is shown.
        gone: the row under the cursor, where its item left the queue meanwhile.
        ending: how, by whom and when it was decided; empty where nobody knows.
        sources: where claims came from, by id and digest of their records.
    """

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self.board: Board | None = None
        self.rows: QueueRows | None = None
        self.looked: Looked | None = None
        self.asked: AskedLook | None = None
        self.page = NOTHING
        self.look = Look()
        self.laid_out = False
        self.wanted: tuple[str, Edit] = ("", Edit())
        self.told_of = ""
        self.gone: Row | None = None
        self.ending = ""
        self.sources: dict[tuple[str, str], Evidence] = {}

    @property
    def app(self) -> CuratorApp:
        """The application: its session, its gate, its clock."""
        return cast("CuratorApp", self._screen.app)

    def start_over(self) -> None:
        """Forget what was shown: it was of another desk."""
        self.board, self.looked, self.asked, self.gone = None, None, None, None
        self.wanted = ("", Edit())
        self.sources = {}

    def source_of(self, looked: Looked) -> Evidence | None:
        """Return where the claim came from, once that is known: of this record, not of another under the same id."""
        return self.sources.get((looked.id, looked.item.found.proposal.digest))

    def basis(self) -> Basis | None:
        """Return what a dialog is about: the marked items as they were marked, else what is shown as it was painted."""
        if marked := dict(self.app.session.marked):
            return Basis(lambda desk: desk.digests_of(marked), marked)
        if (asked := self.asked) is not None:
            return Basis(lambda desk: next((one for one in desk.asked() if one.id == asked.id), None), asked.question)
        if (looked := self.looked) is None:
            return None
        return Basis(lambda desk: look(desk, looked.id, looked.edit).digest, looked.digest)

    def key_labels(self) -> dict[str, str]:
        """Return other labels of the keys, for a question."""
        return _LABELS if self.asked is not None else {}

    def hidden_keys(self) -> frozenset[str]:
        """Return the actions that mean nothing for what is shown."""
        hidden = set(_NOT_FOR_QUESTIONS if self.asked is not None else ())
        if self.looked is None or len(self.looked.item.members) < 2:
            hidden.add("alternative.next")
        if self.looked is None or not self.looked.offers_inside:
            hidden.add("decide.inside")
        if self.looked is not None and not editable(self.looked.item.found.proposal):
            hidden |= {"decide.edit", "decide.editor"}
        if self.board is None or not self.board.facts.profiles:
            hidden.add("go.profiles")
        if self.board is None or not self.board.facts.skills_waiting:
            hidden.add("go.skills")
        return frozenset(hidden)

    def a_is_locked(self) -> bool:
        """Whether ``a`` would only jump, explain or do nothing now."""
        if self.app.trouble is not None:
            return True
        if self.asked is not None:
            changed = self.asked.id in self.app.session.changed
            return self.app.read_only or changed or self.asked.question.present is None or bool(self.app.gate.unseen())
        if self.looked is None or self.app.read_only or self.looked.id in self.app.session.changed:
            return True
        problem = approval_problem(self.looked.found, OVERRIDABLE)
        return problem is not None or self.locked_by() is not None or self.unseen_wordings() > 0

    def locked_by(self) -> Locked | None:
        """Return what keeps ``a`` locked for the item on screen, the dwell left aside."""
        assert self.looked is not None
        found = self.app.gate.locked(self.looked.id, self.looked.digest, monotonic() + self.app.timing.dwell)
        return None if found is Locked.TOO_SOON else found

    def unseen_wordings(self) -> int:
        """Return how many other wordings, which an approval of this one would close, were not seen whole yet."""
        opened = self.app.gate.opened()
        wordings = self.looked.wordings if self.looked is not None else ()
        return sum(not any(name in opened for name in same) for same in wordings)

    def lock_words(self) -> Line:
        """Say what ``a`` does now, or what keeps it locked; of a question what its keys do."""
        looked = self.looked
        if self.app.trouble is not None and (looked is not None or self.asked is not None):
            return (own("cannot be read now: nothing is decided", role="bad"),)
        if looked is None:
            return self._question_words(self.asked) if self.asked is not None else EMPTY
        return self._item_words(looked)

    def _item_words(self, looked: Looked) -> Line:
        """Say what ``a`` does with an item, or what keeps it locked."""
        if looked.id in self.app.session.changed:
            what = self.ending if self.gone is not None and self.ending else "changed on disk"
            return (own("{}: press {} to redraw", message(what), key_for("refresh"), role="warn"),)
        problem = approval_problem(looked.found, OVERRIDABLE)
        if self.app.read_only:
            # its state is what there is to know of it: every way that a key opens elsewhere is closed here
            return (*((state_piece(problem[0]), own("; ")) if problem is not None else ()), _READ_ONLY)
        if problem is not None:
            return (state_piece(problem[0]), own(": {}", way_out(looked, problem[0])))
        return self._open_words(looked)

    def _open_words(self, looked: Looked) -> Line:
        """Say what ``a`` does with an item that may be approved once it was read."""
        approve = key_for("decide.approve")
        if self.locked_by() is Locked.UNSEEN:
            total = sum(line.change is not None for line in self.page.lines)
            return (
                own(
                    "seen {}/{}: {} is locked, press {}",
                    total - len(self.app.gate.unseen()),
                    total,
                    approve,
                    key_for("change.next"),
                    role="warn",
                ),
            )
        if State.NO_CHANGE in looked.found.conditions:
            return (own("{} approves: nothing to write, it closes", approve),)
        if rest := self.unseen_wordings():
            return (
                own(
                    "{} of {} wordings not seen: press {}",
                    rest,
                    looked.item.alternatives,
                    key_for("alternative.next"),
                    role="warn",
                ),
            )
        inside = own(", {} changes inside only", key_for("decide.inside")) if looked.offers_inside else own("")
        if looked.override:
            return (
                own("{} asks {}: ", approve, key_for("second.yes"), role="warn"),
                state_piece(looked.found.state),
                inside,
            )
        return (own("all seen: {} approves", approve, role="good"), inside)

    def _question_words(self, asked: AskedLook) -> Line:
        """Say what the keys do with a question, or what keeps them locked."""
        if asked.id in self.app.session.changed:
            return (own("changed meanwhile: press {} to redraw", key_for("refresh"), role="warn"),)
        if asked.question.present is None:
            return (own("its document cannot be read", role="bad"),)
        if self.app.read_only:
            return (_READ_ONLY,)
        if self.app.gate.unseen():
            return (own("read all of it first: {} goes on", key_for("change.next"), role="warn"),)
        if not asked.question.present:
            return (own("{} closes the question", key_for("decide.approve"), role="good"),)
        return (own("{} keeps it, {} corrects it, {} removes it", *answer_keys(), role="good"),)

    def standing(self) -> Line:
        """Return the undo line, or what to do first."""
        first = self._redraw_words() or (read_only_words(web=self.app.is_web) if self.app.read_only else EMPTY)
        if first:
            return first
        if self.looked is not None and self.looked.deferred:
            both = key_for("decide.defer"), key_for("view.deferred")
            return (own("deferred: {} brings it back or takes another day, {} lists the queue", *both, role="note"),)
        return undo_line(self.app.session, self.app.clerk.desk.now()) or self._hint()

    def _hint(self) -> Line:
        """Say what to press, where nothing was done yet."""
        if self.asked is not None:
            answers = *answer_keys(), key_for("help")
            return (own("{} keeps the entry, {} corrects it, {} removes it, {} shows every key", *answers, role="dim"),)
        if (self.rows is not None and not len(self.rows)) or self.app.trouble is not None:
            return (own("{} shows every key", key_for("help"), role="dim"),)
        if self.looked is not None and (problem := approval_problem(self.looked.found, OVERRIDABLE)) is not None:
            ways = way_out(self.looked, problem[0]), key_for("decide.skip"), key_for("help")
            return (own("{}, {} skips, {} shows every key", *ways, role="dim"),)
        names = ("decide.approve", "decide.reject", "decide.skip", "help")
        keys = (key_for(name) for name in names)
        return (own("{} approves what you see, {} rejects, {} skips, {} shows every key", *keys, role="dim"),)

    def _redraw_words(self) -> Line:
        """Say what comes before any answer, where what is on screen is not what is there any more."""
        now, changed = key_for("refresh"), self.app.session.changed
        shown = (self.asked or self.looked) if self.app.read_only else None
        if shown is not None and shown.id in changed:
            return (own("{} shows what is there now", now),)
        if self.asked is not None and self.asked.id in changed:
            return (own("{} shows what is there now; then {} keeps, {} corrects, {} removes", now, *answer_keys()),)
        if self.looked is not None and self.looked.id in changed:
            answers = key_for("decide.approve"), key_for("decide.reject")
            return (own("{} shows what is there now; then {} approves, {} rejects", now, *answers),)
        return EMPTY

    def why(self) -> list[Line]:
        """Say what ``a`` would do now, for the help overlay."""
        return (
            [(own("{} now: ", key_for("decide.approve"), role="head"), *self.lock_words())]
            if self.looked is not None
            else []
        )
