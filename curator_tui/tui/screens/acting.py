"""What every screen and dialog does alike: carrying out actions of the registry, jobs, copying, sizes.

Here: the ground of every screen. Not here: the frame of those that fill the window (``base``), what any screen is for.
"""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable, Coroutine
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual.actions import SkipAction
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.screen import ModalScreen, Screen
from textual.worker import Worker

from curator_tui.core.errors import CuratorError
from curator_tui.tui.actions import NEEDS_TERMINAL, Action, bindings, chosen_keys, find, of_screen
from curator_tui.tui.clerk import Retired
from curator_tui.tui.shown import Line, Shown, message, own
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine
from curator_tui.tui.working import telling

if TYPE_CHECKING:
    from curator_tui.tui.app import CuratorApp
    from curator_tui.tui.copying import Copied

WIDTHS = [(0, "-w0"), (40, "-w1"), (60, "-w2"), (110, "-w3")]
HEIGHTS = [(0, "-h0"), (10, "-h1"), (16, "-h2"), (32, "-h3")]
_CLICK_SECONDS = 3.0
INTERRUPT, _LEAVE = Shown("ctrl+c"), Shown("ctrl+q")  # the same everywhere: nobody can choose others
R = TypeVar("R")


class TooSmall(OneLine):
    """What is shown instead of everything when the window is too small to read anything."""

    def on_mount(self) -> None:
        """Say so."""
        self.show((own("window too small, nothing lost", role="warn"),))


class Acting(Screen[R]):
    """Carrying out actions of the registry by name, for keys, clicks and the palette alike."""

    SCREEN: ClassVar[str] = ""
    # of every screen, dialogs too, which the application's own keys do not reach
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(INTERRUPT, "interrupt", "copy", show=False),
        Binding(_LEAVE, "app.leave", "leave", show=False),
    ]
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    app: CuratorApp
    decides = True
    """Whether what decides on this screen, by the registry, really changes memory or the queue."""
    _clicked: tuple[str, float] = ("", 0.0)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if chosen_keys():
            self._bind_chosen()

    def _bind_chosen(self) -> None:
        """Bind the keys in force in place of the default ones, which are bound when the class is made."""
        ours = {action.name for action in of_screen(self.SCREEN)}
        kept = self._bindings.key_to_bindings
        offered = {binding.action for found in kept.values() for binding in found}
        for key, found in list(kept.items()):
            if not (left := [binding for binding in found if binding.action.partition("(")[0] not in ours]):
                del kept[key]
            else:
                kept[key] = left
        for binding in bindings(self.SCREEN):
            if binding.action in offered:
                kept.setdefault(binding.key, []).insert(0, binding)

    def say(self, line: Line) -> None:
        """Say something; each kind of screen has its own place for it."""
        raise NotImplementedError

    def murmur(self, line: Line) -> None:
        """Say what goes on now, where that takes long; nothing is murmured when it is over."""

    def fail(self, error: CuratorError) -> None:
        """Say what went wrong and what can be done; the text of our errors is safe, and is filtered all the same."""
        self.say((own("{} ", message(error.message), role="bad"), own("{}", message(error.way_out))))

    def dismiss(self, result: R | None = None) -> AwaitComplete:
        """Close this screen and what stands above it, once: a key that was still on its way closes no other one."""
        if self not in self.app.screen_stack:
            return AwaitComplete()  # nothing to wait for
        while self.app.screen is not self:
            self.app.pop_screen()
        return super().dismiss(result)

    def work(self, job: Callable[[], Coroutine[None, None, None]], group: str, *, alone: bool = True) -> None:
        """Run a job beside the event loop's other work; ``alone`` gives up what of its group still runs.

        So a group is one kind of job, which a newer one of its kind makes superfluous, and no other.

        It takes the job and not its coroutine: one that is given up before it began must not be left over. Leaving
        waits for those of the groups ``working.DECIDED``. An error of ours that a job lets through is said, and ends
        nothing but the job.
        """
        clerk = self.app.clerk

        async def while_open() -> None:
            if clerk is not self.app.clerk:
                return  # meant for a desk that is not open any more
            try:
                with telling(group, self.murmur):
                    await job()
            except Retired:
                return
            except CuratorError as error:
                self.fail(error)
            except NoMatches:
                # closed while the job waited: what it would have painted on is gone, and that is no fault
                if self.app.is_running and not self.app.has_left and self in self.app.screen_stack:
                    raise

        _: Worker[None] = self.run_worker(while_open, group=group, exclusive=alone)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Leave out what a browser has no terminal for: its keys do nothing."""
        return not (self.app.is_web and any(action == find(name).name for name in NEEDS_TERMINAL))

    async def perform(self, action: Action) -> None:
        """Carry out an action, unless nothing may be decided here."""
        if action.decides and self.decides and self.app.read_only:
            self.say(read_only_words(web=self.app.is_web))
        elif not self.app.too_small:
            await self.run_action(action.name)

    def _compositor_refresh(self) -> None:
        """Paint; a screen behind a dialog asks the dialog to paint it, once.

        Textual 8.2.8 leaves such a screen marked as unpainted for ever: it asks again sixty times a second, and the
        whole window is sent anew each time for as long as the dialog is open.
        """
        super()._compositor_refresh()
        if self is not self.app.screen:
            self._repaint_required = False

    def copied(self) -> Callable[[], Copied] | None:
        """Return what makes the text that a person would copy here, of values alone; None where there is none."""
        return None

    def action_copy(self) -> None:
        """Send the text to the terminal's clipboard."""
        self.copy_out(self.copied())

    def copy_out(self, make: Callable[[], Copied] | None) -> None:
        """Send what ``make`` returns to the clipboard; it runs in a thread, for a text may be of megabytes."""
        self.work(partial(self._copy_out, make), "copy")

    async def _copy_out(self, make: Callable[[], Copied] | None) -> None:
        copied = await to_thread(make) if make is not None else None
        if copied is None or not copied.text:
            self.say((own("there is nothing to copy here"),))
            return
        from curator_tui.tui.copying import for_terminal, told

        sent = for_terminal(copied.text)
        self.app.copy_to_clipboard(sent)
        self.say(told(copied, sent, Shown("the browser" if self.app.is_web else "the terminal")))

    def action_interrupt(self) -> None:
        """Copy what the mouse selected; where nothing is, say how to leave: elsewhere this key ends a program."""
        try:
            self.action_copy_text()
        except SkipAction:
            self.say(interrupted_words())

    def action_suspend(self) -> None:
        """Go to sleep; the shell brings the application back."""
        self.app.go_to_sleep()

    async def on_key_row_pressed(self, event: KeyRow.Pressed) -> None:
        """Carry out what was clicked; what decides wants a second click, after there was time to read so."""
        event.stop()
        now = monotonic()
        name, at = self._clicked
        second = name == event.action.id and self.app.timing.dwell <= now - at <= _CLICK_SECONDS
        if event.action.decides and not second:
            self._clicked = (event.action.id, now)
            self.say((own("click again to {}", Shown(event.action.label), role="warn"),))
            return
        self._clicked = ("", 0.0)
        self.app.pressed_at = now
        await self.perform(event.action)


def interrupted_words() -> Line:
    """Say how to leave, where a key was pressed that ends a program elsewhere."""
    return (own("{} does not leave: {} does", INTERRUPT, _LEAVE),)


def read_only_words(*, web: bool) -> Line:
    """Say why a key that decides does nothing, and how to start so that it does."""
    way_out = Shown("curator-tui serve --write" if web else "start without --read-only")
    return (own("read only: nothing can be decided here ({})", way_out, role="warn"),)


class Dialog(Acting[R], ModalScreen[R]):
    """A screen above another one that answers a question."""

    CSS_PATH = "../styles/dialogs.tcss"

    def say(self, line: Line) -> None:
        """Say something in the dialog's own status row, where it has one."""
        self.app.hear(line)
        for row in self.query("#said").results(OneLine):
            row.show((own(" "), *line))
