"""The command palette: every action of the current screen by name, from the registry.

Here: matching and what a hit carries out. Not here: the actions. Texts are contents, never markup.
"""

from __future__ import annotations

from functools import partial

from textual.await_complete import AwaitComplete
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.message import Message
from textual.widgets import Button, Input, OptionList

from curator_tui.tui.actions import Action, keys_shown, offered
from curator_tui.tui.screens.acting import Acting
from curator_tui.tui.shown import Shown, content, own

_PAINTED_AGAIN = 0.05
_CHOSEN = (Input.Submitted, OptionList.OptionSelected, Button.Pressed)


class ActionsPalette(CommandPalette):
    """The palette as Textual has it, closed once and for one action: keys that were on their way do nothing more."""

    def __init__(self) -> None:
        super().__init__(id="--command-palette")

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close it, where it was not closed already: Textual would close the screen underneath."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    async def _dispatch_message(self, message: Message) -> None:
        """Take no choice any more once it is closed."""
        if self.app.screen is self or not isinstance(message, _CHOSEN):
            await super()._dispatch_message(message)


class ActionsProvider(Provider):
    """Offers the actions of the screen underneath."""

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
        """Offer everything before a word is typed."""
        for action in self._actions():
            text = self._hit_text(action)
            shown = content((own("{}", Shown(text)),))
            yield DiscoveryHit(shown, partial(self._perform, action), text=text)

    async def search(self, query: str) -> Hits:
        """Offer what matches."""
        matcher = self.matcher(query)
        for action in self._actions():
            text = self._hit_text(action)
            if (score := matcher.match(f"{text} {action.id}")) > 0:
                shown = content((own("{}", Shown(text)),))
                yield Hit(score, shown, partial(self._perform, action), text=text)

    async def _perform(self, action: Action) -> None:
        """Carry it out as if its key were pressed once the screen underneath can be read again."""
        screen = self.screen
        if isinstance(screen, Acting):
            screen.app.set_timer(
                screen.app.timing.dwell + _PAINTED_AGAIN, partial(screen.app.perform_now, screen, action)
            )
