"""The one tree of errors, drawn here; every surface maps it the same way.

::

    CuratorError                       code, message, way_out; exit_code
    ├── UsageError              2      the request itself cannot be carried out as written
    │   ├── UnknownItem                no waiting item, entry, backup or change has that name
    │   ├── ReadOnly                   the desk was opened for looking only
    │   └── NotAllowed                 whoever asks may not ask for that
    └── StoreError              3      the store cannot be opened, read, locked or finished
        ├── NoStore                    there is no home, profile or database at that place
        ├── Unreadable                 a file or row cannot be read or decoded; never taken for empty
        ├── Locked                     another process holds the lock longer than we wait
        ├── WriteFailed                nothing was changed
        │   └── Cancelled              because nobody waited for it any more
        ├── Unfinished                 the change passed its commit point; the next start finishes it
        └── NewerStore                 written by a newer version; refused, untouched

Rules: ``code`` is stable (scripts match on it); ``message`` names the thing and the cause; ``way_out`` says what a
person can do next. Messages may quote text from a store only through :func:`curator_tui.core.text.visible`.
"""

from __future__ import annotations


class CuratorError(Exception):
    """Base of all errors a surface may show; its text is safe to print.

    Attributes:
        code: stable identifier, lower case words joined by hyphens.
        message: one sentence that names the thing and the cause.
        way_out: what the person can do next; may be empty.
        exit_code: what the command line exits with (``design``: 1 not applied, 2 usage, 3 store).
    """

    code = "error"
    exit_code = 1

    def __init__(self, message: str, *, way_out: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.way_out = way_out
        if code is not None:
            self.code = code

    def __str__(self) -> str:
        return f"{self.message} {self.way_out}".rstrip()


class UsageError(CuratorError):
    """The request cannot be carried out as written; nothing was tried."""

    code = "usage"
    exit_code = 2


class UnknownItem(UsageError):
    """No waiting item, entry, backup or change has the given name."""

    code = "unknown-item"


class ReadOnly(UsageError):
    """The desk was opened for looking only: nothing is decided, written or repaired through it."""

    code = "read-only"

    def __init__(self) -> None:
        super().__init__("This desk is open for looking only (--read-only).", way_out="Decide without --read-only.")


class NotAllowed(UsageError):
    """Whoever asks may not ask for that; nothing was tried."""

    code = "not-allowed"


class StoreError(CuratorError):
    """The store cannot be opened, read, locked or finished."""

    code = "store"
    exit_code = 3


class NoStore(StoreError):
    """There is no home, profile or database at that place; nothing was created."""

    code = "no-store"


class Unreadable(StoreError):
    """A file or row cannot be read or decoded; it is never taken for empty."""

    code = "unreadable"


class Locked(StoreError):
    """Another process holds the lock for longer than we wait; names the holder where known."""

    code = "locked"


class WriteFailed(StoreError):
    """A change failed before its commit point: nothing was changed."""

    code = "write-failed"


class Cancelled(WriteFailed):
    """A change was given up before it was stored, because whoever asked for it left; nothing was changed."""

    code = "cancelled"

    def __init__(self) -> None:
        super().__init__("nothing was changed: it was given up before it was stored.", way_out="Decide it again.")


class Unfinished(StoreError):
    """A change passed its commit point but could not be completed; the next start finishes it."""

    code = "unfinished"


class NewerStore(StoreError):
    """The store was written by a newer version; it is left untouched."""

    code = "newer-store"
