"""``memory`` and ``prompt``: the documents as they stand, and as the model gets to read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from curator_tui.cli.session import Session, json_option, pass_session
from curator_tui.cli.shapes import Shape, documents_shape, finding_shape, standing_shape
from curator_tui.cli.tables import block
from curator_tui.cli.words import gauges
from curator_tui.core.counting import characters_at
from curator_tui.core.documents import FILE_NAMES, TARGETS, Target, standing
from curator_tui.core.preflight import Snapshot, findings_of
from curator_tui.core.questions import Question
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.curator.naming import Entry, document_hints, entries, headings_in
from curator_tui.curator.prompting import as_the_model_reads

# the open questions about each entry, by document and text
Disputed = Mapping[tuple[Target, str], Sequence[Question]]


@click.command()
@json_option
@pass_session
def memory(session: Session) -> int:
    """Print both documents with gauges, and every entry under its id and the id Hermes's journey gives it."""
    desk = session.desk()
    listed = entries(desk.snapshot())
    disputed = desk.disputed()
    session.output.answer(_document(desk.snapshot(), listed, disputed), _lines(desk, listed, disputed))
    return 0


def _document(snapshot: Snapshot, listed: tuple[Entry, ...], disputed: Disputed) -> Shape:
    documents: Shape = {}
    for target in TARGETS:
        document = snapshot.document(target)
        documents[str(target)] = {
            **standing_shape(standing(document, snapshot.limits.get(target))),
            "drifted": document.usable and document.drifted,
            "entries": [_entry_shape(entry, disputed) for entry in listed if entry.target is target],
        }
    return {"documents": documents, "notes": _hints(snapshot)}


def _entry_shape(entry: Entry, disputed: Disputed) -> Shape:
    return {
        "id": entry.id,
        "journey": entry.journey or None,
        "text": entry.text,
        "size": len(entry.text),
        "headings": headings_in(entry.text),
        "findings": [finding_shape(finding) for finding in findings_of(entry.text)],
        "disputed": (entry.target, entry.text) in disputed,
    }


def _hints(snapshot: Snapshot) -> list[str]:
    return [hint for target in TARGETS for hint in document_hints(snapshot.document(target))]


def _lines(desk: Desk, listed: tuple[Entry, ...], disputed: Disputed) -> Iterator[str]:
    gauge_lines = dict(zip(TARGETS, gauges(desk.snapshot()), strict=True))
    for target in TARGETS:
        yield gauge_lines[target]
        for entry in listed:
            if entry.target is not target:
                continue
            yield from block(entry.text, f"  {entry.id}  {entry.journey or '-':<18}  ")
            for question in disputed.get((entry.target, entry.text), ()):
                yield f"      disputed: {question.challenge.why}, in question {question.id}"
            for finding in findings_of(entry.text):
                where = characters_at(finding.start, finding.end)
                yield f"      {finding.severity} finding {finding.rule}: {finding.reason.rstrip('.')} ({where})"
    yield from (f"note: {hint}" for hint in _hints(desk.snapshot()))


@click.command()
@json_option
@pass_session
def prompt(session: Session) -> int:
    """Print exactly the block the model gets to read at its next session."""
    desk = session.desk()
    text = as_the_model_reads(desk)
    if visible(text) != text and not session.output.as_json:
        session.output.note("some characters are shown as tokens; --json has the exact text")
    document = {"text": text, "documents": documents_shape(desk.snapshot())}
    session.output.answer(document, visible(text).split("\n") if text else ())
    if not text and not session.output.as_json:
        session.output.note("nothing stands in the prompt: " + _why_nothing(desk))
    return 0


def _why_nothing(desk: Desk) -> str:
    enabled = desk.facts().enabled
    off = [FILE_NAMES[target] for target in TARGETS if enabled.get(target) is False]
    return f"{' and '.join(off)} switched off, the rest empty" if off else "both documents are empty"
