"""The second key: approving what is flagged or would lose facts, and other questions that are answered by ``y``.

Here: naming what is at stake and taking the answer. Not here: which conditions need it (``core.review``). ``y`` counts
only after the question could be read; enter, space and the key that asked mean no, like every other key. Whoever begins
to type a reason into a question has answered no with its first letter: what follows decides nothing before a pause.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from textual import events
from textual.binding import BindingType

from curator_tui.core.preflight import State
from curator_tui.core.reason_words import PASSING
from curator_tui.core.requests import OverrideCode
from curator_tui.curator.looking import Looked
from curator_tui.tui.actions import SECOND, bindings, events_of, key_for, quiet_keys
from curator_tui.tui.facts import facts, state_piece, why_words
from curator_tui.tui.page_lines import PageLine
from curator_tui.tui.pages import fact_lines
from curator_tui.tui.screens.sheets import Sheet, paragraph
from curator_tui.tui.session import About
from curator_tui.tui.shown import Line, Shown, own, say
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.words import item_title

if TYPE_CHECKING:
    from curator_tui.tui.app import CuratorApp

WHY: tuple[tuple[OverrideCode, str], ...] = tuple(PASSING.items())
_AT_STAKE = ("loses", "lines", "flags")
_OTHER_KEYS = Shown("any other key: no (a key that scrolls answers nothing)")
_MEANT_AS_NO = frozenset({"n", "N", "q"})
_ASKS = frozenset({"second_yes", "page_down", "page_up"})


class Answer(Struct, frozen=True):
    """How the second question was answered: approve anyway, with a reason, or show the variant inside the entry."""

    inside: bool = False
    reason: OverrideCode | None = None
    note: str = ""


class SecondScreen(Sheet[Answer]):
    """Approve anyway?"""

    SCREEN = SECOND
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(SECOND)]

    def __init__(self, looked: Looked, title: Shown | None = None, yes: Shown | None = None) -> None:
        super().__init__(title or say("approve {} anyway?", item_title(looked.found.proposal)))
        self._yes = yes
        self._looked = looked
        self._reason: OverrideCode | None = None
        self._note = ""

    @property
    def _flagged(self) -> bool:
        return State.FLAGGED in self._looked.override

    @property
    def _wants_reason(self) -> bool:
        return self._flagged and self._reason is None

    @property
    def _inside(self) -> bool:
        return self._looked.offers_inside

    def on_mount(self) -> None:
        """Leave out keys that mean nothing here."""
        self._dim_keys()

    def _dim_keys(self) -> None:
        hidden = set() if self._flagged else {"second.why"}
        hidden |= set() if self._inside else {"second.inside"}
        locked = frozenset({"second.yes"}) if self._wants_reason else frozenset()
        self.query_one("#keys", KeyRow).dim(locked, frozenset(hidden))

    def lines(self) -> Sequence[PageLine]:
        """Name what is at stake, then what each key does."""
        found = self._looked.found
        lines = [
            paragraph((state_piece(state), own(": {}", why_words(found, state))))
            for state in sorted(self._looked.override)
        ]
        lines += fact_lines(fact for fact in facts(self._looked, 0.0) if fact.label in _AT_STAKE)
        return [*lines, *(paragraph(line) for line in self._ways())]

    def _ways(self) -> list[Line]:
        ways: list[Line] = []
        if self._flagged:
            for number, (code, words) in enumerate(WHY, 1):
                chosen = own("> " if code is self._reason else "  ", role="mark")
                ways.append((chosen, own("{}  ", number, role="key"), own("{}", Shown(words))))
        open_now = not self._wants_reason
        yes = self._yes or Shown("approve anyway" if self._flagged else "replace the whole entry anyway")
        ways.append(
            (
                own("  {}  ", key_for("second.yes"), role="key" if open_now else "off"),
                own("{}", yes, role="text" if open_now else "off"),
            )
        )
        if self._inside:
            ways.append(
                (
                    own("  {}  ", key_for("second.inside"), role="key"),
                    own("change only the words inside the entry (shown first)"),
                )
            )
        ways.append((own("  {}", _OTHER_KEYS, role="dim"),))
        return ways

    def action_second_yes(self) -> None:
        """Approve anyway."""
        if self._wants_reason:
            self._ask_reason()
        elif self.was_read():
            self.dismiss(Answer(reason=self._reason, note=self._note if self._reason is OverrideCode.OTHER else ""))

    def _ask_reason(self) -> None:
        self.say((own("first 1, 2 or 3: why may it pass? It goes into the ledger", role="warn"),))

    def action_second_inside(self) -> None:
        """Show the variant inside the entry."""
        if self._inside:
            self.dismiss(Answer(inside=True))

    def action_second_why(self, number: int) -> None:
        """Say why it may pass."""
        if not self._flagged:
            self.dismiss(None)
            return
        self._reason = WHY[number - 1][0]
        if self._reason is OverrideCode.OTHER:
            from curator_tui.tui.screens.reasons import NoteScreen

            self.app.push_screen(NoteScreen(say("why may it pass?"), self._note, about=self._about()), self._noted)
        self._redraw()

    def _about(self) -> About:
        """Return what may pass: these texts for this record, whatever else became of the documents."""
        record = self._looked.item.found.proposal.digest
        texts = (operation.content or "" for operation in self._looked.found.proposal.operations)
        return frozenset({(self._looked.id, "\0".join((record, *texts)))})

    def _noted(self, note: str | None) -> None:
        """Take the words; whoever went back from them has given no reason."""
        if note is None:
            self._reason = None
        else:
            self._note = note
        self._redraw()

    def _redraw(self) -> None:
        self.draw()
        self._dim_keys()
        if self._wants_reason:
            self._ask_reason()
        else:
            self._say_open()

    def _say_open(self) -> None:
        """Say what y does where a reason was given."""
        yes = key_for("second.yes")
        if self.unread:
            self.say((own("read on ({}), then {} does it; any other key: no", key_for("page.down"), yes, role="warn"),))
        else:
            self.say((own("now {} does it; any other key: no", yes, role="warn"),))

    def read_more(self) -> None:
        """Say so when all of it was on screen."""
        if self._reason is not None:
            self._say_open()

    def on_key(self, event: events.Key) -> None:
        """Take every key without a meaning for no."""
        known = events_of("second.yes", "second.why", *(("second.inside",) if self._inside else ()))
        if event.key not in known | quiet_keys():
            event.stop()
            _note_stray(self.app, event)
            self.dismiss(None)


class AskScreen(Sheet[bool]):
    """A question that takes ``y``; every other key means no.

    With ``decides=False`` the answer changes nothing in the store, so it may be given when read only.
    """

    SCREEN = SECOND
    BINDINGS: ClassVar[list[BindingType]] = [b for b in bindings(SECOND) if b.action in _ASKS]

    def __init__(self, title: Shown, lines: Sequence[Line], yes: Shown, *, decides: bool = True) -> None:
        super().__init__(title)
        self.decides = decides
        self._lines = lines
        self._yes = yes

    def on_mount(self) -> None:
        """Leave out keys that mean nothing here."""
        self.query_one("#keys", KeyRow).dim(frozenset(), frozenset({"second.why", "second.inside"}))

    def lines(self) -> Sequence[PageLine]:
        """Return the question and its answers."""
        ways: list[Line] = [
            (own("{}  ", key_for("second.yes"), role="key"), own("{}", self._yes)),
            (own("{}", _OTHER_KEYS, role="dim"),),
        ]
        return [paragraph(line) for line in (*self._lines, *ways)]

    def action_second_yes(self) -> None:
        """Answer yes."""
        if self.was_read():
            self.dismiss(True)

    def on_key(self, event: events.Key) -> None:
        """Take every other key for no."""
        if event.key not in events_of("second.yes") | quiet_keys():
            event.stop()
            _note_stray(self.app, event)
            self.dismiss(False)


def _note_stray(app: CuratorApp, event: events.Key) -> None:
    """Tell a key that was meant for no, or as one key, from the first letter of words."""
    if event.is_printable and event.key not in _MEANT_AS_NO:
        app.strayed_at = event.time
