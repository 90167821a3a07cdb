"""Questions: what disputed entries ask of a curator, held against the documents as they are.

Here: an open question as it is looked at, its id. Not here: which are open (``asides``), asking and answering them
(``challenges``).
"""

from __future__ import annotations

from msgspec import Struct

from curator_tui.core.asides import Challenge
from curator_tui.core.documents import entry_id
from curator_tui.core.likeness import nearest
from curator_tui.core.preflight import Snapshot


class Question(Struct, frozen=True):
    """One open question beside the documents as they are.

    Attributes:
        challenge: what is disputed, why and by whom.
        present: whether the entry stands there as it was disputed; None where its document cannot be read.
        nearest: for one that does not, the entry that seems to stand in its place, or None.
    """

    challenge: Challenge
    present: bool | None
    nearest: str | None = None

    @property
    def id(self) -> str:
        """Id of the question."""
        return self.challenge.question

    @property
    def entry_id(self) -> str | None:
        """Printed id of the disputed entry; None when its text is not kept any more."""
        return None if self.challenge.entry is None else entry_id(self.challenge.entry)


def question_at(challenge: Challenge, snapshot: Snapshot) -> Question:
    """Look for the entry of a question."""
    document = snapshot.document(challenge.target)
    if not document.usable:
        return Question(challenge, None)
    if challenge.entry is None or document.position(challenge.entry) is not None:
        return Question(challenge, challenge.entry is not None)
    found = nearest([challenge.entry], document.entries)
    return Question(challenge, False, found[0] if found is not None else None)


def question_id(change: str) -> str:
    """Return the id of the question that a change asks: random, as the id of the change is."""
    return f"q-{change[:12]}"
