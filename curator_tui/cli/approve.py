"""``approve``: apply waiting writes, one or many, as one change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from curator_tui.cli.answers import override_and_note, tell
from curator_tui.cli.decide import only
from curator_tui.cli.edits import edit_of
from curator_tui.cli.item_words import outcome_lines, short_words, waiting_words, ways_out
from curator_tui.cli.people import one_person
from curator_tui.cli.session import Session, json_option, pass_session, read_text, usage
from curator_tui.core.changes import NotApplied
from curator_tui.core.keeping import says_secret
from curator_tui.core.requests import Decision, Verb
from curator_tui.core.review import ALTERNATIVES, needs_second_key
from curator_tui.curator.desk import Desk

_Told = tuple[dict[str, str], Sequence[str], str | None]
_UNTOLD: _Told = ({}, (), None)


class _Options(Struct, frozen=True):
    """What ``approve`` was asked for besides the items."""

    override: str | None
    content_file: str | None
    inside: bool
    entry: str | None
    step: int | None

    @property
    def single(self) -> bool:
        """Whether an option is used that means one item."""
        given = (self.override, self.content_file, self.entry, self.step)
        return self.inside or any(value is not None for value in given)


@click.command()
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option("--all-ready", is_flag=True, help="Every waiting write that applies cleanly.")
@click.option("--dry-run", is_flag=True, help="Show what would happen, write nothing.")
@click.option("--expect", metavar="DIGEST", help="Only if the outcome is still the one shown under that digest.")
@click.option("--override", metavar="REASON", help="Pass a flagged or lossy write knowingly (one ID).")
@click.option("--content-file", metavar="FILE", help="Put this text in place of the proposed one; - is stdin (one ID).")
@click.option("--inside", is_flag=True, help="Change only the matched words inside the entry (one ID).")
@click.option("--entry", metavar="ENTRY", help="The entry it shall take: pick one, or rebase (one ID).")
@click.option("--alike", is_flag=True, help="Of all people: the same fact for everybody it is proposed for (one ID).")
@click.option("--step", type=click.IntRange(min=1), help="Which step of a batch the options above mean.")
@json_option
@pass_session
def approve(
    session: Session,
    /,
    names: tuple[str, ...],
    dry_run: bool,
    expect: str | None,
    **options: Any,
) -> int:
    """Apply waiting writes. What cannot be applied stays in the queue with its own reason (exit 1)."""
    all_ready = bool(options.pop("all_ready"))
    if options.pop("alike"):
        return _approve_alike(session, names, dry_run=dry_run)
    asked = _Options(**options)
    _check(names, asked, all_ready=all_ready)
    content = None if asked.content_file is None else read_text(asked.content_file)
    if all_ready:
        one_person(session, "--all-ready")
    desk = session.desk(looking=dry_run, many=True)
    ids = desk.ready() if all_ready else tuple(dict.fromkeys(names))
    skipped = desk.left_out(ids) if all_ready else ()
    decisions = [_decision(desk, name, asked, content) for name in ids]
    before = list(_summary(desk, ids, skipped)) if all_ready else []
    is_told = len(decisions) == 1 and (dry_run or not decisions[0].edit.empty)
    words, effect, digest = _effect(desk, decisions[0]) if is_told else _UNTOLD
    named = waiting_words(desk, (*ids, *(one.id for one in skipped))) | words
    request = desk.deciding(decisions, shown=expect or digest)
    receipt = desk.dry_run(request).receipt if dry_run or not decisions else desk.carry_out(request)
    return tell(
        session,
        desk,
        receipt,
        failed=(*receipt.not_applied, *skipped),
        before=(*before, *(effect if receipt.applied else ())),
        after=() if all_ready else ways_out(desk, receipt.not_applied),
        would=dry_run,
        named=named,
        extra={"dry_run": True} if dry_run else {},
    )


def _approve_alike(session: Session, names: tuple[str, ...], *, dry_run: bool) -> int:
    from curator_tui.cli.people import decide_alike

    desk = session.desk(looking=dry_run, many=True)
    return decide_alike(session, desk, only(names), Verb.APPROVE, dry_run=dry_run)


def _check(names: Sequence[str], asked: _Options, *, all_ready: bool) -> None:
    """Refuse options that contradict each other."""
    if all_ready == bool(names):
        raise usage("Give the ids to approve, or --all-ready.", "List them with: curator-tui pending")
    if asked.single and len(names) != 1:
        raise usage("--override, --content-file, --inside, --entry and --step mean one item: give exactly one ID.")
    override_and_note(asked.override)
    if asked.inside and asked.content_file is not None:
        raise usage("--inside and --content-file exclude each other.")


def _decision(desk: Desk, name: str, asked: _Options, content: str | None) -> Decision:
    reason, note = override_and_note(asked.override)
    plain = Decision(name, Verb.APPROVE, reason=reason, note=note)
    if not asked.single or desk.queue.proposal(name) is None:
        return plain  # what does not wait is told with its own reason by the plan
    edit = edit_of(desk, name, content=content, inside=asked.inside, entry=asked.entry, step=asked.step)
    if asked.override is None:
        return replace(plain, edit=edit)
    return replace(plain, edit=edit, override=needs_second_key(desk.edited(name, edit)))


def _effect(desk: Desk, decision: Decision) -> _Told:
    """Return the words of what would be written, its effect as ``show`` has it, and what a decision is bound to by it.

    A person may have worded it. Where it holds a secret its effect is not shown: nobody asked to see it.
    """
    name = decision.proposal
    if desk.queue.proposal(name) is None:
        return _UNTOLD
    settlement = desk.preview([decision])
    found = settlement.applied[0].found if settlement.applied else settlement.failed[0].found
    effect = () if says_secret(found.proposal) else tuple(outcome_lines(found))
    return {name: short_words(found.proposal)}, effect, settlement.digest


def _summary(desk: Desk, ids: Sequence[str], skipped: Sequence[NotApplied]) -> Iterator[str]:
    """Say in one line what ``--all-ready`` found, for instance ``1 ready, 1 stale (skipped)``."""
    taken = Counter(str(desk.queue.conditions(name)[0]) for name in ids)
    left = Counter(one.code if one.code == ALTERNATIVES.code else one.state for one in skipped)
    parts = [f"{count} {state}" for state, count in taken.items()]
    parts += [f"{count} {state} (skipped)" for state, count in left.items()]
    yield ", ".join(parts) if parts else "Nothing waits for a decision."
