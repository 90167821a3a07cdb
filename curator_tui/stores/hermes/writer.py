"""The writing half of a Hermes home's store: the one call that changes it, and recovery.

Here: locks, the order of recovery, planning and committing, and what an error means to the caller. Not here: the steps
of a commit (``commit``), recovery itself (``recovery``), what a request gets to see (``book.views``), rules (``core``):
nothing is compared or decided here. Looking is the other half (``store``), and loads nothing of this one.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from curator_tui.core.changes import Change, Planner, Receipt
from curator_tui.core.documents import TARGETS
from curator_tui.core.errors import Locked, StoreError, Unfinished, WriteFailed
from curator_tui.core.requests import Kind, Request, Stamp
from curator_tui.stores.book.book import FOLDER_NAME, Book
from curator_tui.stores.book.receipts import receipt_bytes
from curator_tui.stores.book.views import read_view
from curator_tui.stores.failpoints import hit
from curator_tui.stores.file_errors import way_out
from curator_tui.stores.hermes.commit import DocumentMoved, Prepared, aftermath, discard, place_images, prepare, swap
from curator_tui.stores.hermes.deferred_mark import clear_mark, set_mark
from curator_tui.stores.hermes.facts import SettingsReader
from curator_tui.stores.hermes.hands import Hands
from curator_tui.stores.hermes.intents import Intent
from curator_tui.stores.hermes.locks import Waits, document_locks, own_lock
from curator_tui.stores.hermes.place import HomePlace
from curator_tui.stores.hermes.reading import MEMORIES
from curator_tui.stores.hermes.recovery import Recovered, recover, sweep
from curator_tui.stores.port import Interrupted, Mended
from curator_tui.stores.safe_files import Folder

_ATTEMPTS = 3
_GLANCE_SECONDS = 0.1


class _Attempt(Struct):
    """How far an attempt has come; what a failure means depends on it."""

    request: Request
    prepared: Prepared | None = None
    intent: Intent | None = None
    storing: bool = False
    begun: bool = False
    swept: bool = False


class Writer:
    """Changes one home; :meth:`transact` may be called from any thread.

    Args:
        home: the open home; it stays the caller's.
        settings: its configuration.
        waits: how long to wait for locks.
    """

    def __init__(self, home: Folder, settings: SettingsReader, waits: Waits) -> None:
        self.home = home
        self.waits = waits
        self._settings = settings
        self._turn = threading.Lock()
        self._book: Book | None = None
        self._swept = False

    def transact(self, request: Request, plan: Planner) -> Receipt:
        """Carry out a request: the one call that changes memory.

        Raises:
            Locked: somebody else holds the store for longer than we wait.
            NewerStore: a newer version wrote the book.
            Unreadable: something that is needed cannot be read.
            WriteFailed: nothing was changed.
            Unfinished: a change is past its commit point and could not be completed; the next start finishes it.
        """
        waits = self._waits_for(request)
        with self._turn, self._locked(str(request.kind), waits):
            finished = False
            for _ in range(_ATTEMPTS):
                book, mended = self._ready(request.stamp, waits)
                finished = finished or mended.interrupted is Interrupted.FINISHED
                known = book.receipt(request.stamp.operation)
                if known is not None:
                    return replace(known, recovered=known.recovered or finished)
                with contextlib.suppress(DocumentMoved):
                    receipt = self._attempt(book, _Attempt(request), plan)
                    return replace(receipt, recovered=receipt.recovered or finished)
        raise WriteFailed(
            "another program keeps writing the documents without a lock; nothing was changed.", way_out="Try again."
        )

    def recover(self, stamp: Stamp) -> Mended:
        """Finish or undo an interrupted change and remove leftovers.

        In a home that was copied what was under way belongs to the original and is dropped; where nothing was, its
        book waits for the first decision.

        Raises:
            Locked: somebody else holds the store for longer than we wait.
            Unfinished: it could not be finished.
        """
        if self.home.stat(FOLDER_NAME) is None:
            return Mended()
        with self._turn, self._locked("recover", self.waits):
            self._swept = False
            return self._ready(stamp, self.waits, deciding=False)[1]

    def close(self) -> None:
        """Release what is open, once no change is under way."""
        with self._turn:
            self._drop_book()

    def _waits_for(self, request: Request) -> Waits:
        """Return how long a request waits: what only records what is there is made again later, and keeps nobody."""
        if request.kind is not Kind.OBSERVE:
            return self.waits
        return replace(self.waits, limit=min(self.waits.limit, _GLANCE_SECONDS))

    @contextlib.contextmanager
    def _locked(self, verb: str, waits: Waits) -> Iterator[None]:
        try:
            with self.home.open_folder(FOLDER_NAME, create=True) as folder, own_lock(folder, verb, waits):
                hit("locked")
                yield
        except OSError as error:
            # what an attempt has begun was dealt with inside; this failed before anything was begun
            raise _unchanged(error) from error

    def book(self) -> Book:
        """Return the book, opened for writing; it is made where there is none, or where it was removed meanwhile."""
        if self._book is not None and not self._book.still_there(self.home):
            self._drop_book()
        if self._book is None:
            self._book = Book.open_for_writing(self.home)
        return self._book

    def _drop_book(self) -> None:
        book, self._book = self._book, None
        if book is not None:
            book.close()

    def _ready(self, stamp: Stamp, waits: Waits, *, deciding: bool = True) -> tuple[Book, Mended]:
        """Open the book and leave no earlier change unfinished; return what that took."""
        book = self.book()
        interrupted = None
        if book.copied and (deciding or book.intent() is not None):
            interrupted = Interrupted.DROPPED if book.intent() is not None else None
            book.adopt(stamp)
        recovered = self._recovered(book, waits) if book.intent() is not None else None
        if recovered is not None:
            interrupted = Interrupted.FINISHED if recovered.finished else Interrupted.UNDONE
        leftovers = 0
        if not self._swept:
            # leftovers are a nuisance, not a danger: they must not keep anybody from working
            with contextlib.suppress(StoreError, OSError):
                leftovers = sweep(self.home, book)
                self._swept = True
        return book, Mended(interrupted, leftovers)

    def _recovered(self, book: Book, waits: Waits) -> Recovered | None:
        try:
            return recover(self.home, book, waits)
        except Locked:
            raise
        except (StoreError, OSError) as error:
            self._drop_book()
            raise Unfinished(
                f"an interrupted change could not be finished: {_words(error)}",
                way_out=f"{_way_out(error) or 'Mend what is named.'} The next start finishes it.",
            ) from error

    def _attempt(self, book: Book, attempt: _Attempt, plan: Planner) -> Receipt:
        try:
            with Hands(self.home) as hands:
                with self._document_locks(attempt.request, hands):
                    view = read_view(HomePlace(self.home), book, attempt.request, self._settings.read().limits)
                    change = plan(view, attempt.request)
                    hit("planned")
                    if change.empty:
                        return change.receipt
                    self._begin(hands, book, attempt, change)
                return self._finish(hands, book, attempt, change)
        except Exception as error:
            if attempt.prepared is None:
                if isinstance(error, OSError):
                    raise _unchanged(error) from error
                raise
            receipt = self._after_failure(attempt, error)
            if receipt is None:
                raise
            return receipt

    @contextlib.contextmanager
    def _document_locks(self, request: Request, hands: Hands) -> Iterator[None]:
        if not request.touches_documents:
            yield
            return
        with document_locks(hands.make(MEMORIES), TARGETS, self._waits_for(request)):
            yield

    def _begin(self, hands: Hands, book: Book, attempt: _Attempt, change: Change) -> None:
        """Steps 1 to 4: prepare, commit the intent, rename."""
        set_mark(hands, book, change)
        attempt.swept, self._swept = self._swept, False
        attempt.prepared = Prepared(change.id)
        intent, texts = prepare(hands, change, attempt.request, book.known_texts(), attempt.prepared)
        attempt.intent, attempt.storing = intent, True
        if intent.empty:
            book.finish(intent.entry, texts)
        else:
            book.begin(change.id, intent.to_json(), texts)
            attempt.begun = True
            hit("begun")
            place_images(hands, intent)
            swap(hands, intent)

    def _finish(self, hands: Hands, book: Book, attempt: _Attempt, change: Change) -> Receipt:
        """Steps 5 and 6: the queue, then the book."""
        receipt = change.receipt
        if attempt.begun:
            assert attempt.intent is not None
            after = aftermath(hands, attempt.intent)
            receipt = after.receipt(receipt)
            said = receipt_bytes(receipt) if after.notes else None
            book.finish(after.entry(attempt.intent.entry), receipt=said, parcel=change.parcel)
            if attempt.intent.returns or attempt.intent.parcel is not None:
                # a record that could not come back, the copy of a parcel; the next start removes them too
                with contextlib.suppress(StoreError):
                    discard(hands, attempt.intent)
            hit("finished")
        clear_mark(hands, book, attempt.request.today)
        self._swept = attempt.swept
        return receipt

    # -- failures ---------------------------------------------------------------------------------------------------

    def _after_failure(self, attempt: _Attempt, error: Exception) -> Receipt | None:
        """Undo or complete what an attempt has begun, once, on fresh descriptors.

        Returns:
            The receipt when the change is done after all; None when nothing was changed and ``error`` may be raised
            as it is (a signal to plan again, or a defect of ours).

        Raises:
            WriteFailed: nothing was changed.
            Unfinished: the change is past its commit point or nobody can tell.
        """
        self._drop_book()
        try:
            receipt = self._complete(attempt) if attempt.begun else self._take_back(attempt)
        except (StoreError, OSError) as second:
            self._drop_book()
            if self._maybe_done(attempt):
                raise Unfinished(
                    f"the change was begun and could not be completed: {_words(error)} Then: {_words(second)}",
                    way_out=f"{_way_out(second)} The next start finishes it.".lstrip(),
                ) from error
            raise _unchanged(error) from error
        if receipt is None and isinstance(error, StoreError | OSError):
            raise _unchanged(error) from error
        return receipt

    def _complete(self, attempt: _Attempt) -> Receipt | None:
        book = self.book()
        recovered = recover(self.home, book, self.waits)
        # with no intent open, the last transaction went through although it reported a failure
        receipt = recovered.receipt if recovered else book.receipt(attempt.request.stamp.operation)
        if receipt is not None:
            book.fold()
        return receipt

    def _take_back(self, attempt: _Attempt) -> Receipt | None:
        """Make certain that an attempt without an acknowledged intent has no effect, then remove its files."""
        assert attempt.prepared is not None
        if attempt.storing:
            book = self.book()
            assert attempt.intent is not None
            receipt = book.receipt(attempt.request.stamp.operation)
            if receipt is not None:
                book.fold()
                return receipt
            if book.intent() is None:
                book.settle()
            else:
                book.abandon(attempt.prepared.change)
        with contextlib.suppress(StoreError), Hands(self.home) as hands:
            discard(hands, attempt.prepared)
        return None

    def _maybe_done(self, attempt: _Attempt) -> bool:
        """Whether an attempt that could be neither completed nor taken back may have had an effect."""
        if attempt.intent is None or not attempt.intent.documents:
            return attempt.storing
        try:
            with Hands(self.home) as hands:
                for move in attempt.intent.documents:
                    folder = hands.find(*move.steps)
                    if folder is None or folder.stat(move.temp) is None:
                        return True
        except StoreError:
            return attempt.begun
        return False


def _unchanged(error: Exception) -> WriteFailed:
    return WriteFailed(f"nothing was changed: {_words(error)}", way_out=_way_out(error))


def _way_out(error: Exception) -> str:
    """Return what helps against an error; empty where we know nothing."""
    if isinstance(error, StoreError):
        return error.way_out
    return way_out(error) if isinstance(error, OSError) else ""


def _words(error: Exception) -> str:
    """Return what an error says, fit for a message."""
    if isinstance(error, StoreError):
        return error.message
    if isinstance(error, OSError):
        return f"{error.strerror or 'input/output error'}."
    if isinstance(error, DocumentMoved):
        return "another program wrote a document at the same moment."
    return f"{type(error).__name__}."
