"""``challenge`` and ``answer``: disputing an entry, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from curator_tui.cli.answers import override_and_note, tell
from curator_tui.cli.session import Session, given_text, json_option, pass_session, usage
from curator_tui.cli.words import diff_lines
from curator_tui.core.challenges import AnswerPreview
from curator_tui.core.diffs import entry_diff
from curator_tui.core.documents import FILE_NAMES, Target
from curator_tui.core.reason_words import code_meant, reason_word
from curator_tui.core.requests import AnswerVerb, ChallengeCode
from curator_tui.core.review import OVERRIDABLE
from curator_tui.curator.naming import find_entry


@click.command()
@click.argument("entry")
@click.option(
    "--reason",
    type=click.Choice(list(dict.fromkeys([*map(str, ChallengeCode), *map(reason_word, ChallengeCode)]))),
    required=True,
    help="wrong: never true; outdated: true once; private, also called sensitive: no prompt should hold it; "
    "not-said: nobody said it.",
)
@click.option("--note", metavar="TEXT", default="", help="Your own words; - is stdin.")
@click.option("--target", type=click.Choice([str(target) for target in Target]), help="Look in this document only.")
@json_option
@pass_session
def challenge(session: Session, entry: str, reason: str, note: str, target: str | None) -> int:
    """Dispute ENTRY (an id, a journey id, or words of one entry only): a question that waits for an answer."""
    desk = session.desk(looking=False)
    found = find_entry(desk.snapshot(), entry, Target(target) if target else None)
    code = ChallengeCode(code_meant(reason, ChallengeCode) or reason)
    return tell(session, desk, desk.challenge(found.target, found.text, code, note=given_text(note)))


@click.command()
@click.argument("name", metavar="ID")
@click.argument("verb", type=click.Choice([str(verb) for verb in AnswerVerb]), metavar="keep|correct|remove")
@click.argument("text", required=False)
@click.option("--dry-run", is_flag=True, help="Show what would happen, write nothing.")
@click.option("--expect", metavar="DIGEST", help="Only if the outcome is still the one shown under that digest.")
@click.option("--override", metavar="REASON", help="Write it although a finding speaks against it.")
@click.option("--note", metavar="TEXT", default="", help="Your own words, for the ledger.")
@json_option
@pass_session
def answer(
    session: Session,
    /,
    *,
    name: str,
    verb: str,
    text: str | None,
    dry_run: bool,
    expect: str | None,
    override: str | None,
    note: str,
) -> int:
    """Answer the question ID: keep the entry, correct it (TEXT, - is stdin), or remove it.

    Where the disputed entry is gone or changed, keep closes the question.
    """
    wanted = AnswerVerb(verb)
    if (text is None) == (wanted is AnswerVerb.CORRECT):
        raise usage("correct takes the new text of the entry, and nothing else does.")
    code, words = override_and_note(override)
    desk = session.desk(looking=dry_run)
    request = desk.answering(
        name,
        wanted,
        None if text is None else given_text(text),
        shown=expect,
        override=OVERRIDABLE if override is not None else frozenset(),
        reason=code,
        note="; ".join(filter(None, (note, words))),
    )
    if not dry_run:
        return tell(session, desk, desk.carry_out(request))
    preview = desk.answer_preview(request)
    return tell(session, desk, desk.dry_run(request).receipt, before=_effect(preview), would=True)


def _effect(preview: AnswerPreview) -> Iterator[str]:
    """Show what an answer would make of its document."""
    for target, part in preview.found.outcome.items() if preview.found is not None else ():
        yield f"{FILE_NAMES[target]} {part.size_before} -> {part.size_after}"
        yield from diff_lines(entry_diff(part.before, part.after, part.changed))
