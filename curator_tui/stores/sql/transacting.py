"""Transacting: one change, one transaction, whatever happens to the other programs, the connection or the server.

Here: the order of a change, what is replayed, what an answer that did not come means. Not here: the statements, what a
request gets to see (``book.views``), rules (``core``): nothing is compared or decided here.

The order: lock the scope's row, look for an answer this operation id got before, read the view, plan, write documents
(by compare and set), images, queue, the book with its ledger rows, the scope's row, commit. Whatever fails before the
commit leaves nothing. Every writer of a scope waits at its row and reads behind that, so correctness does not rest on
the isolation level.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from curator_tui.core.changes import Change, Planner, Receipt, View
from curator_tui.core.errors import Locked, StoreError, Unfinished, WriteFailed
from curator_tui.core.requests import Kind, Request
from curator_tui.core.two_persons import plan_under
from curator_tui.stores.book.entries import entry_of
from curator_tui.stores.book.views import read_view
from curator_tui.stores.failpoints import hit
from curator_tui.stores.file_errors import way_out
from curator_tui.stores.sql import scopes
from curator_tui.stores.sql.book import ScopeWriter
from curator_tui.stores.sql.carrying import store_parcel
from curator_tui.stores.sql.database import WAIT_SECONDS, Again, Database, Session, Unanswered
from curator_tui.stores.sql.documents import write_document
from curator_tui.stores.sql.foresight import looks_for
from curator_tui.stores.sql.images import add_images
from curator_tui.stores.sql.place import ScopePlace
from curator_tui.stores.sql.queue import return_records, take_records
from curator_tui.stores.sql.scopes import Scope, Whose
from curator_tui.stores.sql.two_persons import forget, note, noted_in, rules_of

_GLANCE_SECONDS = 0.1
_SHORTEST, _LONGEST = 0.002, 0.2
R = TypeVar("R")


class Patience(Struct):
    """How long is waited.

    Attributes:
        wait: seconds for another transaction, replays included.
        answer: seconds for a database to come back and say what became of a COMMIT.
    """

    wait: float = WAIT_SECONDS
    answer: float = 15.0


class Transactor:
    """Changes one scope; :meth:`transact` may be called from any thread.

    Args:
        database: where.
        mine: whose.
        patience: how long is waited.
        name: of the scope, where it is known already: then its row and what is looked at behind it make one journey.
    """

    def __init__(self, database: Database, mine: Whose, patience: Patience, name: str = "") -> None:
        self.patience = patience
        self._database = database
        self._mine = mine
        self._turn = threading.Lock()
        self._name = name

    def transact(self, request: Request, plan: Planner) -> Receipt:
        """Carry out a request: the one call that changes memory.

        Raises:
            Locked: others hold the scope for longer than we wait.
            Unreadable: something that is needed cannot be read.
            WriteFailed: nothing was changed.
            Cancelled: it was given up before it was stored.
            Unfinished: nobody can be asked whether the change was stored.
        """
        wait = self.patience.wait
        if request.kind is Kind.OBSERVE:  # what only records what is there is made again later, and keeps nobody
            wait = min(wait, _GLANCE_SECONDS)
        with self._turn:
            try:
                return replayed(lambda: self._once(request, plan, wait), wait)
            except Unanswered as error:
                return self.answer(request, error)
            except OSError as error:
                raise WriteFailed(f"nothing was changed: {error.strerror}.", way_out=way_out(error)) from error

    def unlocked(self, act: Callable[[Session, Scope], R]) -> R:
        """Do something in a transaction that keeps nobody from changing the scope, and store it.

        Raises:
            Locked: others were in the way for longer than we wait.
            WriteFailed: it was not stored, or nobody knows.
        """

        def once() -> R:
            with self._database.session(self._mine.bound) as session:
                with self._database.cancellation.until_commit(session.interrupt):
                    session.begin(self.patience.wait)
                    done = act(session, scopes.enter(session, self._mine))
                    session.send()
                session.commit()
                return done

        with self._turn:
            try:
                return replayed(once, self.patience.wait)
            except Unanswered as error:
                raise WriteFailed("whether it was stored is not known.", way_out="Look again.") from error

    def _once(self, request: Request, plan: Planner, wait: float) -> Receipt:
        with self._database.session(self._mine.bound) as session:
            with self._database.cancellation.until_commit(session.interrupt):
                session.begin(wait)
                receipt, written = self.within(session, request, plan)
            if written:
                session.commit()
            else:
                session.rollback()
            return receipt

    def within(self, session: Session, request: Request, plan: Planner) -> tuple[Receipt, bool]:
        """Carry out a request in a transaction that was begun, and goes on; return the answer, and whether it wrote.

        Raises:
            Again: the transaction cannot go on beside another one.
            StoreError: nothing of it may be stored.
        """
        if self._name:
            session.foresee(looks_for(request, self._name, self._mine, session.for_update))
        scope = scopes.lock(session, self._mine)
        hit("locked")
        if scope.name != self._name:  # the first time, and never again: a name stays
            self._name = scope.name
            session.foresee(looks_for(request, scope.name, self._mine, session.for_update))
        book = ScopeWriter(session, scope.name)
        book.foresee()
        known = None if scope.fresh else book.receipt(request.stamp.operation)
        if known is not None:
            return known, False
        place = ScopePlace(book, self._mine)
        view = read_view(place, book, request, scope.limits)
        change, noted = self._under_rules(session, scope.name, view, request, plan)
        hit("planned")
        if change.empty:
            session.send()
            return change.receipt, noted
        if not change.rows and (change.documents or change.closed or change.returned or change.images):
            raise ValueError("no ledger row, no change")
        self._database.cancellation.check()
        try:
            self._write(session, scope, place, change, request)
        except StoreError as error:
            raise WriteFailed(f"nothing was changed: {error.message}", way_out=error.way_out) from error
        return change.receipt, True

    def _under_rules(
        self, session: Session, scope: str, view: View, request: Request, plan: Planner
    ) -> tuple[Change, bool]:
        """Plan a request under the rules of the tenant; return whether a first approval was noted instead."""
        rules = rules_of(session, self._mine.tenant) if request.kind is Kind.DECIDE else frozenset()
        if not rules:
            return plan(view, request), False
        held = plan_under(rules, noted_in(session, scope, request.proposals), plan, view, request)
        note(session, scope, held.noted)
        forget(session, scope, [part.proposal for part in held.change.closed])
        return held.change, bool(held.noted)

    def _write(
        self, session: Session, scope: Scope, place: ScopePlace[ScopeWriter], change: Change, request: Request
    ) -> None:
        book = place.book
        revisions, head = dict(scope.revisions), book.head()
        if change.parcel is not None:
            revisions.update(dict.fromkeys(change.parcel.documents, _next(*revisions.values())))
            store_parcel(session, place, self._mine, change.parcel, max(revisions.values()))
            book.forget()
        for target, raw in change.documents.items():
            row = place.rows.get(target)
            revisions[target] = _next(revisions[target], 0 if row is None else row.revision)
            write_document(session, self._mine, target, row, raw=raw, revision=revisions[target])
            hit("document_written")
        add_images(session, scope.name, change.id, request.stamp.at, change.images)
        take_records(session, scope.name, change.closed)
        return_records(session, scope.name, change.returned)
        hit("queue_written")
        book.record(*entry_of(change, request, book.known_texts()))
        hit("recorded")
        # where the two did not agree before, what was noted stays as evidence: a ledger that was cut looks whole
        scopes.note(session, scope, revisions, book.head() if head == scope.head else scope.head)
        hit("prepared")

    def answer(self, request: Request, error: Unanswered) -> Receipt:
        """Find out what became of a change whose COMMIT got no answer: by its operation id, over a new connection.

        The row of the scope is locked first, so that a transaction that is still under way is waited for. The lock
        makes the row where there is none, because one that is under way may be making it.
        """
        until = time.monotonic() + self.patience.answer
        while True:
            try:
                receipt = replayed(lambda: self.stored(request), self.patience.wait)
            except (StoreError, OSError, Unanswered) as second:
                if time.monotonic() >= until:
                    raise Unfinished(
                        "the database gave no answer, so whether the change was stored is not known.",
                        code="unknown-outcome",
                        way_out="Look again when it answers: curator-tui ledger. Nothing is stored twice.",
                    ) from second
                time.sleep(_LONGEST)
                continue
            if receipt is not None:
                return receipt
            cause = error.__cause__
            raise WriteFailed(
                "nothing was changed: the database did not take the change.",
                way_out=way_out(cause) if isinstance(cause, OSError) else "Try again.",
            ) from error

    def stored(self, request: Request) -> Receipt | None:
        """Return the answer a request got before, from a scope that nobody changes at this moment; None for none."""
        with self._database.session(self._mine.bound) as session:
            session.settle()
            session.begin(self.patience.wait)
            scope = scopes.lock(session, self._mine)
            receipt = ScopeWriter(session, scope.name).receipt(request.stamp.operation)
            session.rollback()
            return receipt


def _next(*revisions: int) -> int:
    """Return a revision that none of these ever was."""
    return max(revisions) + 1


def replayed(once: Callable[[], R], wait: float) -> R:
    """Run a transaction, the whole of it again where the database says so, for a bounded time.

    The pause before each replay grows and is drawn by chance, so that those who were in each other's way part.

    Raises:
        Locked: it was in the way of others for longer than we wait.
    """
    until, pause = time.monotonic() + wait, _SHORTEST
    while True:
        try:
            return once()
        except Again as error:
            if time.monotonic() >= until:
                raise Locked(
                    "other curators change this memory all the time; nothing was changed.",
                    way_out="Try again in a moment.",
                ) from error
        time.sleep(random.uniform(0, pause))  # noqa: S311 - a pause is no secret
        pause = min(2 * pause, _LONGEST)
