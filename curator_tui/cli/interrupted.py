"""An interrupt that came after something was handed to the store: what became of it.

Here: looking that up and telling it. Not here: which exit code it ends with (``root``). Before anything was handed over
an interrupt is quiet: nothing was changed, and whoever pressed the key knows that they did.
"""

from __future__ import annotations

from curator_tui.cli.session import Session
from curator_tui.core.changes import Receipt
from curator_tui.core.errors import CuratorError
from curator_tui.curator.desk import Desk

_SEE = "See: curator-tui ledger"


def tell_interrupted(session: Session) -> None:
    """Say whether what was asked for is done, as the store tells it now; the answer itself is given where it can be."""
    if not session.operation:
        return
    try:
        _tell(session)
    except KeyboardInterrupt:
        session.output.note(f"interrupted; what was asked for may be done. {_SEE}")
    finally:
        session.close()


def _tell(session: Session) -> None:
    from curator_tui.curator.history import answer_to

    operation, output = session.operation, session.output
    try:
        desk = session.desk(telling=False)
        # in this order: another process may finish the change between the two looks
        pending = desk.recovery_pending()
        receipt = answer_to(desk, operation)
    except CuratorError as error:
        _say(session, f"what was asked for may be done, and the store cannot be read: {error.message}", _SEE)
        return
    if receipt is not None:
        _tell_done(session, desk, receipt)
    elif pending:
        # whoever has the store locked may be finishing it at this moment: no more than this is certain
        _say(
            session,
            "a change is begun; it is finished or undone as a whole.",
            "The next verb that writes does so, or: curator-tui doctor --repair",
        )
    elif not output.begun:
        _say(session, "nothing was changed.", "")


def _say(session: Session, words: str, way_out: str) -> None:
    """Say it in the form that was asked for; on stderr where an answer stands on stdout already."""
    output = session.output
    if output.begun:
        output.note(f"interrupted: {words} {way_out}".rstrip())
    else:
        output.error("interrupted", f"interrupted: {words}", way_out)


def _tell_done(session: Session, desk: Desk, receipt: Receipt) -> None:
    from curator_tui.cli.answers import tell

    output = session.output
    if output.begun:
        output.note(f"interrupted after what was asked for was carried out. {_SEE}")
        return
    output.note("interrupted after it was carried out; this is what became of it:")
    tell(session, desk, receipt)
