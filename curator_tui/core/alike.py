"""Alike: whether two people are proposed the same fact.

Here: the name under which proposals of the same fact find each other, across all scopes of a tenant. Not here: groups
within one scope (``proposals``), deciding about many at once.
"""

from __future__ import annotations

import unicodedata

from curator_tui.core.ledger import digest_of
from curator_tui.core.operations import Action
from curator_tui.core.proposals import Proposal

_LENGTH = 32


def alike(proposal: Proposal) -> str | None:
    """Return what proposals of the same fact share: the document, and its text after NFKC with blanks folded.

    None for what is no single addition: what changes or removes an entry means another one for each person.
    """
    if proposal.problem is not None or len(proposal.operations) != 1:
        return None
    only = proposal.operations[0]
    if only.action is not Action.ADD or not only.content:
        return None
    text = " ".join(unicodedata.normalize("NFKC", only.content).split())
    return digest_of([str(only.target), text])[:_LENGTH]
