"""Checking: whether documents, book, queue, images and ledger of a home agree with each other.

Here: looking and naming what does not fit. Not here: repairing anything; what another program wrote beside us is no
disagreement and is told elsewhere (``core.recording``).
"""

from __future__ import annotations

import stat
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from curator_tui.core.accounts import account_problems
from curator_tui.core.commitments import told_once
from curator_tui.core.documents import FILE_NAMES, TARGETS
from curator_tui.core.errors import StoreError
from curator_tui.core.operations import Problem
from curator_tui.core.text import visible
from curator_tui.core.verification import problems_of, verify
from curator_tui.stores.book.accounts import accounts
from curator_tui.stores.book.book import FOLDER_NAME, file_damage, part_problems
from curator_tui.stores.book.checking import aside_problems, commitment_problems, missing_images
from curator_tui.stores.book.kept import held_for
from curator_tui.stores.book.reading import BookReader
from curator_tui.stores.book.sqlite_errors import DAMAGED
from curator_tui.stores.hermes import images
from curator_tui.stores.hermes.hands import Hands
from curator_tui.stores.hermes.intents import is_temp
from curator_tui.stores.hermes.locks import LOCK_SUFFIX, OWN_LOCK, lock_trouble
from curator_tui.stores.hermes.place import HomePlace
from curator_tui.stores.hermes.queue import find_record
from curator_tui.stores.hermes.reading import MEMORIES, open_inside
from curator_tui.stores.safe_files import Folder

_PENDING, _LEFTOVER = "recovery-pending", "leftover"
# what every change looks like while it is made, and how long it is given, in seconds, before it is looked for again
_PASSING = frozenset({_PENDING, _LEFTOVER})
_PAUSES = (0.02, 0.1, 0.3, 0.6)
_LOOKS = 50  # between changes that others make one after the other


def check_home(home: Folder, book: BookReader) -> list[Problem]:
    """Return everything that does not agree; empty when all does. What somebody writes meanwhile is no problem.

    What is in the book is held against itself as of one moment. The files around it have none, so what does not fit
    there is looked for again, and is named where it stays.
    """
    inside = book.at_once(partial(_inside, home))
    return told_once(
        [*inside, *problems_of(lambda: _locks(home)), *_lasting(partial(_against_files, home, book), book)]
    )


def _inside(home: Folder, book: BookReader) -> list[Problem]:
    """Return what does not agree within the book, and with the texts it names."""
    checks = (
        lambda: verify(book.rows(), partial(held_for, HomePlace(home).backup, book)).problems,
        lambda: _file(book),
        lambda: account_problems(*accounts(book)),
        lambda: aside_problems(book),
        lambda: commitment_problems(book),
    )
    return [problem for check in checks for problem in problems_of(check)]


def _lasting(look: Callable[[], list[Problem]], book: BookReader) -> list[Problem]:
    """Return what is found whenever it is looked for: what comes and goes belongs to who writes beside us."""
    lasting: list[Problem] | None = None
    found: list[Problem] = []
    for pause in (*_PAUSES, 0.0):
        before, found = _between(look, book)
        if not _is_open(found):  # while a change is open nothing else is looked at: that says nothing of the rest
            lasting = found if lasting is None else [one for one in lasting if one in found]
        kept = found if lasting is None else lasting
        if not kept or (before == _moment(book) and not any(one.code in _PASSING for one in kept)):
            return kept
        time.sleep(pause)
    return found if lasting is None else lasting


def _between(look: Callable[[], list[Problem]], book: BookReader) -> tuple[tuple[object, ...], list[Problem]]:
    """Look between two changes where others make one after the other; return the moment before, and what was found."""
    before, found = _moment(book), look()
    for _ in range(_LOOKS):
        if not _is_open(found):
            break
        time.sleep(_PAUSES[0])
        open_before, before, found = found, _moment(book), look()
        if found == open_before:
            break
    return before, found


def _is_open(found: Sequence[Problem]) -> bool:
    """Whether what was found is only that a change is open."""
    return any(one.code == _PENDING for one in found)


def _moment(book: BookReader) -> tuple[object, ...]:
    """Return what differs before and after somebody decided; of a book that cannot be read it is always the same."""
    try:
        return book.head(), book.intent()
    except StoreError:
        return ()


def _against_files(home: Folder, book: BookReader) -> list[Problem]:
    """Return what does not agree between the book and the files; while a change is interrupted, only that."""
    pending = problems_of(lambda: _pending(book))
    if pending:
        return pending
    with Hands(home) as hands:
        checks = (lambda: _leftovers(hands), lambda: _images(hands, book), lambda: _queue(home, book))
        return [problem for check in checks for problem in problems_of(check)]


def _pending(book: BookReader) -> Iterator[Problem]:
    intent = book.intent()
    if intent is not None:
        yield Problem(_PENDING, "an interrupted change waits to be finished", (intent[0],))


def _locks(home: Folder) -> Iterator[Problem]:
    """Name what stands where a lock should be: every writing verb would be refused."""
    wanted = ((FOLDER_NAME, (OWN_LOCK,)), (MEMORIES, [FILE_NAMES[target] + LOCK_SUFFIX for target in TARGETS]))
    for place, names in wanted:
        folder = open_inside(home, place)
        if folder is not None:
            with folder:
                troubles = [lock_trouble(folder, name) for name in names]
            yield from (Problem("lock-unusable", str(trouble)) for trouble in troubles if trouble is not None)


def _file(book: BookReader) -> Iterator[Problem]:
    words = file_damage(book.db)
    if words is not None:
        yield Problem("book-damaged", f"{visible(book.db.path)} is damaged: {words}. {DAMAGED}")
    yield from part_problems(book.db)


def _leftovers(hands: Hands) -> Iterator[Problem]:
    for folder in hands.places():
        for name in filter(is_temp, folder.names()):
            yield _leftover(folder, name)
    backups = hands.backups()
    if backups is not None:
        for name in filter(images.is_part, backups.names()):
            yield _leftover(backups, name)


def _leftover(folder: Folder, name: str) -> Problem:
    """Name what a process that ended left behind, and how to be rid of it."""
    way = "doctor --repair removes it; where it cannot, remove it by hand"
    if _is_strange(folder, name):
        way = "it holds a folder, which no process of ours makes and --repair does not remove: look at it and remove it"
    return Problem(_LEFTOVER, f"{folder.label(name)} was left behind by a process that ended; {way}")


def _is_strange(folder: Folder, name: str) -> bool:
    """Whether a leftover is what we never make: a folder in place of a file, or one with folders in it."""
    try:
        with folder.open_folder(name) as inner:
            kinds = [stat.S_ISDIR(found.st_mode) for one in inner.names() if (found := inner.stat(one)) is not None]
    except StoreError:
        return False
    return is_temp(name) or any(kinds)


def _images(hands: Hands, book: BookReader) -> Iterator[Problem]:
    backups = hands.backups()
    if backups is not None:
        yield from images.list_images(backups)[1]
    heads = book.heads()  # before the names: an image is there before its change is recorded
    there = set(backups.names() if backups is not None else ())
    yield from missing_images(heads, there)


def _queue(home: Folder, book: BookReader) -> Iterator[Problem]:
    for name, decided in book.decided().items():
        waiting = find_record(home, name)
        if waiting is not None and waiting.proposal.digest == decided.digest:
            yield Problem("decided-waits", f"{name} is decided and waits all the same")
