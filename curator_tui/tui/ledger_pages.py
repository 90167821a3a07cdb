"""Pages of the ledger: one row with the texts it names, one live entry with where it came from.

Here: :class:`RowLook`, read in the clerk's thread, and the lines of both pages. Not here: columns (``ledger_rows``),
the words about an origin (``origin_words``), what stands where no row is (``ledger_words``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from curator_tui.core.documents import TARGETS, Document, Target, parse
from curator_tui.core.endings import one_deed
from curator_tui.core.ledger import CHAIN_WORDS
from curator_tui.core.origins import Origin
from curator_tui.core.preflight import DocumentOutcome
from curator_tui.core.reason_words import reason_word
from curator_tui.core.requests import Actor
from curator_tui.core.row_form import DecisionForm, RowForm
from curator_tui.core.times import utc_words
from curator_tui.core.tracing import moment_of
from curator_tui.curator.desk import Desk
from curator_tui.curator.ledger_queries import DecisionDetail, RowDetails, TextState, details
from curator_tui.curator.looking import DocumentView, document_view
from curator_tui.curator.row_subjects import meant_by, taken_back
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import age, file_name, operation_word
from curator_tui.tui.ledger_rows import who
from curator_tui.tui.origin_words import earlier_lines, origin_lines
from curator_tui.tui.page_lines import BLANK_LINE, Look, Page, PageLine, rule
from curator_tui.tui.pages import document_lines, label_prefix, text_lines
from curator_tui.tui.shown import Line, Shown, data, own, say, shown_line
from curator_tui.tui.words import deed_words, item_words

if TYPE_CHECKING:
    from curator_tui.curator.values import Evidence

_GONE = "pruned or erased; its size and what bound it stay"
_ALTERED = "kept, but not what this row was made of: it is not shown"


class RowLook(NamedTuple):
    """One row, the documents it changed, as far as both texts are kept, and what it took back or did again."""

    details: RowDetails
    documents: tuple[DocumentView, ...]
    reverted: Shown = Shown("")


def look_at_row(desk: Desk, seq: int) -> RowLook:
    """Read one row with everything it names that is still kept."""
    found = details(desk, seq)
    views = [view for target in TARGETS if (view := _view(found, target)) is not None]
    return RowLook(found, tuple(views), _reverted(desk, found.row.form))


def _reverted(desk: Desk, form: RowForm | None) -> Shown:
    first = taken_back(desk, form) if form is not None else None
    return deed_words(first, {}, meant_by(desk, first)) if first is not None else Shown("")


def _view(found: RowDetails, target: Target) -> DocumentView | None:
    after = _document(target, found.documents.get((target, "after")))
    if after is None:
        return None
    if (target, "before") in found.documents:
        before = _document(target, found.documents[target, "before"])
    else:
        before = parse(target, None)  # first seen: nothing is known of before
    if before is None or not (before.usable and after.usable):
        return None
    outcome = DocumentOutcome(before.entries, after.entries, before.size, after.size, None)
    return document_view(target, outcome, before.presence)


def _document(target: Target, part: TextState | None) -> Document | None:
    if part is None or part.state not in {"kept", "absent"}:
        return None
    return parse(target, None if part.state == "absent" else part.text.encode("utf-8", "surrogatepass"))


# -- one row -------------------------------------------------------------------------------------------------------


def row_page(looked: RowLook, you: Actor, now: float, look: Look, *, whole: bool = False) -> Page:
    """Return the page of a row.

    Args:
        looked: the row.
        you: who looks.
        now: UTC seconds, for ages.
        look: how changes of documents are drawn.
        whole: with whole hashes and the steps of its items, for a screen of its own.
    """
    found = looked.details
    form = found.row.form
    if form is None:
        words = own("row {} cannot be read: it is damaged. {} verifies the chain and names everything.", found.row.seq,
                    key_for("ledger.verify"), role="bad")  # fmt: skip
        return Page(str(found.row.seq), found.row.hash, (PageLine((words,), (own("  "),)),))
    lines = [*_head(form, you, now), *_decisions(found), *_documents(found), *_references(form, looked.reverted)]
    lines += list(_chain(found, whole=whole))
    if looked.documents:
        lines += [BLANK_LINE, rule(say("what it changed")), *document_lines(looked.documents, look)]
    if whole:
        lines += list(_steps(found.decisions))
    return Page(str(found.row.seq), found.row.hash, tuple(lines))


def _line(label: Shown, body: Line) -> PageLine:
    return PageLine(body, label_prefix(label))


def _head(form: RowForm, you: Actor, now: float) -> Iterator[PageLine]:
    at = moment_of(form.at)
    through = say(" through {}", shown_line(form.actor.through, 12)) if form.actor.through else Shown("")
    done: Line = (
        own("{} ", shown_line(one_deed(form.action), 40), role="strong"),
        own("by {}{}, ", who(form.actor, you), through),
    )
    if at is None:
        moment = own("at {}, which is no moment", shown_line(form.at, 40), role="warn")
    else:
        moment = own("{}, {} ago", shown_line(utc_words(at)), age(now - at))
    yield _line(say("row {}", form.seq), (*done, moment))
    if form.action in CHAIN_WORDS:
        yield _line(say("copied"), (own("{}", Shown(CHAIN_WORDS[form.action]), role="note"),))
    if form.repeats:
        words = own("{} more times since {}", form.repeats, shown_line(form.since, 30), role="warn")
        yield _line(say("repeated"), (words,))
    if form.recovered:
        yield _line(say("recovered"), (own("it was interrupted and finished at a later start", role="note"),))
    if form.partly:
        names = shown_line(", ".join(form.partly), 40)
        yield _line(say("partly"), (own("not written: {}", names, role="warn"),))
    if why := _why(form.reason, form.override):
        yield _line(say("reason"), why)


def _why(reason: str, override: Sequence[str]) -> Line:
    found: Line = (own("{}", shown_line(reason_word(reason), 40)),) if reason else ()
    if override:
        names = shown_line(", ".join(override), 60)
        found = (*found, own("  passed knowingly: {}" if reason else "passed knowingly: {}", names, role="warn"))
    return found


def _decisions(found: RowDetails) -> Iterator[PageLine]:
    for one in found.decisions:
        form = one.form
        words = (
            item_words(one.proposal) if one.proposal is not None else say("its record is pruned, erased or kept out")
        )
        name = one.proposal.id if one.proposal is not None else form.proposal
        yield _line(say("item"), (data(name), own("  {}  ", words), *_ending(form)))
        if note := _note_words(form.note, one.note):
            yield _line(Shown(""), note)
    row = found.row.form
    if row is not None and (note := _note_words(row.note, found.note)):
        yield _line(say("note"), note)


def _ending(form: DecisionForm) -> Line:
    parts: Line = (own("{}", shown_line(form.decision, 20), role="strong"),)
    if form.seen:
        parts = (*parts, own(", seen {}", shown_line(form.seen, 8)))
    if form.on_screen_ms:
        parts = (*parts, own(", {} s on screen", Shown(f"{form.on_screen_ms / 1000:.1f}")))
    if form.by:
        parts = (*parts, own(", by {}", shown_line(form.by, 20)))
    if form.source:
        parts = (*parts, own(", session {}", shown_line(form.source, 30)))
    if why := _why(form.reason, form.override):
        parts = (*parts, own(", "), *why)
    return parts


def _note_words(name: str, words: str | None) -> Line:
    if not name:
        return ()
    if words is None:
        return (own("a note was left; its words are gone", role="dim"),)
    return (own("in your words: ", role="dim"), own('"{}"', shown_line(words, 400)))


def _documents(found: RowDetails) -> Iterator[PageLine]:
    for target in TARGETS:
        parts = {moment: part for (name, moment), part in found.documents.items() if name is target}
        if not parts:
            continue
        before, after = parts.get("before"), parts.get("after")
        words = own("{} -> {} characters", _size(before), _size(after))
        yield _line(file_name(target), (words, *_growth(before, after)))
        for moment in ("before", "after"):
            part = parts.get(moment)
            if part is not None and part.state in {"gone", "altered"}:
                told = own("text {}: {}", Shown(moment), Shown(_GONE if part.state == "gone" else _ALTERED),
                           role="dim" if part.state == "gone" else "bad")  # fmt: skip
                yield _line(Shown(""), (told,))


def _size(part: TextState | None) -> Shown:
    if part is None:
        return say("?")
    return say("no file") if part.state == "absent" else say("{}", part.size)


def _growth(before: TextState | None, after: TextState | None) -> Line:
    if before is None or after is None:
        return ()
    return (own(" ({:+})", after.size - before.size),)


def _references(form: RowForm, reverted: Shown) -> Iterator[PageLine]:
    for stone in form.tombstones:
        words = own("{} of {}: erased everywhere, no words are left", shown_line(stone.id, 40),
                    shown_line(stone.target or "?", 10), role="warn")  # fmt: skip
        yield _line(say("tombstone"), (words,))
    if form.backup:
        goes = own("  {} goes there", key_for("ledger.backup"), role="dim")
        yield _line(say("backup"), (own("{}", shown_line(form.backup, 60)), goes))
    if form.restored:
        yield _line(say("went to"), (own("backup {}", shown_line(form.restored, 60)),))
    if form.reverts:
        yield _line(say("reverts"), (own("{}change {}", say("{}, ", reverted) if reverted else reverted,
                                         shown_line(form.reverts, 40)),))  # fmt: skip
    if form.undoes:
        yield _line(say("undoes"), (own("{} changes: {}", len(form.undoes), shown_line(", ".join(form.undoes), 120)),))
    if not form.backup:
        yield _line(say("change"), (own("{}", shown_line(form.change, 40), role="dim"),))


def _chain(found: RowDetails, *, whole: bool) -> Iterator[PageLine]:
    if found.sound:
        verdict = own("OK", role="good")
    else:
        key = key_for("ledger.verify")
        verdict = own("NOT OK: altered, or does not follow the row before it ({})", key, role="bad")
    if whole:
        yield _line(say("chain"), (verdict,))
        yield _line(say("hash"), (own("{}", shown_line(found.row.hash), role="dim"),))
        yield _line(say("previous"), (own("{}", shown_line(found.previous) or say("none"), role="dim"),))
    else:
        before = own("  prev {}  this {}", _short(found.previous), _short(found.row.hash), role="dim")
        yield _line(say("chain"), (verdict, before))


def _short(digest: str) -> Shown:
    return say("{}..{}", shown_line(digest[:6]), shown_line(digest[-4:])) if digest else say("none")


def _steps(decisions: Sequence[DecisionDetail]) -> Iterator[PageLine]:
    """Show what each item had asked for, as far as its record is kept."""
    for one in decisions:
        proposal = one.proposal
        if proposal is None:
            continue
        yield BLANK_LINE
        yield rule(say("what {} asked for", shown_line(one.form.proposal, 20)))
        if proposal.agent_says:
            yield _line(say("agent says"), (own("(its own claim) ", role="dim"), data(proposal.agent_says, "dim")))
        for step in proposal.operations:
            yield PageLine((own("{} in {}", operation_word(proposal), file_name(step.target), role="label"),))
            if step.pin or step.match:
                yield from text_lines(step.pin or step.match or "", "gone")
            if step.content is not None:
                yield from text_lines(step.content, "new")


# -- an entry -----------------------------------------------------------------------------------------------------


def source_page(
    origin: Origin, you: Actor, now: float, evidence: Evidence | None = None, *, whole: bool = False
) -> Page:
    """Return the page of a live entry: its text, then where it came from."""
    words = [line._replace(prefix=(own(" "),)) for line in text_lines(origin.text)]
    lines = [*words, BLANK_LINE, *origin_lines(origin, you, now, evidence)]
    if whole:
        lines += earlier_lines(origin)
    elif origin.earlier:
        lines.append(_line(say("earlier"), (own("{} texts stood in its place: enter", len(origin.earlier)),)))
    return Page(origin.id, "", tuple(lines))
