"""What all parts of the review screen have: the screen, the application, and what is looked at.

Here: the ground of a part. A part holds what only it needs; whatever two of them need is in the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curator_tui.tui.app import CuratorApp
    from curator_tui.tui.screens.review import ReviewScreen


class Part:
    """One thing that the review screen does.

    Attributes:
        screen: the screen; its other parts are attributes of it.
        model: what it shows.
    """

    def __init__(self, screen: ReviewScreen) -> None:
        self.screen = screen
        self.model = screen.model

    @property
    def app(self) -> CuratorApp:
        """The application."""
        return self.screen.app
