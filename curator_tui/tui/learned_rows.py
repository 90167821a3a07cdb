"""The rows of what was learned as the list shows them, and the text of one of them.

Here: columns, pages. Not here: what was learned (``curator.learned``), the words about an origin (``origin_words``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from curator_tui.core.learned import FILTER_KEYS, Learned, LearnedKind
from curator_tui.core.requests import Actor
from curator_tui.core.scanning import Finding, Severity
from curator_tui.core.skills import InstalledSkill
from curator_tui.core.times import utc_words
from curator_tui.curator.skills import installed_commands
from curator_tui.tui.actions import key_for, key_out
from curator_tui.tui.facts import age, counted
from curator_tui.tui.ledger_rows import when
from curator_tui.tui.origin_words import earlier_lines, origin_lines
from curator_tui.tui.page_lines import BLANK_LINE, Page, PageLine, rule
from curator_tui.tui.pages import label_prefix, text_lines
from curator_tui.tui.shown import Line, Piece, Shown, data, message, own, padded, say, shown_line

if TYPE_CHECKING:
    from curator_tui.curator.values import Evidence

_KIND, _WHEN, _SOURCE, _SIZE = 7, 13, 8, 6
_TEXT_SHOWN = 20_000  # code points of a skill that its page shows


class LearnedRows:
    """What was learned, in the order that was asked for."""

    def __init__(self, rows: Sequence[Learned], now: float) -> None:
        self.rows = rows
        self._now = now

    def __len__(self) -> int:
        return len(self.rows)

    def selectable(self, index: int) -> bool:
        """Whether there is such a row."""
        return 0 <= index < len(self.rows)

    def row(self, index: int) -> Learned | None:
        """Return a row."""
        return self.rows[index] if self.selectable(index) else None

    def place(self, row: Learned) -> int | None:
        """Return where the same entry or skill stands; None where it is not among them."""
        wanted = (row.kind, row.title, row.id)
        return next((at for at, one in enumerate(self.rows) if (one.kind, one.title, one.id) == wanted), None)

    def line(self, index: int, width: int) -> Line:
        """Return one row laid out in columns."""
        row = self.rows[index]
        marks = _marks(row)
        room = max(width - 1 - _KIND - _WHEN - _SOURCE - _SIZE - 1, 4)
        at = say("{}{}", Shown("<" if row.noticed else ""), when(row.at, self._now, wide=False))
        about = row.skill.description if row.skill is not None else ""
        name = own("{}", shown_line(row.title, room), role="strong" if row.skill is not None else "text")
        more = own("  {}", shown_line(about, room), role="dim") if about else own("")
        return (
            own(" "),
            *padded((own("{}", row.kind, role="note" if row.skill is not None else "dim"),), _KIND),
            *padded((own("{}", at, role="dim"),), _WHEN),
            *padded((own("{}", row.source, role="warn" if str(row.source) == "unknown" else "dim"),), _SOURCE),
            *padded((*marks, name, more), room),
            *padded((own("{}", row.size, role="dim"),), _SIZE, right=True),
            own(" "),
        )


def learned_head(width: int) -> Line:
    """Return the column headings."""
    room = max(width - 1 - _KIND - _WHEN - _SOURCE - _SIZE - 1, 4)
    words = (
        (say(" KIND"), 1 + _KIND),
        (say("WHEN (UTC)"), _WHEN),
        (say("FROM"), _SOURCE),
        (say("WHAT"), room),
        (say("  SIZE"), _SIZE),
    )
    return tuple(piece for word, cells in words for piece in padded((own("{}", word, role="label"),), cells))


def _marks(row: Learned) -> tuple[Piece, ...]:
    """Say in front of a row what is to be known of it first."""
    found: list[Piece] = []
    if row.flagged:
        found.append(own("flagged ", role="bad"))
    if row.unseen:
        found.append(own("unseen ", role="warn"))
    if row.skill is not None and row.skill.unreadable:
        found.append(own("unreadable ", role="bad"))
    if row.skill is not None and row.skill.archived:
        found.append(own("archived ", role="note"))
    if row.skill is not None and len(row.skill.holders) > 1:
        found.append(own("x{} ", len(row.skill.holders), role="note"))
    return tuple(found)


# -- pages ---------------------------------------------------------------------------------------------------------


def learned_page(
    row: Learned,
    you: Actor,
    profile: str,
    now: float,
    evidence: Evidence | None = None,
    *,
    whole: bool = False,
) -> Page:
    """Return the page of an entry or a skill.

    Args:
        row: which.
        you: who looks.
        profile: the bound one, whose commands are named.
        now: UTC seconds, for ages.
        evidence: the session behind an entry, where it was looked up.
        whole: with the texts before it, for a page of its own.
    """
    if row.skill is not None:
        return Page(row.id, "", tuple(_skill(row, row.skill, profile, now)))
    lines = [*_indented(row.title), *_findings(row.findings), BLANK_LINE]
    if row.origin is not None:
        lines += origin_lines(row.origin, you, now, evidence)
        earlier = len(row.origin.earlier)
        if whole:
            lines += earlier_lines(row.origin)
        elif earlier:
            words = (
                own("1 text stood in its place: enter") if earlier == 1 else own("{} texts stood there: enter", earlier)
            )
            lines.append(_line(say("earlier"), (words,)))
    return Page(row.id, "", tuple(lines))


def _line(label: Shown, body: Line) -> PageLine:
    return PageLine(body, label_prefix(label))


def _indented(text: str) -> list[PageLine]:
    return [line._replace(prefix=(own(" "),)) for line in text_lines(text)]


def _findings(findings: Sequence[Finding]) -> Iterator[PageLine]:
    for finding in sorted(findings, key=lambda one: one.severity is not Severity.HARD):
        role = "bad" if finding.severity is Severity.HARD else "warn"
        words = own("{}, character {}: {}", finding.severity, finding.start + 1, message(finding.reason), role=role)
        yield _line(say("flags"), (words,))


def _skill(row: Learned, skill: InstalledSkill, profile: str, now: float) -> Iterator[PageLine]:
    yield PageLine((data(skill.name, "strong"), own("  skill", role="note")), (own(" "),))
    if skill.description:
        yield PageLine((data(skill.description),), (own(" "),))
    yield BLANK_LINE
    if skill.trouble:
        yield _line(say("trouble"), (own("{}", message(skill.trouble), role="bad"),))
    yield from _findings(row.findings)
    if row.at is None:
        since = say("unknown: Hermes recorded no time, and that of a file is none")
    else:
        since = say("{}, {} ago", shown_line(utc_words(row.at)), age(now - row.at))
    yield _line(say("since"), (own("{}", since, role="dim" if row.at is None else "text"),))
    yield _line(say("from"), (own("{}", row.source),))
    for number, holder in enumerate(skill.holders):
        away = own("  archived: no agent reads it there", role="note") if holder.archived else own("")
        place = own("{}: skills/{}", shown_line(holder.profile, 30), shown_line(holder.folder, 60))
        yield _line(say("held by") if not number else Shown(""), (place, away))
    yield _line(say("size"), (own("{}, {}", counted(skill.size, "character"), counted(skill.files, "file")),))
    yield _line(say("read only"), (own("skills are changed by Hermes's own commands:", role="dim"),))
    for what, command in installed_commands(skill, profile):
        yield _line(Shown(""), (own("{}  ", Shown(command), role="strong"), own("{}", Shown(what), role="dim")))
    if skill.text:
        yield BLANK_LINE
        yield rule(say("SKILL.md"))
        yield from _indented(skill.text[:_TEXT_SHOWN])
        if len(skill.text) > _TEXT_SHOWN or skill.size > len(skill.text):
            yield PageLine((own("… the rest is not shown here", role="warn"),), (own(" "),))


def nothing_page(*, filtered: bool) -> Page:
    """Say why no row is there, and what to do next."""
    if filtered:
        lines: list[Line] = [
            (own("Nothing that was learned matches this filter."),),
            (own("{} edits it, {} clears it. Words stand in the text; a dash in front turns one around.",
                 key_for("find"), key_out()),),
            (),
            *((own("{:<8}", Shown(key), role="key"), own("{}", Shown(takes), role="dim"))
              for key, takes in FILTER_KEYS.items()),
        ]  # fmt: skip
    else:
        lines = [
            (own("Nothing was learned yet: both documents are empty and no skill is installed."),),
            (own("{} goes to the queue: what is approved there becomes an entry.", key_for("go.review")),),
        ]
    return Page("", "", tuple(PageLine(line, (own("  "),)) for line in lines))


def kind_words(rows: Sequence[Learned]) -> Shown:
    """Count rows by what they are."""
    entries = sum(row.kind is not LearnedKind.SKILL for row in rows)
    skills = len(rows) - entries
    return say("{}, {}", counted(entries, "entry"), counted(skills, "skill"))
