"""The list of verbs: where each lives and what it does in one line, so that help imports none of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class VerbPlace(NamedTuple):
    """Where a verb lives.

    Attributes:
        module: module inside this package.
        attribute: name of the click command there.
        summary: one line for the list of verbs.
        opens_home: whether it works at the home that the command line names.
    """

    module: str
    attribute: str
    summary: str
    opens_home: bool = True


# In the order in which a person meets them.
VERBS: Mapping[str, VerbPlace] = {
    "demo": VerbPlace("start", "demo", "Build a sample home and open the application on it.", False),
    "review": VerbPlace("review", "review", "Work the queue; --plain does it line by line, without a screen."),
    "status": VerbPlace("status", "status", "How many writes wait, of which state, the gate, how full memory is."),
    "memory": VerbPlace("memory", "memory", "The two documents, entry by entry."),
    "pending": VerbPlace("pending", "pending", "The writes that wait for a decision, with their states."),
    "show": VerbPlace("show", "show", "One waiting write: what it would really do."),
    "evidence": VerbPlace("evidence", "evidence", "The messages behind a waiting write."),
    "approve": VerbPlace("approve", "approve", "Apply waiting writes, as one change."),
    "reject": VerbPlace("decide", "reject", "Reject waiting writes."),
    "log-only": VerbPlace("decide", "log_only", "Close waiting writes without writing, with a ledger row."),
    "defer": VerbPlace("decide", "defer", "Defer waiting writes until a day, or until you reopen them."),
    "reopen": VerbPlace("decide", "reopen", "Return decided or deferred writes to the queue."),
    "undo": VerbPlace("revert", "undo", "Undo a change, entry by entry (your newest by default)."),
    "redo": VerbPlace("revert", "redo", "Redo what you undid last."),
    "add": VerbPlace("correct", "add", "Add an entry of your own."),
    "replace": VerbPlace("correct", "replace_entry", "Put a text of your own in the place of an entry."),
    "remove": VerbPlace("correct", "remove", "Remove an entry."),
    "challenge": VerbPlace("challenge", "challenge", "Dispute an entry: a question that waits for an answer."),
    "answer": VerbPlace("challenge", "answer", "Answer a question: keep the entry, correct it, or remove it."),
    "backups": VerbPlace("backups", "backups", "The backups of both documents, one before each change."),
    "diff": VerbPlace("backups", "diff", "What differs between two backups, or a backup and now."),
    "rollback": VerbPlace("backups", "rollback", "Roll the documents back to a backup."),
    "ledger": VerbPlace("ledger", "ledger", "The record of every decision; verify, checkpoint, export."),
    "export": VerbPlace("moving", "export", "Everything of this memory into a file, to be moved or kept elsewhere."),
    "import": VerbPlace("moving", "import_", "Make what was exported the memory of an empty place, with its history."),
    "learned": VerbPlace("learned", "learned", "Everything learned: entries and skills, since when and from whom."),
    "profiles": VerbPlace("profiles", "profiles", "Every profile of the home: what waits, how full, last decision."),
    "skills": VerbPlace("skills", "skills", "The skill writes that wait, and the skills that are installed."),
    "prompt": VerbPlace("memory", "prompt", "Exactly the block the model gets to read."),
    "scan": VerbPlace("scan", "scan", "Scan texts (JSON Lines) as waiting writes are scanned.", False),
    "keys": VerbPlace("keys", "keys", "Every key of the application, as a map to change; --check checks one.", False),
    "serve": VerbPlace("serve", "serve", "The application in a browser, read only unless told otherwise."),
    "db": VerbPlace("db", "db", "Make, upgrade and check the tables of the database that --db names.", False),
    "doctor": VerbPlace("doctor", "doctor", "Check store, book, queue and ledger against each other."),
}
