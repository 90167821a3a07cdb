"""The application: one desk, its clerk and the screens.

Here: starting, signals, places and the way between them, themes, beginning anew at another desk, what failed. Not here:
leaving and opening another profile (``leaving``), sleeping (``sleeping``), how keys reach it (``listening``), what
screens show, what actions exist (``actions``), rules of any kind.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, Provider
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.screen import Screen
from textual.theme import Theme

from curator_tui.curator.desk import Desk
from curator_tui.tui.actions import PROFILES, REVIEW, Action, use_keys
from curator_tui.tui.clerk import Clerk
from curator_tui.tui.gates import PaintedGate
from curator_tui.tui.hangup import HUNG_UP, is_gone, watch, write_nowhere
from curator_tui.tui.key_file import load_keys
from curator_tui.tui.listening import Listening, Timing
from curator_tui.tui.notices import first_hint, keys_notice
from curator_tui.tui.pasting import read_pastes_whole
from curator_tui.tui.places import PEOPLE, PLACES, Place, find_place, is_loaded, load_code
from curator_tui.tui.remembered import Remembered, recall, remember
from curator_tui.tui.screens.acting import Acting
from curator_tui.tui.screens.base import DeskScreen
from curator_tui.tui.screens.review import ReviewScreen
from curator_tui.tui.session import Session
from curator_tui.tui.shown import EMPTY, Line
from curator_tui.tui.soon import Soon
from curator_tui.tui.terminal import draw_within, terminal_problem
from curator_tui.tui.themes import MONO, Palette, first_palette, next_palette, only_mono, textual_theme
from curator_tui.tui.working import telling

if TYPE_CHECKING:
    from curator_tui.tui.keymap import KeyMap

CRASHED = 3
"""Exit code after an error of our own, as on the command line: 1 would mean that a decision was not applied."""
_TURN = 0.001
"""Seconds after which a thread that works gives the event loop's its turn: a fifth of what is usual."""
_SIGNALS = {signal.SIGTERM: 143, signal.SIGHUP: HUNG_UP}


def get_provider() -> type[Provider]:
    """Return the palette's provider when it is first opened."""
    from curator_tui.tui.palette import ActionsProvider

    return ActionsProvider


class CuratorApp(Listening):
    """The desk as a terminal application."""

    CSS_PATH = "styles/app.tcss"
    TITLE = "curator-tui"
    COMMANDS = {get_provider}  # noqa: RUF012 - Textual reads it as it is
    ENABLE_COMMAND_PALETTE = True
    ESCAPE_TO_MINIMIZE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "leave", "leave", show=False)]

    def __init__(
        self,
        desk: Desk,
        *,
        switch: Callable[[str], Desk] | None = None,
        timing: Timing | None = None,
        palette: Palette | None = None,
        keys: KeyMap | None = None,
        remembered: Remembered | None = None,
    ) -> None:
        use_keys(keys.chosen if keys is not None else {})
        self.notice = keys_notice(keys)
        self.remembered = remembered or Remembered(hinted=True)
        self.only_mono = palette is None and only_mono()
        self.palette = palette or first_palette(os.environ, self.remembered.theme)
        super().__init__(timing or Timing(), ansi_color=True if self.palette.mono else None)
        self.hint = EMPTY if self.remembered.hinted else first_hint()
        self.given = desk
        self.switch = switch
        self.clerk = Clerk(desk)
        self.session = self._new_session()
        self.gate = PaintedGate(dwell=self.timing.dwell)
        self.later = Soon(self)
        self.trouble: Line | None = None
        self.failure: Exception | None = None

    def get_default_screen(self) -> Screen[None]:
        """Start with the queue."""
        return ReviewScreen(self.size)

    @property
    def current_theme(self) -> Theme:
        """The theme of the palette: known before Textual reads the first style sheet, so that it reads it only once."""
        return textual_theme(self.palette)

    def on_mount(self) -> None:
        """Leave tidily when asked to by a signal, and when the terminal is gone."""
        if not self.is_headless:
            watch(self, sys.stdin.fileno())
        loop = asyncio.get_running_loop()
        for number, code in _SIGNALS.items():
            try:
                loop.add_signal_handler(number, self.leave_with, code)
            except (NotImplementedError, RuntimeError, ValueError):
                return  # not the main thread, as in tests
        if not (self.is_headless or self.is_web):
            self.listen_for_sleep()

    def next_theme(self) -> str:
        """Change to the next palette and return its name."""
        if self.only_mono:
            return MONO.name
        self.palette = next_palette(self.palette.name)
        self.remembered.theme = self.palette.name
        self.ansi_color = True if self.palette.mono else None
        self.register_theme(textual_theme(self.palette))
        self.theme = self.palette.name
        for screen in self.screen_stack:
            screen.refresh(layout=True)
            for widget in screen.walk_children():
                widget.refresh()
        return self.palette.name

    def action_command_palette(self) -> None:
        """Open the palette, once."""
        if not CommandPalette.is_open(self):
            from curator_tui.tui.palette import ActionsPalette

            self.push_screen(ActionsPalette())

    def action_help_quit(self) -> None:
        """Say nothing here: on every screen of ours ctrl+c has its own words, and Textual's are not true of them."""

    def action_leave(self) -> None:
        """Leave the application."""
        self.leave()

    async def perform_now(self, screen: Acting[object], action: Action) -> None:
        """Carry out an action that was chosen by name."""
        if self.screen is screen:
            self.pressed_at = monotonic()
            await screen.perform(action)

    def go(self, name: str, at: str = "") -> None:
        """Go to another place; the queue stays open beneath it. Nothing happens under a dialog or a text.

        Args:
            name: the place.
            at: what it shall show first; empty for whatever it likes.
        """
        here = self.screen
        if not isinstance(here, DeskScreen) or name == here.SCREEN or name not in {place.name for place in PLACES}:
            return
        place = PEOPLE if name == PROFILES and self.clerk.desk.among is not None else find_place(name)
        if is_loaded(place):
            self._enter(place, at)
        else:
            self.awake_at = monotonic()  # what is pressed for the other place decides nothing on this one
            self.beside(partial(self._load_and_enter, place, at), "go", alone=True)

    async def _load_and_enter(self, place: Place, at: str) -> None:
        here = self.screen
        with telling("go", here.murmur if isinstance(here, DeskScreen) else self.tell):
            await asyncio.to_thread(load_code, place)
        if self.screen is here and not self.is_leaving:
            self._enter(place, at)

    def _enter(self, wanted: Place, at: str) -> None:
        here, root = self.screen, self.screen_stack[0]
        if here is not root:
            here.dismiss(None)
        if (load := wanted.load) is not None:
            clerk = self.clerk

            def came_back(_: None) -> None:
                # another desk begins anew instead
                if clerk is self.clerk and isinstance(root, DeskScreen):
                    root.came_back()

            place = load(self.size)
            place.at = at
            self.push_screen(place, came_back)

    def _new_session(self) -> Session:
        """Begin with the order of the queue that was wanted last."""
        return Session(group=self.remembered.group, sort=self.remembered.sort)

    def begin_at(self, desk: Desk) -> None:
        """Begin anew at another desk, with its queue; what still comes from this one is not for it."""
        self.clerk.retire()
        self.clerk, self.session, self.trouble = Clerk(desk), self._new_session(), None
        self.gate = PaintedGate(dwell=self.timing.dwell)
        self.go(REVIEW)
        for screen in self.screen_stack:
            if isinstance(screen, ReviewScreen):
                screen.start_over()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002 - Textual's shape
        """Offer none of Textual's own commands: every action stands in the registry."""
        return ()

    def _handle_exception(self, error: Exception) -> None:
        """Keep what failed for a report of our own; Textual's would print local variables, memory texts among them."""
        if self.has_left and isinstance(error, NoMatches):
            return  # a screen that was just being opened looks for what was taken away already
        self.failure = self.failure or error
        self._return_code = CRASHED
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    def tell(self, line: Line) -> None:
        """Say something on the screen that is open."""
        screen = self.screen
        if isinstance(screen, Acting):
            screen.say(line)
        elif isinstance(screen, CommandPalette):
            from curator_tui.tui.palette import ActionsPalette

            if isinstance(screen, ActionsPalette):
                screen.say(line)


def run(
    desk: Desk,
    *,
    switch: Callable[[str], Desk] | None = None,
    driver: type[Driver] | None = None,
    ascii_only: bool = False,
) -> int:
    """Run the application on a desk, close the desk and return the exit code.

    That is 2 where there is no terminal to draw on, and 129 where it went away, as for the signal that says so.

    A desk at which a change still runs, because it took longer than leaving waits, is closed by the end of the process.

    Args:
        desk: the desk.
        switch: opens the desk of another profile.
        driver: draws in place of a terminal.
        ascii_only: draw no line or sign that is not ASCII.
    """
    app: CuratorApp | None = None
    try:
        if driver is None and (refused := terminal_problem()) is not None:
            sys.stderr.write(refused + "\n")
            return 2
        sys.setswitchinterval(_TURN)
        before = recall(os.environ)
        app = CuratorApp(desk, switch=switch, keys=load_keys(os.environ), remembered=recall(os.environ))
        if driver is not None:
            app.driver_class = driver
        else:
            draw_within(app, sys.stderr.encoding, ascii_only=ascii_only)
        read_pastes_whole(app.driver_class)
        return _run_to_its_end(app, before, kept=not desk.read_only)
    finally:
        if app is None or desk not in app.in_use:
            desk.close()


def _run_to_its_end(app: CuratorApp, before: Remembered, *, kept: bool) -> int:
    """Run it, keep how it was left where that may be kept, and return the exit code."""
    was_there = _ran(app)
    if was_there and kept:  # whoever only looks leaves nothing behind, not even this
        remember(app.remembered, before, os.environ)
    code = _ended(app) if was_there else HUNG_UP
    if code == HUNG_UP:
        write_nowhere()
    return code


def _ran(app: CuratorApp) -> bool:
    """Run it; False where it could not be drawn, or failed, because its terminal went away."""
    try:
        app.run()
    except Exception:
        if app.is_web or not is_gone():
            raise
        return False
    return app.failure is None or app.is_web or not is_gone()


def _ended(app: CuratorApp) -> int:
    """Say on the terminal what is left to say, and return the exit code."""
    words = f"curator-tui: {app.farewell}\n" if app.farewell else ""
    if app.failure is not None:
        from curator_tui.tui.crash import last_words

        words += last_words(app.failure)
    with contextlib.suppress(OSError):  # the terminal itself may have gone
        sys.stderr.write(words)
        sys.stderr.flush()
    return CRASHED if app.failure is not None else app.return_code or 0
