"""``ledger``: the record of every decision; verifying it, taking a checkpoint, exporting it."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from curator_tui.cli.output import json_text
from curator_tui.cli.row_words import acted_words, reverted_words, subject_words, unseen_words
from curator_tui.cli.session import Session, json_option, read_text, shown_name, usage
from curator_tui.cli.shapes import Shape, problem_shapes
from curator_tui.cli.tables import block
from curator_tui.core.actors import counted_actors
from curator_tui.core.counting import counted
from curator_tui.core.documents import FILE_NAMES, Target
from curator_tui.core.endings import one_deed
from curator_tui.core.ledger import CHAIN_WORDS, SealedRow
from curator_tui.core.ledger_facts import Statistics
from curator_tui.core.reason_words import reason_word
from curator_tui.core.requests import Actor
from curator_tui.core.text import one_line
from curator_tui.core.verification import Verification
from curator_tui.curator import ledger_queries, ledger_view
from curator_tui.curator.desk import Desk
from curator_tui.curator.row_subjects import subjects

_ROWS_SHOWN = 50
NO_ROW_MEANT = "No row matches that filter."
filter_option = click.option("--filter", "wanted", metavar="TEXT", default="", help="Only rows that this means.")


@click.group(invoke_without_command=True)
@click.option("--count", type=click.IntRange(min=1), help=f"How many rows (text: {_ROWS_SHOWN}, JSON: all).")
@filter_option
@json_option
@click.pass_context
def ledger(ctx: click.Context, count: int | None, wanted: str) -> int:
    """List what was decided and changed, newest first. Rows hold no words: those shown are still kept beside them.

    A filter is words that all must hold: who:you action:approve seen:<100 target:user since:7d is:unreviewed, a dash in
    front turns one around, a number is that of a row, any other word is looked for in ids.
    """
    if ctx.invoked_subcommand is not None:
        if wanted:
            raise usage(
                "--filter stands behind the verb it is for.", "For example: curator-tui ledger export --filter …"
            )
        return 0
    session = ctx.find_object(Session)
    assert session is not None
    desk = session.desk()
    rows = _meant(desk, wanted)
    shown = rows[-(count or (len(rows) if session.output.as_json else _ROWS_SHOWN)) :]
    document = {"rows": list(map(_row_shape, shown)), "count": len(rows), **_head_shape(desk)}
    session.output.answer(document, _lines(desk, shown, len(rows) - len(shown), wanted))
    return 0


def _meant(desk: Desk, wanted: str) -> Sequence[SealedRow]:
    """Return the rows that a filter means, oldest first."""
    if not wanted:
        return ledger_view.rows(desk)
    return [
        SealedRow(row.seq, row.hash, row.body)
        for row in ledger_queries.every(desk, ledger_queries.understood(desk, wanted))
    ]


def _row_shape(sealed: SealedRow) -> Shape:
    """Return one row with its hash; of one that cannot be read, that and where it stands."""
    row = sealed.row
    return {"seq": sealed.seq, "unreadable": True, "hash": sealed.hash} if row is None else {**row, "hash": sealed.hash}


def _head_shape(desk: Desk) -> Shape:
    """Return number and hash of the newest row."""
    seq, head = ledger_view.head(desk)
    return {"seq": seq, "head": head}


def _lines(desk: Desk, rows: Sequence[SealedRow], older: int, wanted: str) -> Iterator[str]:
    if not rows and wanted:
        yield NO_ROW_MEANT
    elif not rows:
        lost = ledger_view.lost_words(desk)
        yield f"The ledger is empty: {lost[0] if lost else 'nothing was decided here yet.'}"
    for sealed in reversed(rows):
        yield from _row_lines(desk, sealed)
    if older > 0:
        yield f"… {counted(older, 'older row')}; see more with --count"


def _row_lines(desk: Desk, sealed: SealedRow) -> Iterator[str]:
    row = sealed.row
    if row is None:
        yield f"{sealed.seq:>5}  cannot be read; see: curator-tui ledger verify"
        return
    listed = ledger_queries.listed(sealed)
    assert listed.form is not None, "it was read as a row just now"
    about = subjects(desk, listed)
    parts = (*row.get("decisions", ()), *row.get("deferrals", ()))
    flags = "".join(f", {word}" for word in ("recovered", "partly") if row.get(word))
    who = acted_words(listed.form.actor, desk.actor)
    head = f"{sealed.seq:>5}  {row.get('at')}  {one_deed(listed.form.action)}  {who}"
    yield f"{head}  change {row.get('change')}{flags}"
    if row.get("action") in CHAIN_WORDS:
        yield f"         {CHAIN_WORDS[row['action']]}"
    for part, one in zip(parts, about, strict=False):
        yield f"         {part.get('decision')}  {subject_words(one)}  {'  '.join([one.id, *_why(part)])}"
        yield from _note(desk, part.get("note"))
    if not parts and not row.get("question"):
        yield from (f"         {one.did}  {subject_words(one)}" for one in about)
    for name, moments in row.get("documents", {}).items():
        sizes = f"{_size(moments.get('before'))} -> {_size(moments.get('after'))}"
        yield f"         {FILE_NAMES[Target(name)]} {sizes}"
    if row.get("repeats"):
        yield f"         the same attempt {row['repeats']} times more since {row.get('since')}"
    if why := _why(row):
        yield f"         {'  '.join(why)}"
    if row.get("reverts"):
        words = reverted_words(desk, listed.form)
        yield f"         reverts change {row['reverts']}{f': {words}' if words else ''}"
    yield from _note(desk, row.get("entry"), "entry")
    yield from _note(desk, row.get("note"))


def _why(part: Mapping[str, Any]) -> list[str]:
    """Say why something was decided or written, what it passed knowingly, and that not all of it was seen."""
    said = {**part, "reason": reason_word(part.get("reason", ""))}
    words = [f"{key} {said[key]}" for key in ("question", "answer", "until", "reason", "by") if said.get(key)]
    if part.get("override"):
        words.append(f"overrides {', '.join(part['override'])}")
    if unseen := unseen_words(part.get("seen", "")):
        words.append(unseen)
    return words


def _note(desk: Desk, name: str | None, what: str = "note") -> Iterator[str]:
    """Show a person's own words, or the entry they are about, while they are kept."""
    if name:
        kept = ledger_view.named_text(desk, name)
        text = "(its words are gone)" if kept is None else one_line(kept, 80)
        yield from block(text, f"         {what}: ")


def _size(part: Mapping[str, Any] | None) -> str:
    if part is None:
        return "?"
    return "absent" if part.get("absent") else str(part.get("size", "?"))


@ledger.command()
@click.option("--checkpoint", metavar="FILE", help="Compare with a checkpoint kept elsewhere; - is stdin.")
@json_option
@click.pass_obj
def verify(session: Session, checkpoint: str | None) -> int:
    """Verify the chain, every kept text, and a checkpoint (exit 1 when something is wrong)."""
    kept = _checkpoint(checkpoint) if checkpoint is not None else None
    found = ledger_view.verify(session.desk(), kept)
    document = {
        "ok": not found.problems,
        "problems": problem_shapes(found.problems),
        "rows": [],
        "count": found.rows,
        "seq": found.head[0],
        "head": found.head[1],
        "checked": found.checked,
        "open": found.open,
        "checkpoint": found.against,
    }
    session.output.answer(document, verification_words(found))
    return 1 if found.problems else 0


def verification_words(found: Verification) -> Iterator[str]:
    """Say how the chain stands, and what is damaged."""
    yield from (f"problem: {problem.message}" for problem in found.problems)
    against = f" It agrees with the checkpoint of row {found.against}." if found.against is not None else ""
    state = "NOT in order." if found.problems else f"in order.{against}"
    yield f"{counted(found.rows, 'row')}: {state}"
    gone = f"{found.open} are gone and prove nothing any more"
    yield f"{found.checked} kept texts were held against their rows; {gone}."
    yield f"head {found.head[0]} {found.head[1]}"


def _checkpoint(name: str) -> Mapping[str, Any]:
    try:
        kept = json.loads(read_text(name))
    except (ValueError, RecursionError) as error:
        raise usage(f"{shown_name(name)} is no checkpoint: it is not JSON.") from error
    if not isinstance(kept, dict):
        raise usage(f"{shown_name(name)} is no checkpoint: it is not an object.")
    return kept


@ledger.command()
@json_option
@click.pass_obj
def checkpoint(session: Session) -> int:
    """Print what to keep elsewhere, so that a cut or replaced ledger is noticed later."""
    taken = ledger_view.take_checkpoint(session.desk())
    session.output.answer(taken, [json_text(taken)])
    return 0


@ledger.command()
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl", help="Default: jsonl.")
@filter_option
@json_option
@click.pass_obj
def export(session: Session, file: str | None, form: str, wanted: str) -> int:
    """Write all rows, or those of a filter, to FILE (a new file) or to stdout: JSON Lines, or CSV for a table."""
    desk = session.desk()
    sealed = _meant(desk, wanted)
    rows = [{"seq": row.seq, "hash": row.hash, "body": row.body} for row in sealed]
    lines = _csv(desk, wanted) if form == "csv" else [json_text(row) for row in rows]
    to_file = file is not None and file != "-"
    if to_file:
        from curator_tui.curator.ledger_files import write_new

        deque(write_new(str(file), lines), maxlen=0)
        lines = [f"{counted(len(rows), 'row')} written to {shown_name(str(file))}"]
    document = {
        "rows": [] if to_file else rows,
        "count": len(rows),
        "file": file if to_file else None,
        **_head_shape(desk),
    }
    session.output.answer(document, lines)
    return 0


def _csv(desk: Desk, wanted: str) -> Sequence[str]:
    from curator_tui.curator import ledger_files

    return list(ledger_files.table_lines(desk, ledger_queries.understood(desk, wanted)))


@ledger.command()
@filter_option
@json_option
@click.pass_obj
def statistics(session: Session, wanted: str) -> int:
    """Count the rows, or those of a filter: by action, by who, how items ended, what was written without review."""
    desk = session.desk()
    found = ledger_queries.statistics_of(desk, ledger_queries.understood(desk, wanted))
    document = {
        "rows": found.rows,
        "by_action": dict(found.by_action),
        "by_who": [{"kind": kind, "name": name, "rows": rows} for (kind, name), rows in found.by_who.items()],
        "by_decision": dict(found.by_decision),
        "approved": found.approved,
        "approved_painted": found.approved_painted,
        "approved_unseen": found.approved_unseen,
        "overridden": found.overridden,
        "unreviewed": found.unreviewed,
        "refused": found.refused,
        "on_screen_s": found.on_screen_s,
        "unreadable": found.unreadable,
    }
    session.output.answer(document, _statistics_lines(found, desk.actor))
    return 0


def _statistics_lines(found: Statistics, you: Actor) -> Iterator[str]:
    yield counted(found.rows, "row")
    for name, counts in (("actions", found.by_action), ("decisions", found.by_decision)):
        if counts:
            yield f"{name:<10} " + "   ".join(f"{one_line(word, 40)} {number}" for word, number in counts.items())
    if found.by_who:
        names = (f"{one_line(name, 40)} {rows}" for name, rows in counted_actors(found.by_who, you).items())
        yield f"{'by':<10} " + "   ".join(names)
    share = f" ({found.unseen_share:.0%})" if found.unseen_share is not None else ""
    painted = f"{found.approved_painted} of them on a screen, without every change seen {found.approved_unseen}{share}"
    yield f"approved {found.approved}, {painted}"
    yield f"written without review {found.unreviewed}, refused attempts {found.refused}, overridden {found.overridden}"
    if found.on_screen_s is not None:
        yield f"median time on screen {found.on_screen_s:.1f} s"
    if found.unreadable:
        yield f"{counted(found.unreadable, 'row')} cannot be read; see: curator-tui ledger verify"
