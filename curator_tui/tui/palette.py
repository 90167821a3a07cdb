"""The command palette: every action of the current screen by name, from the registry.

Here: matching and what a hit carries out. Not here: the actions. Texts are contents, never markup.
"""

from __future__ import annotations

import re
from functools import partial
from time import monotonic
from typing import ClassVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.message import Message
from textual.widgets import Button, Input, OptionList

from curator_tui.tui.actions import Action, keys_shown, offered
from curator_tui.tui.screens.acting import INTERRUPT, Acting, interrupted_words
from curator_tui.tui.shown import Line, Shown, content, own
from curator_tui.tui.widgets.one_line import Said

_PAINTED_AGAIN = 0.05
_LEAST = 3
_WORD = re.compile(r"\w+")
_CHOSEN = (Input.Submitted, OptionList.OptionSelected, Button.Pressed)


class ActionsPalette(CommandPalette):
    """The palette as Textual has it, closed once and for one action: keys that were on their way do nothing more."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(INTERRUPT, "interrupt", "copy", show=False)]

    def __init__(self) -> None:
        super().__init__(id="--command-palette")

    def say(self, line: Line) -> None:
        """Say something below the field, for what is on the screen underneath is mostly covered."""
        if not self.is_mounted:
            self.call_after_refresh(self.say, line)
            return
        line = (own("  "), *line)
        if said := self.query(Said):
            said.first().show(line)
        else:
            row = Said(id="said")
            row.visible = True  # the library hides the container, and shows what it has in it
            self.query_one("#--container").mount(row, after="#--input")
            row.call_after_refresh(row.show, line)

    def action_interrupt(self) -> None:
        """Say how to leave: what was selected in the field was copied before this key came here."""
        self.say(interrupted_words())

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close it, where it was not closed already: Textual would close the screen underneath."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    async def _dispatch_message(self, message: Message) -> None:
        """Take no choice any more once it is closed."""
        if self.app.screen is self or not isinstance(message, _CHOSEN):
            await super()._dispatch_message(message)


class ActionsProvider(Provider):
    """Offers the actions of the screen underneath.

    Who presses enter has often read no more than the first line, so what decides is never there by accident: it is
    offered once the beginnings of its words were typed, and not chosen in less time than reading takes.
    """

    _opened = 0.0

    async def startup(self) -> None:
        """Remember since when it is open."""
        self._opened = monotonic()

    def _actions(self) -> list[Action]:
        screen = self.screen
        if not isinstance(screen, Acting):
            return []
        there = offered(screen.SCREEN, web=screen.app.is_web)
        return [action for action in there if action.id != "palette"]

    def _hit_text(self, action: Action) -> str:
        """Return what is read and searched: the help overlay's words, named where these take the name for granted."""
        named = action.label in action.help
        words = action.help if named else f"{action.label}: {action.help}"
        keys = keys_shown(action)
        return f"{words}  ({keys})" if keys else words

    async def discover(self) -> Hits:
        """Offer everything that decides nothing before a word is typed."""
        for action in self._actions():
            if action.decides:
                continue
            text = self._hit_text(action)
            shown = content((own("{}", Shown(text)),))
            yield DiscoveryHit(shown, partial(self._perform, action), text=text)

    async def search(self, query: str) -> Hits:
        """Offer what matches."""
        matcher = self.matcher(query)
        for action in self._actions():
            text = self._hit_text(action)
            if (score := matcher.match(f"{text} {action.id}")) > 0 and (not action.decides or is_named(query, text)):
                shown = content((own("{}", Shown(text)),))
                yield Hit(score, shown, partial(self._perform, action), text=text)

    async def _perform(self, action: Action) -> None:
        """Carry it out as if its key were pressed once the screen underneath can be read again."""
        screen = self.screen
        if not isinstance(screen, Acting):
            return
        if action.decides and monotonic() - self._opened < screen.app.timing.dwell:
            screen.say((own("too fast: nothing was chosen that could have been read", role="warn"),))
        else:
            readable = screen.app.timing.dwell + _PAINTED_AGAIN
            screen.app.later.begin(readable, partial(screen.app.perform_now, screen, action))


def is_named(query: str, text: str) -> bool:
    """Whether every word of a query, of three letters or more in all, begins a word of a text."""
    wanted, words = _WORD.findall(query.casefold()), _WORD.findall(text.casefold())
    enough = sum(map(len, wanted)) >= _LEAST
    return enough and all(any(word.startswith(one) for word in words) for one in wanted)
