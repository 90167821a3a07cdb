"""Copies for a person's clipboard and files: text as it is displayed, so that nothing hidden leaves the screen unseen.

Here: text of lines and pages, how much of it a terminal takes, a review as Markdown. Not here: keys (the screens),
writing files (the door).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from curator_tui.core.proposals import Proposal
from curator_tui.tui.facts import counted
from curator_tui.tui.page_lines import Page, PageLine
from curator_tui.tui.shown import HIDDEN, Line, Shown, hidden_in, own, say, shown, shown_line, words_of

_MOST = 48_000
"""Bytes that are sent: as base64 they are 64 kB, and terminals that are stricter stop a little above that."""
_BACKTICKS = re.compile(r"`+")


class Copied(NamedTuple):
    """A text to be copied.

    Attributes:
        text: the text, made visible.
        hidden: how many hidden characters stand in it as tokens.
    """

    text: Shown
    hidden: int


def copy_of(lines: Iterable[Line]) -> Copied:
    """Return lines as one text."""
    whole = list(lines)
    text = Shown("\n".join(words_of(line).rstrip() for line in whole).strip("\n"))
    return Copied(text, sum(piece.role == HIDDEN for line in whole for piece in line))


def copy_of_page(page: Page) -> Copied:
    """Return everything that a page says, whatever of it is on screen."""
    return copy_of(_whole(line) for line in page.lines)


def copy_of_item(proposal: Proposal, page: Page) -> Copied:
    """Return the texts that are proposed; of a step that only takes away, the text that it looks for.

    Where none is proposed that can be read it is what the page says.
    """
    texts = [shown(step.content or step.match or "") for step in proposal.operations]
    text = Shown("\n".join(text.rstrip() for text in texts).strip("\n"))
    return Copied(text, sum(map(hidden_in, texts))) if text else copy_of_page(page)


def _whole(line: PageLine) -> Line:
    return (*line.prefix, *line.body)


def for_terminal(text: Shown) -> Shown:
    """Return as much of a text as is sent to a terminal, cut between two characters."""
    raw = text.encode("utf-8", "surrogatepass")
    return text if len(raw) <= _MOST else Shown(raw[:_MOST].decode("utf-8", "ignore"))


def told(copied: Copied, sent: Shown, to: Shown) -> Line:
    """Say what became of a text that was sent: whether it arrived nobody tells us."""
    line: Line = (own("copied: {}, sent to {}", counted(len(sent), "character"), to, role="good"),)
    if len(sent) < len(copied.text):
        line = (*line, own("; it takes no more of the {}", len(copied.text), role="warn"))
    if copied.hidden:
        line = (*line, own("; {} hidden ones stand in it as signs", copied.hidden, role="warn"))
    return line


def markdown(name: str, state: Shown, *pages: Page) -> Copied:
    """Return a review for a message or a ticket: a heading, and the pages as they are displayed."""
    parts = [copy_of_page(page) for page in pages if page.lines]
    body = "\n\n".join(part.text for part in parts)
    fence = "`" * max(3, 1 + max((len(found) for found in _BACKTICKS.findall(body)), default=0))
    title = say("# Review of {} ({})", shown_line(name), state)
    return Copied(Shown(f"{title}\n\n{fence}\n{body}\n{fence}\n"), sum(part.hidden for part in parts))
