"""Together: one change that has a part in several scopes, as one transaction.

Here: the order in which their rows are locked, and what becomes of all parts when the answer to COMMIT is lost. Not
here: what happens within one scope (``transacting``), which scopes are meant.

The rows are locked in the order of the names of the scopes, so that two such changes wait for each other at the first
one they share and never crosswise. Each part has a row of its own in the ledger of its scope, all under one change id.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curator_tui.core.changes import Planner, Receipt
from curator_tui.core.errors import WriteFailed
from curator_tui.core.requests import Request
from curator_tui.stores.file_errors import way_out
from curator_tui.stores.sql.bounds import Bound
from curator_tui.stores.sql.database import Database, Unanswered
from curator_tui.stores.sql.scopes import Whose
from curator_tui.stores.sql.transacting import Patience, Transactor, replayed


class Part(NamedTuple):
    """What is asked of one scope: its name, whose it is, and the request."""

    scope: str
    whose: Whose
    request: Request


def transact_together(
    database: Database, tenant: str, parts: Sequence[Part], plan: Planner, patience: Patience | None = None
) -> list[Receipt]:
    """Carry out the requests of several scopes of a tenant, everything or nothing; a part that plans nothing is left.

    Returns:
        The answer of each scope, in the order of the parts.

    Raises:
        StoreError: as :meth:`Transactor.transact`, for all of it.
    """
    requests = {part.scope: part.request for part in parts}
    waits = patience or Patience()
    transactors = {part.scope: Transactor(database, part.whose, waits, part.scope) for part in parts}
    written: list[Part] = []

    def once() -> dict[str, Receipt]:
        written.clear()
        answers = {}
        with database.session(Bound(tenant)) as session:
            with database.cancellation.until_commit(session.interrupt):
                session.begin(waits.wait)
                for part in sorted(parts, key=lambda part: part.scope):
                    receipt, wrote = transactors[part.scope].within(session, part.request, plan)
                    answers[part.scope] = receipt
                    if wrote:
                        written.append(part)
            (session.commit if written else session.rollback)()
        return answers

    try:
        found = replayed(once, waits.wait)
    except Unanswered as error:
        # all of it was stored or nothing, so that one part tells of all
        transactors[written[0].scope].answer(written[0].request, error)
        known = {scope: transactor.stored(requests[scope]) for scope, transactor in transactors.items()}
        return [known[part.scope] or Receipt(None, part.request.kind) for part in parts]
    except OSError as error:
        raise WriteFailed(f"nothing was changed: {error.strerror}.", way_out=way_out(error)) from error
    return [found[part.scope] for part in parts]
