"""A change by hand before it is made: its outcome as a diff, and the key that carries it out.

Here: the preview, what ``y`` asks, going from one way of doing it to another. Not here: what is wanted
(``wanted``), carrying it out (``correcting``). ``y`` counts for exactly what was painted, when all of it was seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from curator_tui.core.review import OVERRIDABLE, approval_problem
from curator_tui.curator.looking import Looked
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import facts, state_piece
from curator_tui.tui.gates import Locked
from curator_tui.tui.gauges import outcome_gauge
from curator_tui.tui.page_lines import AUTO, BLANK_LINE, Look, PageLine
from curator_tui.tui.pages import document_lines, fact_lines
from curator_tui.tui.screens.acting import read_only_words
from curator_tui.tui.screens.editing import Edited
from curator_tui.tui.screens.outcomes import FRAME, OutcomeScreen
from curator_tui.tui.screens.second import Answer, SecondScreen
from curator_tui.tui.shown import EMPTY, Line, own, say
from curator_tui.tui.wanted import Wanted
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine

_TOLD = ("state", "also", "loses", "flags", "room")


class ProposeScreen(OutcomeScreen[tuple[int, Edited]]):
    """What a change by hand would do; the answer is which of its ways was carried out, as it was seen."""

    def __init__(self, ways: Sequence[Wanted], looks: Sequence[Looked]) -> None:
        super().__init__()
        self._ways = ways
        self._looks = looks
        self._at = 0

    @property
    def _looked(self) -> Looked:
        return self._looks[self._at]

    def _draw(self) -> None:
        wanted, looked = self._ways[self._at], self._looked
        many = own("way {} of {} ({}) ", self._at + 1, len(self._ways), key_for("propose.other"), role="key")
        title = (own(" {}", wanted.title, role="strong"),)
        self.query_one("#sheet-title", OneLine).show(title, (many,) if len(self._ways) > 1 else EMPTY, keep_right=True)
        if looked.documents:
            self.query_one("#gauge", OneLine).show(*outcome_gauge(looked.documents[0]), keep_right=True)
        lines = [PageLine(line, (own("  "),)) for line in wanted.why]
        lines += fact_lines(fact for fact in facts(looked, 0.0) if fact.label in _TOLD)
        context = 1 if looked.found.proposal.operations else AUTO  # another order wants the entries around it
        look = Look(context, self.app.palette.mono, rows=max(self.app.size.height - FRAME - len(lines), 1), key=False)
        lines += [BLANK_LINE, *document_lines(looked.documents, look)]
        self._show(looked.id, looked.digest, lines)

    def _draw_lock(self) -> None:
        locked = frozenset() if self._is_open() else frozenset({"propose.do"})
        hidden = frozenset() if len(self._ways) > 1 else frozenset({"propose.other"})
        self.query_one("#keys", KeyRow).dim(locked, hidden)
        self.say(self._verdict())

    def _is_open(self) -> bool:
        held = approval_problem(self._looked.found, OVERRIDABLE) is not None or not self._does_something()
        return not (held or self.app.read_only or self._gate.unseen())

    def _does_something(self) -> bool:
        return bool(self._looked.item.settlement.spliced)

    def _verdict(self) -> Line:
        if self.app.read_only:
            return read_only_words(web=self.app.is_web)
        if (problem := approval_problem(self._looked.found, OVERRIDABLE)) is not None:
            return (state_piece(problem[0]), own(": it cannot be carried out; {} goes back", key_for("propose.cancel")))
        if not self._does_something():
            return (own("nothing would change; {} goes back", key_for("propose.cancel")),)
        if self._gate.unseen():
            return (own("there are changes you have not seen yet: {} goes on", key_for("change.next"), role="warn"),)
        once = say(", asks once more") if self._looked.override else say("; {} undoes it", key_for("undo"))
        does = self._ways[self._at].yes
        return (own("{}: {}{}. A backup is taken first", key_for("propose.do"), does, once, role="good"),)

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_propose_do(self) -> None:
        """Carry it out as it was shown and seen; before that go on to what was not seen yet."""
        looked = self._looked
        locked = self._gate.locked(looked.id, looked.digest, self.app.pressed_at)
        if approval_problem(looked.found, OVERRIDABLE) is not None or not self._does_something():
            self.say(self._verdict())
        elif locked is Locked.UNSEEN:
            self._reader.to_unseen(self._gate.unseen())
            key = key_for("propose.do")
            self.say((own("not yet: here is what you had not seen; read it, then {}", key, role="warn"),))
        elif locked is not None:
            self.say((own("too fast: look at it, then press again", role="warn"),))
        elif looked.override:
            yes = self._ways[self._at].yes
            second = SecondScreen(looked, say("{} anyway?", yes), say("{} anyway", yes))
            self.app.push_screen(second, partial(self._answered, self._at))
        else:
            self.dismiss((self._at, Edited(looked, self._gate.seen)))

    def _answered(self, at: int, answer: Answer | None) -> None:
        if answer is None:
            self.say((own("nothing was changed"),))
        else:
            self.dismiss((at, Edited(self._looks[at], self._gate.seen, answer.reason, answer.note)))

    def action_propose_other(self) -> None:
        """Show another way to do it."""
        self._at = (self._at + 1) % len(self._ways)
        self._draw()
