"""Words about the ledger as a whole: what rows say together, how the chain stands, why there is nothing to show.

Here: the lines. Not here: counting (``core.ledger_facts``), verifying (``core.verification``), one row
(``ledger_pages``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from curator_tui.core.actors import counted_actors
from curator_tui.core.errors import CuratorError
from curator_tui.core.ledger_facts import Statistics
from curator_tui.core.ledger_filters import KEYS
from curator_tui.core.origins import Claim, Origin
from curator_tui.core.requests import Actor
from curator_tui.core.verification import Verification
from curator_tui.tui.actions import key_for, key_out
from curator_tui.tui.facts import counted
from curator_tui.tui.page_lines import BLANK_LINE, Page, PageLine
from curator_tui.tui.pages import label_prefix
from curator_tui.tui.shown import Line, Shown, message, own, say, shown_line

_NAMED = 100  # faults that are named one by one
_EMPTY: Mapping[str, str] = {
    "rows": "The ledger is empty: nothing was decided here yet.",
    "live entries": "No entry stands in either document.",
    "tombstones": "No tombstone: nothing was erased here.",
}
_NEXT: Mapping[str, str] = {
    "rows": "{} goes to the queue; the first decision makes the first rows.",
    "live entries": "{} goes to the queue: what is approved there becomes one.",
    "tombstones": "A tombstone proves an erase without its words; this version erases nothing. {} goes on to the rows.",
}
_KEY = {"rows": "go.review", "live entries": "go.review", "tombstones": "ledger.view"}


def _line(label: Shown, body: Line) -> PageLine:
    return PageLine(body, label_prefix(label))


def statistics_lines(found: Statistics, you: Actor) -> Iterator[PageLine]:
    """Say what some rows say together, to whoever looks."""
    yield PageLine((own("{}", counted(found.rows, "row"), role="strong"),))
    yield from _counts(say("items"), found.by_decision)
    yield from _counts(say("rows"), found.by_action)
    yield from _counts(say("by"), counted_actors(found.by_who, you))
    share = say(" ({}%)", round(100 * found.unseen_share)) if found.unseen_share is not None else Shown("")
    unseen = own("{} of {} approvals on screen{}", found.approved_unseen, found.approved_painted, share,
                 role="warn" if found.approved_unseen else "good")  # fmt: skip
    yield _line(say("unseen"), (unseen,))
    yield _line(
        say("no review"),
        (own("{} written by others", counted(found.unreviewed, "row"), role=_warned(found.unreviewed)),),
    )
    yield _line(say("overridden"), (own("{}", counted(found.overridden, "item"), role=_warned(found.overridden)),))
    yield _line(say("refused"), (own("{} attempts", found.refused),))
    if found.on_screen_s is not None:
        yield _line(say("on screen"), (own("{} s in the median", Shown(f"{found.on_screen_s:.1f}")),))
    if found.unreadable:
        key = key_for("ledger.verify")
        yield _line(say("unreadable"), (own("{}: press {}", counted(found.unreadable, "row"), key, role="bad"),))


def _warned(number: int) -> str:
    return "warn" if number else "text"


def _counts(label: Shown, counts: Mapping[str, int]) -> Iterator[PageLine]:
    if counts:
        words = Shown("   ".join(f"{shown_line(word, 30)} {number}" for word, number in counts.items()))
        yield _line(label, (own("{}", words),))


def source_statistics(origins: Sequence[Origin]) -> Iterator[PageLine]:
    """Say what the sources of some entries say together."""
    yield PageLine((own("{}", counted(len(origins), "live entry"), role="strong"),))
    by_source: dict[str, int] = {}
    for one in origins:
        by_source[str(one.proposer)] = by_source.get(str(one.proposer), 0) + 1
    yield from _counts(say("source"), by_source)
    claims = {str(claim): sum(one.claim is claim for one in origins) for claim in Claim}
    yield from _counts(say("rests on"), {word: number for word, number in claims.items() if number})
    unseen = sum(not one.seen for one in origins)
    yield _line(say("unseen"), (own("{} never seen by a person", unseen, role=_warned(unseen)),))
    unreviewed = sum(one.unreviewed for one in origins)
    yield _line(say("no review"), (own("{} written without one", unreviewed, role=_warned(unreviewed)),))


# -- in the place of a row -----------------------------------------------------------------------------------------


def failed_page(error: CuratorError) -> Page:
    """Say why nothing can be shown, and what can be done."""
    lead = (own("  "),)
    lines = [PageLine((own("{}", message(error.message), role="bad"),), lead)]
    if error.way_out:
        lines.append(PageLine((own("{}", message(error.way_out)),), lead))
    return Page("", "", tuple(lines))


def empty_page(view: str, *, filtered: bool, searching: bool) -> Page:
    """Say why no row is there, and what to do next."""
    if searching:
        return Page("", "", (PageLine((own("looking…", role="dim"),), (own("  "),)),))
    if filtered:
        lines: list[Line] = [
            (own("No row matches this filter."),),
            (own("{} edits it, {} clears it. All of its words must hold; a dash in front turns one around.",
                 key_for("find"), key_out()),),
            (),
            *((own("{:<8}", Shown(key), role="key"), own("{}", Shown(takes), role="dim"))
              for key, takes in KEYS.items()),
        ]  # fmt: skip
    else:
        lines = [(own(_EMPTY[view]),), (own(_NEXT[view], key_for(_KEY[view])),)]
    return Page("", "", tuple(PageLine(line, (own("  "),)) for line in lines))


# -- the chain -----------------------------------------------------------------------------------------------------


def _faults(found: Verification) -> Iterator[PageLine]:
    for problem in found.problems[:_NAMED]:
        yield PageLine((own("{}", message(problem.message), role="bad"),), (own("  - "),))
    more = len(found.problems) - _NAMED
    if more > 0:
        yield PageLine((own("and {} more: curator-tui ledger verify", more, role="bad"),), (own("  - "),))


def verification_page(found: Verification) -> Page:
    """Say what verifying found; a damaged chain is named plainly, with what can be done."""
    checked = own("{} kept texts were held against their rows; {} are gone and prove nothing any more.", found.checked,
                  found.open, role="dim")  # fmt: skip
    if not found.problems:
        good = own("{}: the chain is whole, up to row {}.", counted(found.rows, "row"), found.head[0], role="good")
        return Page("", "", (PageLine((good,)), PageLine((checked,))))
    lines = [
        PageLine((own("The ledger is NOT in order: {}.", counted(len(found.problems), "fault"), role="bad"),)),
        BLANK_LINE,
        *_faults(found),
        BLANK_LINE,
        PageLine((own("What this means", role="head"),)),
        PageLine((own("Something other than curator-tui wrote to its book or backups, or a disk damaged them. Your "
                      "memory documents are not touched by that, and items can still be decided."),)),
        PageLine((own("From the first fault on, the rows prove nothing; a change that its rows do not bear out cannot "
                      "be undone."),)),
        BLANK_LINE,
        PageLine((own("What to do", role="head"),)),
        PageLine((own("1. Keep the book for whoever looks into it: copy the folder curator-tui of the home."),)),
        PageLine((own("2. Put back a copy of curator-tui/book.sqlite from before the fault, if you have one."),)),
        PageLine((own("3. Compare with a checkpoint kept elsewhere: curator-tui ledger verify --checkpoint FILE"),)),
        PageLine((own("4. See everything that does not fit together: curator-tui doctor"),)),
        BLANK_LINE,
        PageLine((checked,)),
    ]  # fmt: skip
    return Page("", "", tuple(lines))
