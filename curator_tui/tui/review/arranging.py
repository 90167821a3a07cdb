"""Which rows the review screen lists and in which order: headings, order, the filter, what is deferred.

Here: the keys that choose among these. Not here: asking for the list that is wanted (``paging``), what a filter means
(``curator.queries``), marks (``marking``).
"""

from __future__ import annotations

from curator_tui.curator.queries import Group, Sort, field_help, filter_trouble
from curator_tui.tui.actions import key_for
from curator_tui.tui.review.part import Part
from curator_tui.tui.shown import Shown, message, own, say

_CHOICES: dict[Group | Sort, str] = {
    Group.STATE: "under each state",
    Group.DOCUMENT: "under each document",
    Group.ORIGIN: "under each origin",
    Group.NOTHING: "without headings",
    Sort.OLDEST: "oldest first",
    Sort.NEWEST: "newest first",
    Sort.GROWTH: "what grows most first",
    Sort.TEXT: "by its words",
}
_DEFERRED = "is:deferred"


class Arranging(Part):
    """What the list is made of."""

    # -- the order -------------------------------------------------------------------------------------------------

    def choose_order(self) -> None:
        """Choose what rows stand under, and their order."""
        from curator_tui.tui.screens.choosing import ChooseScreen

        session = self.app.session
        now = {session.group, session.sort}
        choices = (*Group, *Sort)
        texts = [f"{_CHOICES[choice]}{' (now)' if choice in now else ''}" for choice in choices]

        def chosen(at: int | None) -> None:
            if at is not None:
                choice = choices[at]
                if isinstance(choice, Group):
                    session.group = choice
                    self.app.remembered.group = choice
                else:
                    session.sort = choice
                    self.app.remembered.sort = choice
                self.screen.paging.put_in_order()
                self.screen.say((own("the list: {}", Shown(_CHOICES[choice])),))

        self.app.push_screen(ChooseScreen(say("headings and order of the list"), texts), chosen)

    # -- finding ---------------------------------------------------------------------------------------------------

    def set_words(self, words: str) -> None:
        """Show only rows that hold these words."""
        self.app.session.words = words
        if words != _DEFERRED:
            self.app.session.words_before = ""
        more = self.app.clerk.desk.more_fields
        trouble = filter_trouble(words, more)
        if trouble:
            self.screen.say((own("{}", message(trouble), role="warn"),))
        elif words:
            self.screen.say((own("fields: {}", message(field_help(words, more)), role="dim"),))
        else:
            self.screen.say(())
        if self.model.board is not None:
            self.screen.paging.put_in_order()

    def list_deferred(self) -> None:
        """List what is deferred, to decide it or bring it back; a second time the queue as it was filtered before."""
        if self.app.session.words == _DEFERRED:
            self.screen.close_filter()
            self.set_words(self.app.session.words_before)
        elif self.app.trouble is not None:
            self.screen.say((own("what is deferred is not known: the store cannot be read", role="bad"),))
        elif self.model.board is not None and self.model.board.deferred is None:
            self.screen.say((own("what is deferred is not known: it is listed as waiting", role="bad"),))
        elif self.model.board is None or not self.model.board.deferred:
            self.screen.say((own("nothing is deferred; {} puts an item away until a day", key_for("decide.defer")),))
        else:
            self.app.session.words_before = self.app.session.words
            self.screen.close_filter()
            self.set_words(_DEFERRED)
            keys = key_for("decide.defer"), key_for("view.deferred")
            self.screen.say((own("deferred: {} brings one back or takes another day, {} lists the queue", *keys),))
