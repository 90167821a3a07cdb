"""The store of a Hermes home: everything that only looks, and the way to its writing half.

Here: what is read, and when; what the first frame of the application does not need is loaded when it is asked for.
Not here: the one call that changes a home (``writer``), what a request gets to see (``book.views``), formats
(``reading``, ``records``), rules (``core``): nothing is compared or decided here.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from curator_tui.core.changes import Backup, Planner, Receipt, Row, View, image_parts
from curator_tui.core.errors import WriteFailed
from curator_tui.core.operations import Problem
from curator_tui.core.preflight import Snapshot
from curator_tui.core.requests import Request, Stamp
from curator_tui.stores.hermes.facts import SettingsReader, facts_of
from curator_tui.stores.hermes.home import Binding
from curator_tui.stores.hermes.locks import Waits
from curator_tui.stores.hermes.queue import Queue
from curator_tui.stores.hermes.reading import read_documents
from curator_tui.stores.port import Facts, Mended

if TYPE_CHECKING:
    from curator_tui.core.parcels import Parcel
    from curator_tui.core.tracing import Trace
    from curator_tui.core.verification import Held
    from curator_tui.stores.book.reading import BookReader
    from curator_tui.stores.book.traces import TraceReader
    from curator_tui.stores.hermes.skill_folders import SkillFolders
    from curator_tui.stores.hermes.writer import Writer


class HermesStore:
    """One Hermes home. ``transact`` may be called from any thread; the queue belongs to one thread at a time.

    Args:
        binding: which home.
        environ: the environment that its configuration may refer to; the process's own by default.
        waits: how long to wait for locks.

    Raises:
        NoStore: the home is gone.
        Unreadable: it may not be opened.
    """

    def __init__(self, binding: Binding, environ: Mapping[str, str] | None = None, waits: Waits | None = None) -> None:
        self.binding = binding
        self.home = binding.open()
        self._queue = Queue(self.home)
        self._settings = SettingsReader(self.home, os.environ if environ is None else environ)
        self._waits = waits or Waits()
        self._turn = threading.Lock()
        self._writer: Writer | None = None
        self._reading: BookReader | None = None
        self._looking = True
        self._tracing: TraceReader | None = None

    # -- looking: creates nothing, locks nothing --------------------------------------------------------------------

    def bound(self) -> Facts:
        """Return where and whose it is, without reading anything; everything else is given as not known."""
        return Facts(self.binding.label, self.binding.profile, None)

    def facts(self) -> Facts:
        """Return what the title line and ``status`` show."""
        return facts_of(self.binding, self._settings.read(), self._queue.skills_waiting)

    @property
    def queue(self) -> Queue:
        """The waiting proposals."""
        return self._queue

    def snapshot(self) -> Snapshot:
        """Read both documents and their limits."""
        return Snapshot(read_documents(self.home), self._settings.read().limits)

    def refresh(self) -> None:
        """Let the next look find a book that was made, or put in the place of another, since the last.

        What decides or finishes a change does so, too.
        """
        self._looking = True

    @property
    def book(self) -> BookReader:
        """Our own tables, opened for reading, as of the last :meth:`refresh`; empty as long as there are none."""
        from curator_tui.stores.book.book import open_existing, open_reader
        from curator_tui.stores.book.db import EmptyDb

        if self._reading is not None and isinstance(self._reading.db, EmptyDb):
            # one that came to be is found at once: nothing that was read before could differ from it
            if (found := open_existing(self.home)) is not None:
                self._reading.close()
                self._reading, self._looking = found, True
        elif self._reading is None or (self._looking and not self._reading.db.stands()):
            if self._reading is not None:
                self._reading.close()
            self._reading = open_reader(self.home)
        if self._looking:
            self._reading.chain()  # one that is damaged is told now, whatever is asked of it then
            self._looking = False
        return self._reading

    def backups(self) -> tuple[Sequence[Backup], Sequence[Problem]]:
        """Return the images, oldest first by the order of their changes, and what is wrong with the unusable ones."""
        from curator_tui.stores.hermes.hands import Hands
        from curator_tui.stores.hermes.images import list_images

        with Hands(self.home) as hands:
            folder = hands.backups()
            if folder is None:
                return (), ()
            found, problems = list_images(folder)
        order = {name: place for place, name in enumerate(self.backup_names())}
        found.sort(key=lambda image: order.get(image.id, len(order)))
        return found, problems

    def backup_names(self) -> Sequence[str]:
        """Return the ids of all images, damaged ones included, oldest first by the order of their changes."""
        made_by = self._made_by()
        places = self.book.places(set(made_by.values()))
        # a change may make two images; the one with a suffix is of an earlier state
        return sorted(made_by, key=lambda name: (places.get(made_by[name], 0), name.endswith(made_by[name]), name))

    def unknown_backups(self) -> Sequence[str]:
        """Return the ids of the images of changes that the book does not know, oldest first by their names.

        The book is looked at after the images, so that a change made meanwhile is known, or is still under way.
        """
        made_by = self._made_by()
        self.refresh()
        book = self.book
        if not made_by or book.recovery_pending():
            return ()
        known = book.places(set(made_by.values())) if book.rows(count=1) else {}
        return sorted(name for name, change in made_by.items() if change not in known)

    def _made_by(self) -> dict[str, str]:
        """Return the change of every image."""
        from curator_tui.stores.hermes.hands import Hands
        from curator_tui.stores.hermes.images import image_names

        with Hands(self.home) as hands:
            folder = hands.backups()
            return {} if folder is None else {name: image_parts(name)[0] for name in image_names(folder)}

    def backup(self, name: str) -> Backup | None:
        """Return one image, or None.

        Raises:
            Unreadable: it is damaged.
        """
        from curator_tui.stores.hermes.place import HomePlace

        return HomePlace(self.home).backup(name)

    def peek(self, request: Request) -> View:
        """Return the view a request would get, read without any lock: for previews, never for a change."""
        from curator_tui.stores.book.views import read_view
        from curator_tui.stores.hermes.place import HomePlace

        self.refresh()
        return read_view(HomePlace(self.home), self.book, request, self._settings.read().limits)

    def traces(self) -> Sequence[Trace]:
        """Return every ledger row about documents with what is still kept of them, oldest first."""
        from curator_tui.stores.book.traces import TraceReader
        from curator_tui.stores.hermes.place import HomePlace

        if self._tracing is None:
            self._tracing = TraceReader(HomePlace(self.home).images)
        return self._tracing.read(self.book)

    def held(self, row: Row) -> Held:
        """Return what is still kept of the texts that a ledger row names."""
        from curator_tui.stores.book.kept import held_for
        from curator_tui.stores.hermes.place import HomePlace

        return held_for(HomePlace(self.home).backup, self.book, row)

    def account_problems(self) -> Sequence[Problem]:
        """Return where the ledger and what is recorded of its changes beside texts do not agree.

        Raises:
            Unreadable: the book cannot be read, or lacks a part.
        """
        from curator_tui.stores.book.book import part_problems
        from curator_tui.stores.book.checking import recorded_problems

        return self.book.at_once(lambda book: [*part_problems(book.db), *recorded_problems(book)])

    def check(self) -> Sequence[Problem]:
        """Compare documents, book, queue, images and ledger with each other; empty when they agree."""
        from curator_tui.stores.hermes.checking import check_home

        return check_home(self.home, self.book)

    def probe(self) -> Sequence[str]:
        """Return what an operator should know of the home's files and is no disagreement."""
        from curator_tui.stores.hermes.probes import probe

        return tuple(probe(self.home, lambda: self.book))

    @property
    def claims(self) -> None:
        """A home has one curator at a time."""

    @property
    def skills(self) -> SkillFolders:
        """The skills of the home and its profiles."""
        from curator_tui.stores.hermes.skill_folders import SkillFolders

        return SkillFolders(self.binding, self.home)

    # -- changing ---------------------------------------------------------------------------------------------------

    @property
    def writer(self) -> Writer:
        """The writing half, loaded when the first change is made.

        Raises:
            WriteFailed: it cannot be loaded.
        """
        try:
            from curator_tui.stores.hermes.writer import Writer
        except (ImportError, OSError) as error:
            raise WriteFailed(
                "nothing was changed: the program's own files cannot be loaded any more.",
                way_out="Leave and start it again.",
            ) from error

        with self._turn:
            if self._writer is None:
                self._writer = Writer(self.home, self._settings, self._waits)
            return self._writer

    def transact(self, request: Request, plan: Planner) -> Receipt:
        """Carry out a request: the one call that changes memory; see :meth:`Writer.transact` for what it raises."""
        try:
            return self.writer.transact(request, plan)
        finally:
            self.refresh()

    def parcel(self) -> tuple[Parcel, tuple[str, ...]]:
        """Return everything the home holds of memory; see :meth:`Store.parcel`."""
        from curator_tui.stores.hermes.carrying import parcel_of_home

        self.refresh()
        return parcel_of_home(self.home, self.book)

    def keeps(self, parcel: Parcel) -> Parcel:
        """Return what of a parcel a home has a place for; see :meth:`Store.keeps`."""
        from curator_tui.stores.hermes.carrying import kept_in_a_home

        return kept_in_a_home(parcel)

    def recover(self, stamp: Stamp) -> Mended:
        """Finish or undo an interrupted change and remove leftovers; see :meth:`Writer.recover`."""
        try:
            return self.writer.recover(stamp)
        finally:
            self.refresh()

    def cancel(self) -> None:
        """Do nothing: whoever comes next finishes the change of a home, and no lock is waited for without end."""

    def close(self) -> None:
        """Release what is open."""
        # the writer last: only a last connection that may write folds the log away
        if self._reading is not None:
            self._reading.close()
            self._reading = None
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self.home.close()
