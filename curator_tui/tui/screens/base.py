"""What every screen shares: title, banner, status and key row, the way an action is carried out, sizes.

Here: the frame around a screen. Not here: what any screen is for.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.css.query import NoMatches
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.worker import Worker

from curator_tui.core.errors import CuratorError
from curator_tui.tui.actions import (
    DOCUMENTS,
    HISTORY,
    LEARNED,
    LEDGER,
    NEEDS_TERMINAL,
    PROFILES,
    REVIEW,
    SKILLS,
    Action,
    bindings,
    chosen_keys,
    find,
    of_screen,
)
from curator_tui.tui.clerk import Retired
from curator_tui.tui.places import Tabs, tabs
from curator_tui.tui.shown import EMPTY, Line, Shown, message, own, shown_line, width_of
from curator_tui.tui.widgets.key_row import KeyRow
from curator_tui.tui.widgets.one_line import OneLine, Said
from curator_tui.tui.working import telling

if TYPE_CHECKING:
    from curator_tui.tui.app import CuratorApp
    from curator_tui.tui.copying import Copied
    from curator_tui.tui.looking import Board

WIDTHS = [(0, "-w0"), (40, "-w1"), (60, "-w2"), (110, "-w3")]
HEIGHTS = [(0, "-h0"), (10, "-h1"), (16, "-h2"), (32, "-h3")]
DECIDED = frozenset({"send", "apply", "roll", "revert"})
"""Groups of jobs that a key decided on: they are carried out to their end, and told, before anything is left."""
_MESSAGE_SECONDS = 12.0
_PATH = 6  # columns of the store's path that everything else gives way for
_NAME: Line = (own(" curator-tui ", role="strong"),)
_TITLES: tuple[tuple[Line, Tabs], ...] = (
    (_NAME, Tabs.NAMES),
    ((own(" "),), Tabs.NAMES),
    (_NAME, Tabs.OPEN),
    ((own(" "),), Tabs.OPEN),
    ((own(" "),), Tabs.KEYS),
)
"""Forms of the title, the one that says most first: the first that leaves room for what must be seen is taken."""
_CLICK_SECONDS = 3.0
R = TypeVar("R")


class TooSmall(OneLine):
    """What is shown instead of everything when the window is too small to read anything."""

    def on_mount(self) -> None:
        """Say so."""
        self.show((own("window too small, nothing lost", role="warn"),))


class Acting(Screen[R]):
    """Carrying out actions of the registry by name, for keys, clicks and the palette alike."""

    SCREEN: ClassVar[str] = ""
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

        It takes the job and not its coroutine: one that is given up before it began must not be left over. Leaving
        waits for those of the groups :data:`DECIDED`. An error of ours that a job lets through is said, and ends
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
                if self.app.is_running and self in self.app.screen_stack:
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

    def copied(self) -> Copied | None:
        """Return the text that a person would copy here; None where there is none."""
        return None

    def action_copy(self) -> None:
        """Send the text to the terminal's clipboard."""
        copied = self.copied()
        if copied is None or not copied.text:
            self.say((own("there is nothing to copy here"),))
        else:
            self.send(copied)

    def send(self, copied: Copied) -> None:
        """Send a text to the clipboard of the terminal or browser, and say so."""
        from curator_tui.tui.copying import for_terminal, told

        sent = for_terminal(copied.text)
        self.app.copy_to_clipboard(sent)
        self.say(told(copied, sent, Shown("the browser" if self.app.is_web else "the terminal")))

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


def read_only_words(*, web: bool) -> Line:
    """Say why a key that decides does nothing, and how to start so that it does."""
    way_out = Shown("curator-tui serve --write" if web else "start without --read-only")
    return (own("read only: nothing can be decided here ({})", way_out, role="warn"),)


class DeskScreen(Acting[None]):
    """A screen that fills the window.

    Attributes:
        at: what it shall show first, as who went there named it; empty for whatever it likes.
    """

    def __init__(self, size: Size) -> None:
        # the classes that Textual would give it after its first look at the window: so nothing is styled twice
        super().__init__(classes=" ".join((_class_for(size.width, WIDTHS), _class_for(size.height, HEIGHTS))))
        self.at = ""
        self._banner_of: Board | None = None
        self._message: Line = EMPTY
        self._murmured: Line = EMPTY
        self._until = 0.0

    def compose(self) -> ComposeResult:
        """Put the frame around the body."""
        yield OneLine(ground="bar", id="title")
        yield OneLine(ground="bar", id="banner")
        yield from self.body()
        yield Said(id="status")
        yield KeyRow(self.SCREEN, id="keys")
        yield TooSmall(id="too-small")

    def body(self) -> ComposeResult:
        """Return what stands between the frame's rows."""
        raise NotImplementedError

    # -- saying ----------------------------------------------------------------------------------------------------

    def say(self, line: Line) -> None:
        """Say something in the status row for a while."""
        self.app.hear(line)
        self._message = line
        self._until = monotonic() + _MESSAGE_SECONDS
        self.draw_status()

    def murmur(self, line: Line) -> None:
        """Show what goes on in the status row, before everything else there."""
        self._murmured = line
        self.draw_status()

    def draw_status(self) -> None:
        """Show what goes on, the message while it is fresh, or what always holds."""
        if monotonic() > self._until:
            self._message = EMPTY
        last = self._message if self.app.is_leaving else EMPTY  # who waits for the end is told what it waits for
        for row in self.query("#status").results(OneLine):  # none yet on a screen that is just being opened
            row.show((own(" "), *(last or self._murmured or self._message or self.standing())))

    def standing(self) -> Line:
        """Return what the status row says when there is no message."""
        return EMPTY

    # -- the frame -------------------------------------------------------------------------------------------------

    def draw_title(self, board: Board | None, right: Iterable[Line] = ()) -> None:
        """Show where we are, which store is bound, and what else must always be seen."""
        width = self.app.size.width
        parts: Line = tuple(piece for line in right for piece in (*line, own("  ")))
        skills = (board.facts.skills_waiting or 0) if board is not None else 0
        # the bound store and its gate are always in sight: the path gives way from the left, the scope never
        scope = shown_line(board.facts.scope, 20) if board is not None else Shown("")
        gate = _gate(board) if board is not None else EMPTY
        for name, form in _TITLES:
            left = (*name, *tabs(self.SCREEN, form, {SKILLS: skills}))
            room = width - width_of((*left, *gate, *parts)) - len(scope) - 4
            if room >= _PATH:
                break
        if board is not None:
            left = (*left, own(" {}:{}", _tail(board.facts.label, max(room, _PATH)), scope, role="note"), *gate)
        self.query_one("#title", OneLine).show(left, parts)
        self._draw_banner(board)

    def draw_banner_again(self) -> None:
        """Show the banner for what was known of the store last."""
        self._draw_banner(self._banner_of)

    def _draw_banner(self, board: Board | None) -> None:
        self._banner_of = board
        words = self._banner(board)
        row = self.query_one("#banner", OneLine)
        if row.display != bool(words):
            row.display = bool(words)  # only then: it means a new layout
        row.show((own(" "), *words))

    def _banner(self, board: Board | None) -> Line:
        if self.app.trouble is not None:
            return self.app.trouble
        if board is not None and board.deferred is None:
            return (own("what is deferred is not known: it is listed as waiting", role="bad"),)
        always = self._always(board)
        if always and self.app.notice:
            return (*always, own("  "), *self.app.notice)
        if not (always or self.app.notice):
            self.app.remembered.hinted |= bool(self.app.hint)
        return always or self.app.notice or self.app.hint

    def _always(self, board: Board | None) -> Line:
        if self.app.read_only:
            return (own("READ ONLY: nothing can be decided here", role="warn"),)
        if board is not None and board.facts.gate is False:
            command = shown_line(board.facts.gate_command)
            return (own("gate OFF: writes go straight in", role="bad"), own(" - {}", command, role="strong"))
        return EMPTY

    def action_palette(self) -> None:
        """Open the palette."""
        self.app.action_command_palette()

    def action_help(self) -> None:
        """Open the help overlay."""
        from curator_tui.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.SCREEN, self.why()))

    # -- going -----------------------------------------------------------------------------------------------------

    def action_go_review(self) -> None:
        """Go back to the queue."""
        self.app.go(REVIEW)

    def action_go_documents(self) -> None:
        """Go to the documents."""
        self.app.go(DOCUMENTS)

    def action_go_history(self) -> None:
        """Go to the backups."""
        self.app.go(HISTORY)

    def action_go_backups(self) -> None:
        """Go to the backups by the letter that means history everywhere."""
        self.app.go(HISTORY)

    def action_go_ledger(self) -> None:
        """Go to the record of every decision."""
        self.app.go(LEDGER)

    def action_go_learned(self) -> None:
        """Go to everything that was learned."""
        self.app.go(LEARNED)

    def action_go_skills(self) -> None:
        """Go to the skills."""
        self.app.go(SKILLS)

    def action_go_profiles(self) -> None:
        """Go to the profiles of the home."""
        self.app.go(PROFILES)

    def came_back(self) -> None:
        """Look again at what other places may have changed, after one of them was left."""

    def why(self) -> list[Line]:
        """Return what the help overlay says about the item at hand."""
        return []

    def action_view_theme(self) -> None:
        """Change to the next palette."""
        name = self.app.next_theme()
        why = Shown(": NO_COLOR is set, or the terminal has too few colours" if self.app.only_mono else "")
        self.say((own("theme: {}{}", Shown(name), why),))


class Dialog(Acting[R], ModalScreen[R]):
    """A screen above another one that answers a question."""

    CSS_PATH = "../styles/dialogs.tcss"

    def say(self, line: Line) -> None:
        """Say something in the dialog's own status row, where it has one."""
        self.app.hear(line)
        for row in self.query("#said").results(OneLine):
            row.show((own(" "), *line))


def _class_for(size: int, breakpoints: Sequence[tuple[int, str]]) -> str:
    return next(name for least, name in reversed(breakpoints) if size >= least)


def _gate(board: Board) -> Line:
    """Say whether writes wait for review; nothing as long as it was not read."""
    if board.documents is None:
        return EMPTY
    if board.facts.gate is None:
        return (own("  gate ?", role="warn"),)
    return (own("  gate on", role="dim"),) if board.facts.gate else (own("  gate OFF", role="bad"),)


def _tail(text: str, width: int) -> Shown:
    """Return the end of a path that is too long, which tells more than its beginning."""
    whole = shown_line(text)
    return whole if len(whole) <= width else Shown("…" + whole[-(width - 1) :])
