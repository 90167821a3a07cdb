"""One change undone or redone alone, before it is done: what becomes of the documents and of the queue.

Here: the page and its ``y``. Not here: working it out (``reverting``), what a revert does (``core.reverts``).
"""

from __future__ import annotations

from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import counted
from curator_tui.tui.gates import Locked
from curator_tui.tui.moment_pages import sizes_line
from curator_tui.tui.page_lines import AUTO, BLANK_LINE, Look, PageLine, rule
from curator_tui.tui.pages import document_lines, label_prefix
from curator_tui.tui.screens.acting import read_only_words
from curator_tui.tui.screens.outcomes import FRAME, OutcomeScreen
from curator_tui.tui.screens.reverting import LookedBack, queue_lines
from curator_tui.tui.shown import Line, Shown, own, say
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine


class RevertScreen(OutcomeScreen[bool]):
    """What undoing or redoing one change would do; the answer is whether it shall be done."""

    def __init__(self, looked: LookedBack) -> None:
        super().__init__()
        self._told = looked.told
        self._documents = looked.documents
        self._stays = stays(looked)
        self._word = say("redo") if looked.redo else say("undo")

    def _draw(self) -> None:
        title = say("{} this one alone: {}", self._word, self._told.words)
        self.query_one("#sheet-title", OneLine).show((own(" {}", title, role="strong"),))
        self.query_one("#gauge", OneLine).show((own(" "), *sizes_line(self._documents)))
        lines = [_line(say("stays"), self._stays)]
        lines += [PageLine(line, (own("  "),)) for line in queue_lines(self._told)]
        lines.append(_line(say("agents"), (own("read the documents at their next session"),)))
        look = Look(AUTO, self.app.palette.mono, rows=max(self.app.size.height - FRAME - len(lines), 1), key=False)
        if self._documents:
            lines += [BLANK_LINE, rule(say("what becomes of the documents")), *document_lines(self._documents, look)]
        else:
            lines.append(_line(say("documents"), (own("no document changes"),)))
        self._show(self._told.preview.change.id, self._told.preview.digest, lines)

    def _draw_lock(self) -> None:
        locked = frozenset({"propose.do"}) if self._gate.unseen() or self.app.read_only else frozenset()
        self.query_one("#keys", KeyRow).dim(locked, frozenset({"propose.other"}))
        if self.app.read_only:
            self.say(read_only_words(web=self.app.is_web))
        elif self._gate.unseen():
            self.say((own("there are changes you have not seen yet: {} goes on", key_for("change.next"), role="warn"),))
        else:
            keys = key_for("propose.do"), self._word
            self.say((own("{}: {} it. A backup of changed documents is taken first", *keys, role="good"),))

    def action_propose_do(self) -> None:
        """Do it as it was shown and seen; before that go on to what was not seen yet."""
        preview = self._told.preview
        locked = self._gate.locked(preview.change.id, preview.digest, self.app.pressed_at)
        if locked is Locked.UNSEEN:
            self._reader.to_unseen(self._gate.unseen())
            key = key_for("propose.do")
            self.say((own("not yet: here is what you had not seen; read it, then {}", key, role="warn"),))
        elif locked is not None:
            self.say((own("too fast: look at it, then press again", role="warn"),))
        else:
            self.dismiss(True)

    def action_propose_other(self) -> None:
        """Say that there is no other way to do it."""
        self.say((own("there is one way to do this"),))


def stays(looked: LookedBack) -> Line:
    """Say what a revert leaves as it is: whatever was changed after the change it takes back, by whom ever."""
    if not looked.later:
        nothing = own("nothing was changed after it")
        return (own("everything else, as another program wrote it since") if looked.strange else nothing,)
    outside = own(", and what another program wrote since") if looked.strange else own("")
    return own("everything else: {}, entry by entry", counted(looked.later, "later change")), outside


def _line(label: Shown, body: Line) -> PageLine:
    return PageLine(body, label_prefix(label))
