"""Undo, redo, the history, and rolling back: each printed with its effects first, then asked.

Here: what is read out and asked. Not here: what a revert or a rollback does (``core.reverts``, ``core.rollbacks``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from curator_tui.cli.backups import before_what, difference, side, size_in
from curator_tui.cli.plain.deciding import writable
from curator_tui.cli.plain.item import deed_named, item_names
from curator_tui.cli.plain.looking import PAGE
from curator_tui.cli.plain.talk import Talk
from curator_tui.cli.plain.words import age_words, entry_lines, failed_line, labelled
from curator_tui.core.changes import Receipt
from curator_tui.core.counting import counted
from curator_tui.core.documents import FILE_NAMES, Document, Target, parse
from curator_tui.core.errors import UsageError
from curator_tui.core.reverts import UndoPreview
from curator_tui.core.rollbacks import RollbackPreview
from curator_tui.core.times import utc_words
from curator_tui.curator.effects import effects
from curator_tui.curator.history import (
    BackupRow,
    backups,
    find_backup,
    find_change,
    rollback,
    rollback_preview,
    undo_preview,
)

Takes = Mapping[int, str | None]


# -- undo and redo ---------------------------------------------------------------------------------------------------


def undo(talk: Talk, rest: str) -> None:
    """Undo one's newest change, or the one that is named."""
    _revert(talk, rest.strip(), redo=False)


def redo(talk: Talk, _: str) -> None:
    """Redo what was undone last."""
    _revert(talk, "", redo=True)


def _revert(talk: Talk, named: str, *, redo: bool) -> None:
    writable(talk)
    word = "redo" if redo else "undo"
    talk.desk.refresh()
    row = talk.row(named)
    named = row.removeprefix("undo ") if row.startswith("undo ") else named
    change = find_change(talk.desk, named).id if named else None
    preview = undo_preview(talk.desk, change, redo=redo)
    if preview is None:
        talk.say(f"Nothing to {word}.")
        return
    if preview.refused is not None:
        talk.say(failed_line(preview.refused), "Nothing was written.")
        return
    takes: Takes = {}
    if preview.reverted.moved_on:
        chosen = _chosen(talk, preview)
        if chosen is None:
            talk.say("Nothing was decided.")
            return
        takes = chosen
        again = undo_preview(talk.desk, preview.change.id, takes=takes, redo=redo)
        if again is None or again.refused is not None:
            talk.say("It changed meanwhile; nothing was written. Type it again.")
            return
        preview = again
    if talk.confirmed(f"{word.capitalize()} it?", tuple(_preview_lines(talk, preview, word))):
        with talk.writing():
            receipt = _reverted(talk, preview, takes, redo=redo)
            _tell(talk, receipt, word)


def _reverted(talk: Talk, preview: UndoPreview, takes: Takes, *, redo: bool) -> Receipt:
    if redo:
        return talk.desk.redo(takes=takes, shown=preview.digest)
    return talk.desk.undo(preview.change.id, takes=takes, shown=preview.digest)


def _preview_lines(talk: Talk, preview: UndoPreview, word: str) -> Iterator[str]:
    change = preview.change
    ago = age_words(talk.desk.now() - change.at)
    yield f"To {word}: change {change.id}, {deed_named(talk.desk, change)}, {ago}."
    snapshot = talk.desk.snapshot()
    after = {target: parse(target, raw) for target, raw in preview.reverted.documents.items()}
    yield from _between({target: snapshot.document(target) for target in after}, after)
    yield from _queue_lines(talk, preview)


def _chosen(talk: Talk, preview: UndoPreview) -> Takes | None:
    """Let a person choose the text of each entry that moved on; None when it is given up."""
    takes: dict[int, str | None] = {}
    for part in preview.reverted.moved_on:
        talk.say(f"An entry of {FILE_NAMES[part.target]} changed after that change. Its three texts:")
        texts = (part.before, part.after, part.now)
        for number, (name, text) in enumerate(zip(("before", "after", "now"), texts, strict=True), 1):
            talk.say(*labelled(f"{number}. {name}", "(not there)" if text is None else text))
        asked = talk.ask("Which text shall stand? Type 1, 2 or 3, or before, after or now; anything else gives up:")
        answers = {**{str(n): text for n, text in enumerate(texts, 1)}, **dict(zip(("before", "after", "now"), texts,
                   strict=True))}  # fmt: skip
        word = asked.text.strip().lower()
        if word not in answers or asked.early:
            return None
        takes[part.pair] = answers[word]
    return takes


def _between(before: Mapping[Target, Document], after: Mapping[Target, Document]) -> Iterator[str]:
    for target, then in after.items():
        now = before[target]
        yield f"{FILE_NAMES[target]}: {_standing(now)} now, {_standing(then)} afterwards."
        if now.usable and then.usable:
            yield from entry_lines(difference(now, then))


def _standing(document: Document) -> str:
    size = size_in(document)
    return str(document.presence) if size is None else f"{size} characters"


def _tell(talk: Talk, receipt: Receipt, word: str) -> None:
    talk.place.shown = None
    talk.forget_list()
    if receipt.moved:
        talk.say(f"Moved: it changed since it was printed; nothing was written. Type {word} to hear what it does now.")
    else:
        talk.told(receipt)


# -- history ---------------------------------------------------------------------------------------------------------


def history(talk: Talk, _: str) -> None:
    """List the backups, newest first; a number rolls back to one, after its effects were printed."""
    rows, problems = backups(talk.desk)
    newest = tuple(reversed(rows))
    talk.number([f"rollback {row.backup.id}" for row in newest[:PAGE]], "backups: a number prints its rollback")
    if not newest:
        talk.say("There is no backup yet; one is taken before every change.")
    for number, row in enumerate(newest[:PAGE], 1):
        talk.say(_backup_line(talk, number, row))
    if len(newest) > PAGE:
        talk.say(f"{len(newest) - PAGE} older ones; their ids are in memories/backups.")
    talk.say(*(f"Problem: {problem.message}." for problem in problems))
    if newest:
        talk.say("Type a number or rollback and an id for what going back there would do; diff and two ids to compare.")


def _backup_line(talk: Talk, number: int, row: BackupRow) -> str:
    sizes = ", ".join(f"{FILE_NAMES[target]} {_standing(document)}" for target, document in row.documents().items())
    when = f"{age_words(talk.desk.now() - row.backup.at)}, {utc_words(row.backup.at)}"
    return f"{number}. {row.backup.id}, {before_what(talk.desk, row)}, {when}: {sizes}."


def diff(talk: Talk, rest: str) -> None:
    """Compare two backups, or one with what stands now."""
    names = [_backup_named(talk, word) for word in rest.split()]
    if not 1 <= len(names) <= 2:
        raise UsageError("Compare what?", way_out="Type diff and one or two ids or numbers of the history; or now.")
    talk.desk.refresh()
    before, after = side(talk.desk, names[0]), side(talk.desk, names[1] if len(names) == 2 else "now")
    both = [target for target in before if target in after]
    for target in both:
        if before[target].raw == after[target].raw:
            talk.say(f"{FILE_NAMES[target]} is the same byte for byte, {_standing(before[target])}.")
        else:
            talk.say(f"{FILE_NAMES[target]}: {_standing(before[target])} before, {_standing(after[target])} after.")
            talk.say(*entry_lines(difference(before[target], after[target])))


def _backup_named(talk: Talk, word: str) -> str:
    command = talk.row(word)
    return command.removeprefix("rollback ") if command.startswith("rollback ") else word


def rollback_to(talk: Talk, rest: str) -> None:
    """Print what rolling back would do, and ask."""
    writable(talk)
    words = rest.split()
    targets = tuple(Target(word) for word in words if word in set(Target))
    names = [_backup_named(talk, word) for word in words if word not in set(Target)]
    if len(names) != 1:
        raise UsageError("Roll back to which backup?", way_out="Type history for their numbers.")
    talk.desk.refresh()
    backup = find_backup(talk.desk, names[0])
    preview = rollback_preview(talk.desk, backup.id, targets)
    if preview.refused is not None:
        talk.say(failed_line(preview.refused), "Nothing was written.")
        return
    if not preview.documents:
        talk.say("The documents stand so already; there is nothing to roll back.")
        return
    if talk.confirmed("Roll back?", tuple(_effect_lines(talk, backup.id, preview))):
        with talk.writing():
            receipt = rollback(talk.desk, backup.id, targets, shown=preview.digest)
            _tell(talk, receipt, "rollback")


def _effect_lines(talk: Talk, name: str, preview: RollbackPreview) -> Iterator[str]:
    yield f"To roll back to {name}:"
    snapshot = talk.desk.read_documents()
    after = {target: parse(target, raw) for target, raw in preview.documents.items()}
    yield from _between({target: snapshot.document(target) for target in after}, after)
    yield from _undone_lines(talk, preview)
    yield from _queue_lines(talk, preview)
    yield "A backup of now is taken first, and undo undoes the rollback."


def _undone_lines(talk: Talk, preview: RollbackPreview) -> Iterator[str]:
    """Count the changes that are undone, and name a page of them."""
    if preview.undoes:
        named = "; ".join(deed_named(talk.desk, change) for change in preview.undoes[:PAGE])
        left = len(preview.undoes) - PAGE
        more = f"; and {left} more" if left > 0 else ""
        yield f"It undoes {counted(len(preview.undoes), 'change')}: {named}{more}."


def _queue_lines(talk: Talk, preview: UndoPreview | RollbackPreview) -> Iterator[str]:
    """Say what happens to items and questions; of many alike a page of names, and every warning."""
    name = item_names(talk.desk, (one.decided for one in preview.returned))
    named: dict[str, list[str]] = {}
    warnings: list[str] = []
    for effect in effects(preview):
        if effect.warns:
            warnings.append(effect.words)
        else:
            named.setdefault(effect.words, []).append(name(effect.about))
    for words, names in named.items():
        yield from _list(words.removeprefix("is ").capitalize(), names)
    yield from (f"Note: {words}." for words in warnings)


def _list(what: str, names: Sequence[str]) -> Iterator[str]:
    if len(names) == 1:
        yield f"{what}: {names[0]}."
    elif names:
        more = f" and {len(names) - PAGE} more" if len(names) > PAGE else ""
        yield f"{what}: {len(names)} of them: {'; '.join(names[:PAGE])}{more}."
