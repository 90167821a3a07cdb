"""What must hold between our answer and Hermes's: equality without a flag, the named difference with one.

Each check returns a short name of what was seen, for the table, and raises where something else was seen.
Both answers are held against the story of the round (``flags``), which knows neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.hermes.client import HermesAnswer
from tests.hermes.flags import ALONE, Flag, Story, lines_unified, rendered, size, standing
from tests.hermes.generator import Round
from tests.hermes.ours import OurAnswer

BOTH_APPLIED = "both applied, same bytes"
BOTH_REFUSED = "both refused"
DRIFT = "Refusing to write"
AMBIGUOUS = re.compile("Multiple entries matched|matched multiple distinct entries")


@dataclass(frozen=True, slots=True)
class Case:
    """One round with its story and both answers."""

    round: Round
    story: Story
    ours: OurAnswer
    hermes: HermesAnswer

    @property
    def raw(self) -> bytes | None:
        return self.round.documents[self.round.target]

    @property
    def our_raw(self) -> bytes | None:
        return self.ours.documents[self.round.target]

    @property
    def hermes_raw(self) -> bytes | None:
        return self.hermes.documents[self.round.target]

    @property
    def both_applied(self) -> bool:
        return self.ours.verdict == "applied" and self.hermes.success


class UnnamedDifferenceError(AssertionError):
    """A difference without a name."""

    def __init__(self, case: Case, why: str) -> None:
        ours, hermes, story = case.ours, case.hermes, case.story
        lines = (
            why,
            f"round   {case.round}",
            f"flags   {sorted(story.flags)}",
            f"before  {story.before}",
            f"ours    {ours.verdict} {ours.code} {case.our_raw!r}",
            f"hermes  {hermes.success} {hermes.message!r} {hermes.raised} {case.hermes_raw!r}",
        )
        super().__init__("\n  ".join(lines))


def judge(case: Case) -> str:
    """Hold a case to what always holds and to what its flags ask for; return the name of what was seen."""
    always(case)
    check = _CHECKS.get(case.story.alone)
    return check(case) if check else _mixed(case)


def _must(case: Case, holds: bool, why: str) -> None:
    if not holds:
        raise UnnamedDifferenceError(case, why)


def always(case: Case) -> None:
    """Hold a case to what no flag excuses."""
    story, ours, hermes = case.story, case.ours, case.hermes
    _must(case, not hermes.raised, "Hermes raised")
    for name, raw in case.round.documents.items():
        if name != case.round.target:
            _must(case, ours.documents[name] == raw == hermes.documents[name], f"{name} was touched")
    _must(case, ours.verdict == story.ours, f"we should have answered {story.ours}")
    if ours.verdict != "applied":
        _must(case, case.our_raw == case.raw, "we wrote without applying")
    if not hermes.success:
        _must(case, case.hermes_raw == case.raw, "Hermes wrote without applying")
    if ours.verdict == "applied":
        _must(case, standing(case.our_raw) == story.after, "our bytes do not read back as what was asked for")
    if Flag.BARE_DELIMITER_ENTRY not in story.flags:
        _must(case, not ours.canonical, "we wrote the whole document anew without need")


def _equal(case: Case) -> str:
    """No flag: the same verdict and the same bytes."""
    _must(case, (case.ours.verdict == "applied") == case.hermes.success, "one applied, the other refused")
    _must(case, case.our_raw == case.hermes_raw, "different bytes")
    return BOTH_APPLIED if case.hermes.success else BOTH_REFUSED


def _not_canonical(case: Case) -> str:
    """Hermes rewrites the whole file or calls it drift; we keep every byte of what was not asked about."""
    _kept_bytes(case)
    if case.both_applied:
        _must(case, standing(case.hermes_raw) == standing(case.our_raw), "different entries after a reload")
        if case.hermes_raw == case.our_raw:
            return BOTH_APPLIED
        return "both applied, same entries after a reload"
    if case.ours.verdict == "applied":
        if case.hermes.message.startswith(DRIFT):
            return "Hermes refuses as drift, we apply"
        _must(case, _marked(case), "Hermes refused, and not for drift")
        return "Hermes counts the byte-order mark as text and refuses, we apply"
    _must(case, not case.hermes.success, "Hermes applied what we refuse")
    return BOTH_REFUSED


def _marked(case: Case) -> bool:
    return (case.raw or b"").startswith("\ufeff".encode())


def _kept_bytes(case: Case) -> None:
    """Each piece of the file whose entry stays is in the new bytes as it was."""
    if case.ours.verdict != "applied":
        return
    assert case.raw is not None
    assert case.our_raw is not None
    text = case.raw.decode().removeprefix("\ufeff").strip()
    for piece in re.split("(?:\r\n|\r|\n)§(?:\r\n|\r|\n)", text):
        if lines_unified(piece).strip() in case.story.after:
            _must(case, piece.encode() in case.our_raw, f"an untouched piece changed: {piece!r}")


def _carriage_return(case: Case) -> str:
    """Hermes stores CR as it came and matches it literally; both stores read back alike."""
    if case.both_applied:
        _must(case, standing(case.hermes_raw) == standing(case.our_raw), "different entries after a reload")
        _must(case, b"\r" not in (case.our_raw or b""), "we stored a CR")
        return "both applied, same entries after a reload"
    if case.ours.verdict == "applied":
        return "Hermes refuses (matches CR literally, counts CRLF as two), we apply"
    _must(case, not case.hermes.success, "Hermes applied what we refuse")
    return BOTH_REFUSED


def _refused_content(case: Case) -> str:
    """We refuse the words; Hermes writes them, and a delimiter line then reads back as one entry more."""
    if not case.hermes.success:
        return BOTH_REFUSED
    _must(case, case.ours.code in {"delimiter-line", "reserved-text"}, "refused for another reason")
    if case.ours.code == "delimiter-line":
        return "Hermes writes a delimiter line, we refuse"
    return "Hermes writes a reserved text, we refuse"


def _threat(case: Case) -> str:
    """Hermes refuses for its scan; with us it is a finding, and overridden it applies."""
    _must(case, not case.hermes.success, "Hermes wrote what its scan hits")
    if case.ours.verdict == "refused":
        return BOTH_REFUSED
    _must(case, "Blocked: content" in case.hermes.message, "Hermes refused for another reason")
    _must(case, case.our_raw == rendered(case.story.after), "we wrote something else")
    return "Hermes blocks, we apply when overridden"


def _whole_entry(case: Case) -> str:
    """0.19.0 calls it ambiguous; we take the entry that equals the match."""
    _must(case, not case.hermes.success, "Hermes took one of several")
    if case.ours.verdict == "refused":
        return BOTH_REFUSED
    _must(case, AMBIGUOUS.search(case.hermes.message) is not None, "Hermes refused for another reason")
    _must(case, case.our_raw == rendered(case.story.after), "we wrote something else")
    return "Hermes says ambiguous, we apply"


def _over_limit(case: Case) -> str:
    """Hermes lets it shrink by a single remove only, or to its limit; we by every outcome that shrinks."""
    story = case.story
    single_remove = case.round.payload["action"] == "remove"
    allowed = story.fits or (single_remove and not story.failed)
    _must(case, case.hermes.success == allowed, f"Hermes should have answered {allowed}")
    if case.both_applied:
        _must(case, case.our_raw == case.hermes_raw, "different bytes")
        return BOTH_APPLIED
    if case.ours.verdict == "applied":
        _must(case, size(story.after) < size(story.before), "we let it grow")
        return "Hermes refuses a step that shrinks, we apply"
    _must(case, not case.hermes.success, "Hermes applied what we refuse")
    return BOTH_REFUSED


def _replace_duplicates(case: Case) -> str:
    """Hermes writes the text twice and drops one of them at the next load; we refuse it as a duplicate."""
    if not case.hermes.success:
        return BOTH_REFUSED
    _must(case, case.ours.code == "duplicate-entry", "refused for another reason")
    pieces = (case.hermes_raw or b"").decode().split("\n§\n")
    if len(pieces) > len(set(pieces)):
        return "Hermes writes the text twice, we refuse"
    return "Hermes writes both, a later step removes one, we refuse"


def _entry_over_limit(case: Case) -> str:
    """Hermes calls a single long entry drift; we let the document shrink."""
    _must(case, not case.hermes.success, "Hermes wrote a document with an entry over the limit")
    if case.ours.verdict == "refused":
        return BOTH_REFUSED
    _must(case, case.hermes.message.startswith(DRIFT), "Hermes refused for another reason")
    _must(case, case.our_raw == rendered(case.story.after), "we wrote something else")
    return "Hermes calls it drift, we apply what shrinks"


def _no_effect(case: Case) -> str:
    """We write nothing; Hermes writes what stands, makes an empty file, or says that nothing matched."""
    _must(case, case.ours.verdict == "no-change", "we saw an effect")
    if not case.hermes.success:
        _must(case, "o entry matched" in case.hermes.message, "Hermes refused for another reason")
        return "Hermes finds no match for what is done already, we close it"
    if case.raw is None and case.hermes_raw == b"":
        return "Hermes makes an empty file, we write nothing"
    _must(case, case.hermes_raw == case.raw, "Hermes changed the bytes")
    return "both leave the same bytes"


def _no_effect_by_hand(case: Case) -> str:
    """No effect on a hand-edited file: Hermes tidies the whole file in passing, we write nothing."""
    _must(case, case.ours.verdict == "no-change", "we saw an effect")
    if not case.hermes.success:
        return "Hermes refuses, we write nothing"
    if case.hermes_raw == case.raw:
        return "both leave the same bytes"
    _must(case, standing(case.hermes_raw) == case.story.before, "different entries after a reload")
    return "Hermes rewrites the file in canonical form, we write nothing"


def _bare_delimiter(case: Case) -> str:
    """Join and split are not inverse here: Hermes's bytes may read back as something else, ours may not."""
    _must(case, (case.ours.verdict == "applied") == case.hermes.success, "one applied, the other refused")
    if not case.hermes.success:
        return BOTH_REFUSED
    if case.our_raw == case.hermes_raw:
        return BOTH_APPLIED
    _must(case, standing(case.hermes_raw) != case.story.after, "Hermes's bytes would have done")
    return "both applied, only our bytes read back as asked"


def _mixed(case: Case) -> str:
    """Several flags at once: only what always holds is asked, and what was seen is counted."""
    if case.both_applied:
        same = case.our_raw == case.hermes_raw
        alike = standing(case.our_raw) == standing(case.hermes_raw)
        return "both applied, " + ("same bytes" if same else "same entries" if alike else "different entries")
    return f"we: {case.ours.verdict}, Hermes: {'applied' if case.hermes.success else 'refused'}"


_CHECKS: dict[frozenset[Flag], Callable[[Case], str]] = {
    frozenset(): _equal,
    ALONE[Flag.NOT_CANONICAL]: _not_canonical,
    ALONE[Flag.CARRIAGE_RETURN]: _carriage_return,
    ALONE[Flag.REFUSED_CONTENT]: _refused_content,
    ALONE[Flag.THREAT]: _threat,
    ALONE[Flag.WHOLE_ENTRY]: _whole_entry,
    ALONE[Flag.OVER_LIMIT_BEFORE]: _over_limit,
    ALONE[Flag.REPLACE_DUPLICATES]: _replace_duplicates,
    ALONE[Flag.ENTRY_OVER_LIMIT]: _entry_over_limit,
    ALONE[Flag.NO_EFFECT]: _no_effect,
    frozenset({Flag.NOT_CANONICAL, Flag.NO_EFFECT}): _no_effect_by_hand,
    ALONE[Flag.BARE_DELIMITER_ENTRY]: _bare_delimiter,
}
