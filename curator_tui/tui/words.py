"""Words for items, recorded changes and receipts, shared by what is said, undo and history.

Here: a few words for each. Not here: what stands beside an outcome (``facts``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from curator_tui.core.changes import NotApplied, PastChange, Receipt
from curator_tui.core.keeping import says_secret
from curator_tui.core.proposals import Proposal
from curator_tui.core.requests import Kind
from curator_tui.curator.deeds import deed_about, deed_with_items
from curator_tui.tui.facts import summary, target_word
from curator_tui.tui.shown import Line, Piece, Shown, fit, message, own, say, shown_line, words_of

if TYPE_CHECKING:
    from curator_tui.curator.row_subjects import Subject

_ITEM_WIDTH = 36
LISTED = 40  # items and changes that a question names, before it says how many more there are
Names = Mapping[str, Shown]


def item_words(proposal: Proposal, width: int = _ITEM_WIDTH) -> Shown:
    """Name an item by its document and the first words of what it does; by its id where words would not do.

    That is where it does nothing, and where words could repeat a secret.

    Args:
        proposal: the item.
        width: cells of these words.
    """
    if not _has_words(proposal):
        return shown_line(proposal.id, 16)
    return say("{}: '{}'", target_word(proposal), words_of(fit((Piece(summary(proposal)),), width)))


def item_title(proposal: Proposal, width: int = _ITEM_WIDTH) -> Shown:
    """Name a waiting item in a question: its words, then its id; the id alone where words would not do."""
    name = shown_line(proposal.id, 16)
    return say("{} ({})", item_words(proposal, width), name) if _has_words(proposal) else name


def _has_words(proposal: Proposal) -> bool:
    return proposal.problem is None and bool(proposal.operations) and not says_secret(proposal)


def change_words(change: PastChange, names: Names | None = None) -> Shown:
    """Say what a recorded change was.

    Args:
        change: the change.
        names: words for its items, as far as their records are kept; others are named by their ids.
    """
    return Shown(deed_with_items(change, lambda item: name_of(item, names)))


def about_names(about: Sequence[Subject], width: int = _ITEM_WIDTH) -> tuple[Shown, ...]:
    """Name what a change was about by its words; by its id where they are not kept, not at all where it has none."""
    return tuple(_about(one, width) for one in about if one.text is not None or one.id)


def _about(one: Subject, width: int) -> Shown:
    if one.secret:
        from curator_tui.curator.row_subjects import HIDDEN

        return Shown(HIDDEN)
    return shown_line(one.id, 16) if one.text is None else say("'{}'", shown_line(one.text, max(width, 8)))


def deed_words(
    change: PastChange, names: Names, about: Sequence[Subject] = (), first: PastChange | None = None
) -> Shown:
    """Say what a recorded change was, by its items or by what else it was about.

    Args:
        change: the change.
        names: words for its items.
        about: what it was about that decided no item.
        first: the change behind an undo or redo.
    """
    if change.closed and change.kind is Kind.DECIDE and names:
        return change_words(change, names)
    return Shown(deed_about(change, about_names(about), first=first))


def name_of(item: str, names: Names | None) -> Shown:
    """Return the words for an item, its id where there are none."""
    return (names or {}).get(item) or shown_line(item, 16)


def ended(receipt: Receipt) -> tuple[str, ...]:
    """Return the items that left the queue with a change."""
    return tuple(item.id for item in (*receipt.applied, *receipt.closed))


def noted(receipt: Receipt, line: Line) -> Line:
    """Return what is said of a change, and behind it everything that is worth saying about how it was done."""
    notes = say("; ").join(message(note) for note in receipt.notes)
    return (*line, own("; {}" if line else "{}", Shown(notes), role="warn")) if notes else line


def refusal(failed: NotApplied) -> Line:
    """Say why something asked for did not happen."""
    return (own("{}: {}", shown_line(failed.id, 24), message(failed.message), role="warn"),)
