"""What a person wants changed by hand, with its words, and what it would do, complete before it reaches a widget.

Here: :class:`Wanted` and how the usual ones are made. Not here: the rules (``core.corrections``), what it would do
(``curator.correcting``), the screens (``screens.proposing``, ``screens.writing``), carrying out
(``screens.correcting``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from curator_tui.core.corrections import Correction
from curator_tui.core.documents import Target, entry_id
from curator_tui.core.gains import Gain, Likeness
from curator_tui.core.operations import Action, Operation
from curator_tui.core.splitting import Split
from curator_tui.tui.facts import file_name
from curator_tui.tui.shown import Line, Piece, Shown, fit, lines_of, own, say, shown, shown_line, words_of

_QUOTED = 40


class Wanted(NamedTuple):
    """A change by hand before it is made.

    Attributes:
        correction: what shall be changed.
        title: what it is, for the head of its preview.
        done: what is said when it is made.
        yes: what the key that carries it out does.
        why: what is worth knowing before it is looked at.
    """

    correction: Correction
    title: Shown
    done: Shown
    yes: Shown
    why: tuple[Line, ...] = ()


def quoted(text: str) -> Shown:
    """Return the first words of an entry in quotes, on one line."""
    return say("'{}'", words_of(fit((Piece(shown_line(text)),), _QUOTED)))


def wording(target: Target, text: str) -> Wanted:
    """Return the wish for another wording of an entry; the wording itself is written in a field."""
    operation = Operation(Action.REPLACE, target, content=text, pin=text)
    return Wanted(
        Correction((operation,), name=f"entry-{entry_id(text)}"),
        say("correct an entry of {}", file_name(target)),
        say("corrected {}", quoted(text)),
        say("write it"),
    )


def addition(target: Target) -> Wanted:
    """Return the wish for another entry; its text is written in a field."""
    return Wanted(
        Correction((Operation(Action.ADD, target, content=""),), name=f"new-{target}"),
        say("a new entry of {}", file_name(target)),
        say("added an entry to {}", file_name(target)),
        say("add it"),
    )


def removal(target: Target, text: str, why: tuple[Line, ...] = ()) -> Wanted:
    """Return the wish to remove an entry."""
    return Wanted(
        Correction((Operation(Action.REMOVE, target, pin=text),), name=f"entry-{entry_id(text)}"),
        say("remove an entry of {}", file_name(target)),
        say("removed {}", quoted(text)),
        say("remove it"),
        why,
    )


def arranged(target: Target, order: tuple[str, ...], moved: str) -> Wanted:
    """Return the wish for another order of the entries of a document.

    Args:
        target: the document.
        order: all its entries as they shall stand.
        moved: the entry that is moved, for the words.
    """
    return Wanted(
        Correction(order={target: order}, name=f"order-{target}"),
        say("put the entries of {} in order", file_name(target)),
        say("moved {}", quoted(moved)),
        say("move it"),
        ((Piece(say("The same entries in another order: no character of an entry changes.")),),),
    )


def tidied(target: Target) -> Wanted:
    """Return the wish to have a document that was edited by hand written in Hermes's own form."""
    return Wanted(
        Correction(tidy=(target,), name=f"tidy-{target}"),
        say("write {} in Hermes's own form", file_name(target)),
        say("wrote {} in Hermes's own form", file_name(target)),
        say("write it"),
        (
            (Piece(say("Every entry stays as it is; only white space and line ends between entries change.")),),
            (Piece(say("Then Hermes can replace and remove there again.")),),
        ),
    )


def split(target: Target, text: str, one: Split, correction: Correction) -> Wanted:
    """Return the wish to split an entry in one of the ways there are."""
    return Wanted(
        correction,
        say("split an entry of {} at its {}: {} entries", file_name(target), one.way, len(one.parts)),
        say("split {} into {} entries", quoted(text), len(one.parts)),
        say("split it"),
        ((Piece(say("No word is lost: the parts stand where the whole stands now.")),),),
    )


def merged(target: Target, gain: Gain) -> tuple[Wanted, ...]:
    """Return the ways to merge two entries that are alike: each of them may be the one that stays.

    Where all words of one stand in the other there is one way only.
    """
    how = say("They are alike, and this is a hint, not a finding: read both.")
    if gain.certain:
        how = say("{}: removing one loses nothing it says.", Shown(str(gain.likeness)))
    pairs = [(gain.drop, gain.keep)]
    if gain.likeness is not Likeness.WITHIN:
        pairs.append((gain.keep, gain.drop))
    return tuple(removal(target, drop, ((Piece(how),), *_staying(keep))) for drop, keep in pairs)


def _staying(text: str) -> Iterator[Line]:
    for at, line in enumerate(lines_of(shown(text), "same")):
        yield (own("stays: " if not at else "       ", role="label"), *line)
