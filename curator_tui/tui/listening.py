"""How keys, clicks and pastes reach the application: what a person pressed for what is on screen, and nothing else.

Here: the guards in front of every screen and dialog, and how long things take. Not here: the guards as state machines
(``gates``), what a key does (``actions``).
"""

from __future__ import annotations

import asyncio
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.worker import Worker

from curator_tui.tui.actions import deciding_keys, events_of, quiet_keys
from curator_tui.tui.facts import counted
from curator_tui.tui.gates import KeyGuard, Press
from curator_tui.tui.pasting import Discarded
from curator_tui.tui.screens.acting import read_only_words
from curator_tui.tui.screens.base import DeskScreen
from curator_tui.tui.shown import EMPTY, Shown, own, shown
from curator_tui.tui.sleeping import Sleeping
from curator_tui.tui.turns import Kept, Turns, WorkedThrough
from curator_tui.tui.working import DECIDED, OPENING

SMALLEST = (40, 10)
_INPUTS = frozenset({"Input", "TextArea"})  # by name: importing them costs a tenth of the start
_TAKES_BACK = frozenset({"TextArea"})  # fields in which ctrl+z takes back what was typed
_AGAIN_SOON = 0.005
_PAUSE = 3  # dwells: whoever types words makes no such pause between two letters


class Timing(NamedTuple):
    """How long things take, in seconds.

    Attributes:
        dwell: an item must have been on screen for so long before a key decides about it.
        quiet: silence after a key that decides, before it acts.
        poll: between two looks at the store; 0 for none.
        rest: the cursor stays so long on an item before its source is looked up.
        check: nothing was typed for so long before a text is checked.
    """

    dwell: float = 0.3
    quiet: float = 0.02
    poll: float = 1.0
    rest: float = 0.1
    check: float = 0.03


class Listening(Sleeping):
    """An application that tells what a person does from what only arrives as if.

    Attributes:
        hint: for a first run; it goes with the first key that shows it was read.
        pressed_at: when the key that acts now was pressed.
        strayed_at: when a letter was typed last that went into no field: one that answered a question with no without
            being one of its answers, or one right behind it.
        turns: keeps what is typed until what the key before it opens is there.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+z", "sleep", "to the shell", show=False, priority=True)]

    def __init__(self, timing: Timing, *, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self.timing = timing
        self.hint = EMPTY
        self.pressed_at = 0.0
        self.strayed_at = float("-inf")
        self._guard: KeyGuard[events.Key] = KeyGuard(quiet=timing.quiet)
        self.turns = Turns(self, self._take, self._tell_dropped, self._tell_given_up)
        self._settling: asyncio.TimerHandle | None = None

    @property
    def read_only(self) -> bool:
        """Whether the desk that is open refuses every change; the screens say so before it has to."""
        return self.clerk.desk.read_only

    @property
    def too_small(self) -> bool:
        """Whether the window is too small to read anything, so that nothing may be decided in it."""
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Leave ctrl+z to a field that takes back with it what was typed, and to the browser."""
        return action != "sleep" or not (self.is_web or self._focused_is(_TAKES_BACK))

    def action_sleep(self) -> None:
        """Go to sleep, whatever is open; the shell brings the application back."""
        self.go_to_sleep()

    async def on_event(self, event: events.Event) -> None:
        """Let keys through that a person pressed for what is on screen; pasted and bunched ones go nowhere."""
        if isinstance(event, WorkedThrough):
            self.turns.arrived(event)
        elif isinstance(event, Discarded):
            self.tell((own("ignored {} right behind a pasted text", counted(event.count, "key"), role="warn"),))
        elif isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if not (self._is_deaf_to(event) or self.turns.keeps(event)):
                await self._take(Kept(event))
        else:
            await super().on_event(event)

    def _is_deaf_to(self, event: events.Key | events.Paste) -> bool:
        """Whether nothing typed counts now, or only what leaves."""
        leaves = isinstance(event, events.Key) and event.key in {*events_of("quit"), "ctrl+q", "ctrl+c"}
        return self.is_leaving or (self.too_small and not leaves)

    async def _take(self, typed: Kept) -> None:
        """Take what was typed, now that it is its turn."""
        event = typed.event
        if self._is_deaf_to(event):
            return
        if isinstance(event, events.Paste):
            await self._take_paste(event)
            return
        # in a field a letter is text, whatever it decides elsewhere
        is_text = self._typing() and (event.is_printable or event.key not in self._deciding_keys())
        if typed.decided is not None:
            if typed.decided and not is_text and self._refused():
                return
        elif not (is_text and not self._guard.holds) and not self._guarded(event, is_text=is_text):
            return
        self.pressed_at = event.time
        if self.hint and event.key in self._deciding_keys() | events_of("clear", "help", "quit"):
            self._end_hint()
        target = self.focused or self.screen
        await super().on_event(event)
        if not (is_text and event.is_printable):  # a letter of a text opens nothing
            self.turns.begin(target)

    async def _take_paste(self, event: events.Paste) -> None:
        if self._typing():
            await super().on_event(self._for_field(event))
        else:
            self.tell((own("ignored pasted text: {}", counted(len(event.text), "character"), role="warn"),))

    def note_opening(self, job: Worker[None]) -> None:
        """Let keys wait for a job that opens something."""
        if job.group in OPENING:
            self.turns.opening(job, always=job.group not in DECIDED)

    def _end_hint(self) -> None:
        """Take the hint for a first run away: it was read."""
        self.hint = EMPTY
        for screen in self.screen_stack:
            if isinstance(screen, DeskScreen):
                screen.draw_banner_again()

    def _typing(self) -> bool:
        """Whether keys are text for an input."""
        return self._focused_is(_INPUTS)

    def _focused_is(self, names: frozenset[str]) -> bool:
        """Whether what has the focus is of one of some classes of Textual's."""
        kinds = type(self.focused).__mro__ if self.focused is not None else ()
        return any(kind.__name__ in names for kind in kinds)

    def _for_field(self, event: events.Paste) -> events.Paste:
        """Return a paste as a field may take it: terminals send line ends as returns, and text as it is."""
        from curator_tui.tui.widgets.fields import LineField, TextField

        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        if not isinstance(self.focused, LineField | TextField):
            text = shown(text.replace("\n", " "))  # a field of Textual's own, as the palette has one, takes one line
        return events.Paste(text)

    def _deciding_keys(self) -> frozenset[str]:
        return deciding_keys(getattr(self.screen, "SCREEN", ""))

    def _guarded(self, event: events.Key, *, is_text: bool) -> bool:
        """Hand a key to the guard; True when it acts now."""
        decides = not is_text and event.key in self._deciding_keys()
        if decides and event.time - self.awake_at < self.timing.dwell:
            self.tell((own("just back: look at it first", role="warn"),))
            return False
        if event.time - self.strayed_at < self.timing.dwell * _PAUSE:
            is_typed = event.is_printable and not is_text and event.key not in quiet_keys()
            if is_typed:
                self.strayed_at = event.time  # who goes on typing has not looked up yet
            if is_typed or decides:  # a letter that opens a text would put the next ones into it
                words = "a letter answered the question with no; what is typed right behind it does nothing"
                self.tell((own("{}", Shown(words), role="warn"),))
                return False
        press = Press(event.key, event.time, event.is_printable, decides, event)
        if self._guard.press(press):
            return not (decides and self._refused())
        if self._settling is not None:
            self._settling.cancel()
        self._settling = asyncio.get_running_loop().call_later(self._guard.wait, self._settle)
        return False

    def _refused(self) -> bool:
        """Whether nothing may be decided on this screen; says so."""
        if self.read_only and getattr(self.screen, "decides", True):
            self.tell(read_only_words(web=self.is_web))
            return True
        return False

    def _settle(self) -> None:
        """Let the held keys act that turned out to be pressed, and say how many were not."""
        self._settling = None
        if self.message_queue_size:
            # the loop was held up: keys that arrived meanwhile belong to the same run
            self._settling = asyncio.get_running_loop().call_later(_AGAIN_SOON, self._settle)
            return
        kept, dropped = self._guard.settle()
        if dropped and not kept:
            self.tell((own("ignored {} that came too fast to be pressed", counted(dropped, "key"), role="warn"),))
        if kept:
            self.turns.put_first([Kept(press.event, press.decides) for press in kept])

    def _tell_dropped(self, number: int) -> None:
        """Say that keys did nothing because what they were typed for did not open."""
        self.tell((own("ignored {}: what came before did not open anything", counted(number, "key"), role="warn"),))

    def _tell_given_up(self, number: int) -> None:
        """Say that what was asked for does not open, and what that did to the keys typed for it."""
        ignored = own("; ignored {} typed for it", counted(number, "key")) if number else own("")
        self.tell((own("given up: nothing was opened", role="warn"), ignored))
