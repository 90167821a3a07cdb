"""The rows of the ledger as the list shows them, and the sources of live entries likewise.

Here: columns and the few words of a row. Not here: which rows (``curator.ledger_search``), everything about one row
(``ledger_pages``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import neg

from curator_tui.core.actors import actor_words
from curator_tui.core.endings import one_deed
from curator_tui.core.ledger import CHAIN_WORDS
from curator_tui.core.ledger_filters import seen_percent
from curator_tui.core.origins import Claim, Origin, Proposer
from curator_tui.core.reason_words import reason_word
from curator_tui.core.recording import FIRST_SEEN, OBSERVED
from curator_tui.core.refused import REFUSED
from curator_tui.core.requests import Actor, ActorKind, Kind
from curator_tui.core.row_form import ActorForm, BoundForm, RowForm
from curator_tui.core.times import nearest_moment
from curator_tui.core.tracing import moment_of
from curator_tui.curator.ledger_queries import LedgerRow
from curator_tui.curator.ledger_search import Window
from curator_tui.curator.row_subjects import HIDDEN, NOT_KEPT, Subject
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import file_name
from curator_tui.tui.shown import EMPTY, Line, Piece, Shown, fit, own, padded, say, shown_line, width_of, words_of
from curator_tui.tui.words import item_words

WIDE = 110  # columns from which times have seconds, and the hash has a column
_SEQ, _WHO, _ACTION, _CHARS, _SEEN, _HASH = 7, 11, 11, 7, 5, 11
_WHEN_SHORT, _WHEN_LONG = 12, 20
_DOCUMENT, _CLAIM, _PROPOSER = 7, 9, 15
_QUOTES = 4  # cells of the colon and the quotes around the words of an entry
_FEW = 3  # cells that the words of an entry or item get at least
_LEAST = 14  # cells that what a row is about gets at least; what stands behind it is cut before that
_AROUND = 10  # cells of the document's name and the quotes around the words of an item
_SHORT = {Proposer.REVIEW: "agent, review", Proposer.PROGRAM: "other program"}
_CLAIMS = {Claim.SAID: "said", Claim.TOOL: "tool", Claim.INFERRED: "inferred", Claim.UNKNOWN: "?"}


def when(at: float | None, now: float, *, wide: bool) -> Shown:
    """Return a moment as a column has it, UTC; what is not known says so, and an earlier year is not left out."""
    if at is None:
        return say("unknown")
    found, today = nearest_moment(at), nearest_moment(now)
    if wide:
        return Shown(f"{found:%Y-%m-%d %H:%M:%S}")
    return Shown(f"{found:%m-%d %H:%M}" if found.year == today.year else f"{found:%Y-%m-%d}")


def who(actor: ActorForm | Actor, you: Actor) -> Shown:
    """Name who made a row: you, a name, or what kind of actor it was where it has none."""
    return shown_line(actor_words(actor, you), 40)


class LedgerRows:
    """Rows of the ledger, newest first, of which those near the screen are known.

    Args:
        seqs: numbers of all rows, newest first.
        known: the rows that were read.
        you: who looks.
        now: UTC seconds.
        searching: whether more rows may still be found; a line at the end says so.
    """

    def __init__(self, seqs: Sequence[int], known: Window, you: Actor, now: float, *, searching: bool = False) -> None:
        self.seqs = seqs
        self.known = known
        self.searching = searching
        self._you = you
        self._now = now

    def __len__(self) -> int:
        return len(self.seqs) + self.searching

    def selectable(self, index: int) -> bool:
        """Whether there is such a row."""
        return 0 <= index < len(self.seqs)

    def seq(self, index: int) -> int | None:
        """Return the number of a row."""
        return self.seqs[index] if 0 <= index < len(self.seqs) else None

    def place(self, seq: int) -> int | None:
        """Return where a row stands; None where it is not among them. They stand newest first."""
        at = bisect_left(self.seqs, -seq, key=neg)
        return at if at < len(self.seqs) and self.seqs[at] == seq else None

    def holds(self, first: int, last: int) -> bool:
        """Whether all rows between two places were read."""
        return all(seq in self.known.looked for seq in self.seqs[max(first, 0) : last + 1])

    def with_known(self, known: Window) -> LedgerRows:
        """Return the same rows, of which others are known."""
        return LedgerRows(self.seqs, known, self._you, self._now, searching=self.searching)

    def line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        if index >= len(self.seqs):
            return (own("        … looking for more", role="dim"),)
        seq = self.seqs[index]
        row = self.known.rows.get(seq)
        lead: Line = (own(" {:>6}", seq, role="label"), own(" "))
        if row is None:
            missing = seq in self.known.looked
            words = say("missing: there is no row of this number") if missing else say("…")
            return (*lead, own("{}", words, role="bad" if missing else "dim"))
        if row.form is None:
            return (*lead, own("cannot be read: {} says what is damaged", key_for("ledger.verify"), role="bad"))
        return (*lead, *self._columns(row, row.form, width))

    def _columns(self, row: LedgerRow, form: RowForm, width: int) -> Line:
        wide = width >= WIDE
        cells = _WHEN_LONG if wide else _WHEN_SHORT
        room = max(width - _SEQ - 1 - cells - _WHO - _ACTION - _CHARS - _SEEN - 1 - (_HASH if wide else 0), 4)
        digest = shown_line(f"  {row.hash[:4]}..{row.hash[-2:]}")
        return (
            *padded((own("{}", when(moment_of(form.at), self._now, wide=wide), role="dim"),), cells),
            *padded((own("{}", who(form.actor, self._you), role=_who_role(form)),), _WHO),
            *padded((own("{}", shown_line(one_deed(form.action), _ACTION), role=_action_role(form)),), _ACTION),
            *padded(what(form, self.known, room), room),
            *padded((own("{}", growth(form), role="text"),), _CHARS, right=True),
            *padded((own("{}", seen(form), role=_seen_role(form)),), _SEEN, right=True),
            own(" "),
            *(padded((own("{}", digest, role="dim"),), _HASH) if wide else EMPTY),
        )


def ledger_head(width: int) -> Line:
    """Return the column headings of the rows."""
    wide = width >= WIDE
    cells = _WHEN_LONG if wide else _WHEN_SHORT
    room = max(width - _SEQ - 1 - cells - _WHO - _ACTION - _CHARS - _SEEN - 1 - (_HASH if wide else 0), 4)
    return (
        *padded((own("    SEQ", role="label"),), _SEQ + 1),
        *padded((own("WHEN (UTC)", role="label"),), cells),
        *padded((own("WHO", role="label"),), _WHO),
        *padded((own("ACTION", role="label"),), _ACTION),
        *padded((own("WHAT", role="label"),), room),
        *padded((own("CHARS", role="label"),), _CHARS, right=True),
        *padded((own("SEEN", role="label"),), _SEEN, right=True),
        *(padded((own("   HASH", role="label"),), _HASH + 1) if wide else EMPTY),
    )


def _who_role(form: RowForm) -> str:
    return "warn" if form.actor.kind == str(ActorKind.OUTSIDE) else "dim"


def _action_role(form: RowForm) -> str:
    return "warn" if form.action in OBSERVED or form.action == REFUSED or form.tombstones else "text"


def _seen_role(form: RowForm) -> str:
    percent = [seen_percent(part.seen) for part in form.decisions]
    return "warn" if any(number is not None and number < 100 for number in percent) else "dim"


def seen(form: RowForm) -> Shown:
    """Return how much of what was decided had been on screen: the least of a row; a dash where it says nothing."""
    said = [part.seen for part in form.decisions if part.seen]
    if not said:
        return say("-")
    return shown_line(min(said, key=lambda one: -1 if (number := seen_percent(one)) is None else number), _SEEN)


def growth(form: RowForm) -> Shown:
    """Return by how many characters the documents grew together; ``?`` where a row does not say."""
    if not form.documents:
        return say("-")
    grown = grown_by(form)
    return say("?") if grown is None else say("{:+}", grown)


def grown_by(form: RowForm) -> int | None:
    """Return by how many characters the documents of a row grew together, None where it does not say."""
    total = 0
    for moments in form.documents.values():
        before, after = _size(moments.get("before")), _size(moments.get("after"))
        if before is None or after is None:
            return None
        total += after - before
    return total


def _size(part: BoundForm | None) -> int | None:
    return None if part is None else 0 if part.absent else part.size


def what(form: RowForm, known: Window, room: int) -> Line:
    """Say in a few words what a row is of: the item, as long as its words are kept, else ids; then why.

    Args:
        form: the row.
        known: the items of rows.
        room: cells there are for it; what is said behind the item keeps its place.
    """
    why = next((reason for reason in (form.reason, *(part.reason for part in form.decisions)) if reason), "")
    flags = [flag for flag, is_set in (("recovered", form.recovered), ("partly", bool(form.partly))) if is_set]
    overridden = sorted({name for part in form.decisions for name in part.override} | set(form.override))
    tail: list[Piece] = [own("  {}", shown_line(reason_word(why), 20), role="dim")] if why else []
    tail += [own("  overrides {}", shown_line(" ".join(overridden), 30), role="warn")] if overridden else []
    tail += [own("  {}", Shown(flag), role="note") for flag in flags]
    return (*_subject(form, known, max(room - width_of(tail), _LEAST)), *tail)


def _subject(form: RowForm, known: Window, room: int) -> Line:
    if form.action in CHAIN_WORDS:
        return (own("{}", Shown(CHAIN_WORDS[form.action]), role="dim"),)
    if form.tombstones:
        names = ", ".join(stone.id for stone in form.tombstones[:3])
        return (own("{} erased: {}", len(form.tombstones), shown_line(names, 60), role="warn"),)
    if form.decisions:
        first = form.decisions[0]
        item = known.items.get((form.change, first.proposal))
        more = say(" and {} more", len(form.decisions) - 1) if len(form.decisions) > 1 else Shown("")
        did = say("{} ", Shown(known.reverted[form.seq])) if form.seq in known.reverted else Shown("")
        left = max(room - _AROUND - len(did) - len(more), _FEW)
        name = item_words(item, left) if item is not None else shown_line(first.proposal, 16)
        return (own("{}", did, role="dim"), own("{}", name), own("{}", more))
    names = Shown(" and ".join(file_name(target) for target in form.documents))
    if (about := known.about.get(form.seq)) and not form.repeats:
        return (_told(form, about, room, known.reverted.get(form.seq, "")),)
    return (_of_asides(form, names) or _written(form, names),)


def _told(form: RowForm, about: Sequence[Subject], room: int, reverted: str) -> Piece:
    """Say what a row is about in the words that are kept beside it; how many more there are keeps its place.

    Of an undo or redo it is said what that took back or did again.
    """
    first, more = about[0], len(about) - 1
    tail = say(" and {} more", more) if more else Shown("")
    did = Shown(reverted) or shown_line(first.did, 12)
    if form.deferrals and not reverted:
        did = say("until {}", shown_line(form.deferrals[0].until, 12) or say("reopened"))
        did = did if first.did == Kind.DEFER else say("back")
    if first.text is None:
        named = shown_line(first.id, 16)
        return own("{}: {} {}{}", did, named, Shown(NOT_KEPT), tail, role="dim")
    left = max(room - len(did) - len(tail) - _QUOTES, _FEW)
    text = words_of(fit((Piece(shown_line(first.text)),), left))
    words = Shown(HIDDEN) if first.secret else say("'{}'", text)
    return own("{}: {}{}", did, words, tail, role="warn" if form.action in OBSERVED else "text")


def _of_asides(form: RowForm, names: Shown) -> Piece | None:
    """Say what a row is of that deferred an item, disputed an entry or answered that; None for any other."""
    if form.deferrals:
        return own("{}", _deferred(form))
    if form.answer:
        return own("{}: the disputed entry{}", shown_line(form.answer, 10), say(" of {}", names) if names else names)
    return own("an entry of {}", shown_line(form.target, 10)) if form.question else None


def _written(form: RowForm, names: Shown) -> Piece:
    """Say what a row is of that decided no item: it names documents, a backup or another change."""
    if form.action == FIRST_SEEN:
        return own("{} as it was found", names, role="dim")
    if form.action in OBSERVED:
        return own("{} written without review", names, role="warn")
    if form.repeats:
        return own("the same attempt {} times more", form.repeats)
    if form.restored:
        return own("{} to backup {}", names, shown_line(form.restored, 24))
    if form.reverts:
        return own("{} of change {}", names, shown_line(form.reverts, 16))
    return own("{}", names or say("change {}", shown_line(form.change, 16)))


def _deferred(form: RowForm) -> Shown:
    """Say which item waits until when, or is back, and how many more."""
    first, more = form.deferrals[0], len(form.deferrals) - 1
    until = say(" until {}", shown_line(first.until, 12)) if first.until else say(" until it is reopened")
    rest = say(" and {} more", more) if more else Shown("")
    then = until if first.decision == Kind.DEFER else say(" is back")
    return say("{}{}{}", shown_line(first.proposal, 16), then, rest)


class SourceRows:
    """The sources of live entries, in the order of the documents."""

    def __init__(self, origins: Sequence[Origin], you: Actor, now: float) -> None:
        self.origins = origins
        self._you = you
        self._now = now

    def __len__(self) -> int:
        return len(self.origins)

    def selectable(self, index: int) -> bool:
        """Whether there is such a row."""
        return 0 <= index < len(self.origins)

    def origin(self, index: int) -> Origin | None:
        """Return the source of an entry."""
        return self.origins[index] if self.selectable(index) else None

    def line(self, index: int, width: int) -> Line:
        """Return one source laid out in columns."""
        one = self.origins[index]
        wide = width >= WIDE
        cells = _WHEN_LONG if wide else _WHEN_SHORT
        by = one.approver
        approver = who(by, self._you) if by is not None else say("nobody" if one.unreviewed else "?")
        room = max(width - 1 - _DOCUMENT - cells - _PROPOSER - _CLAIM - _WHO - 1, 4)
        return (
            own(" "),
            *padded((own("{}", one.target, role="dim"),), _DOCUMENT),
            *padded((own("{}", when(one.at, self._now, wide=wide), role="dim"),), cells),
            *padded(proposer_line(one), _PROPOSER),
            *padded((own("{}", Shown(_CLAIMS[one.claim]), role="dim"),), _CLAIM),
            *padded((own("{}", approver, role="warn" if one.unreviewed else "dim"),), _WHO),
            *padded((own("{}", shown_line(one.text, max(room, 4)), role="text" if one.seen else "warn"),), room),
            own(" "),
        )


def proposer_line(origin: Origin) -> Line:
    """Say who asked for an entry, in the width of a column."""
    if not origin.known:
        return (own("unknown origin", role="warn"),)
    return (own("{}", Shown(_SHORT.get(origin.proposer, origin.proposer))),)


def source_head(width: int) -> Line:
    """Return the column headings of the sources."""
    cells = _WHEN_LONG if width >= WIDE else _WHEN_SHORT
    words = (
        (say(" FOR"), 1 + _DOCUMENT),
        (say("WHEN (UTC)"), cells),
        (say("PROPOSED BY"), _PROPOSER),
        (say("RESTS ON"), _CLAIM),
        (say("LET IN BY"), _WHO),
        (say("ENTRY"), 8),
    )
    return tuple(piece for word, room in words for piece in padded((own("{}", word, role="label"),), room))
