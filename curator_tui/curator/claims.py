"""Claims of a desk: who else looks at what, and saying that this desk looks at something.

Here: that no claim ever fails anything: where it cannot be read or noted there is none. Not here: how long one lasts
(the stores), what is said of it (the surfaces).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from curator_tui.core.errors import StoreError
from curator_tui.stores.port import Claims

RENEW_SECONDS = 20.0
"""After so long what is still looked at is said again; a claim lasts three times as long."""


class DeskClaims:
    """The claims of one desk; of a store with one curator at a time there are none.

    Args:
        claims: those of the store.
        holder: returns who sits at the desk; empty for somebody who only looks, and of whom nothing is noted.
        clock: UTC seconds.

    Attributes:
        known: who else looked at what when that was read last, by item id.
    """

    def __init__(self, claims: Claims | None, holder: Callable[[], str], clock: Callable[[], float]) -> None:
        self.known: Mapping[str, str] = {}
        self._claims = claims
        self._holder = holder
        self._clock = clock
        self._taken = ("", 0.0)

    def look(self) -> Mapping[str, str]:
        """Read who else looks at what, by item id; nothing where it cannot be read."""
        try:
            self.known = {} if self._claims is None else self._claims.held()
        except StoreError:
            self.known = {}
        return self.known

    def take(self, name: str) -> None:
        """Say that this desk looks at an item, where nobody else does; said again only after a while."""
        item, at = self._taken
        holder = self._holder()
        if self._claims is None or not holder or (item == name and 0 <= self._clock() - at < RENEW_SECONDS):
            return
        self._taken = (name, self._clock())
        try:
            self._claims.take(name, holder)
        except StoreError:
            self._taken = ("", 0.0)

    def first_free(self, names: Sequence[str]) -> str | None:
        """Return the first item that nobody else looks at, and say that this desk does; None where there is none."""
        if self._claims is None or not names:
            return next(iter(names), None)
        if not (holder := self._holder()):
            held = self.look()
            return next((name for name in names if name not in held), None)
        try:
            found = self._claims.take_first(names, holder)
        except StoreError:
            return names[0]
        self._taken = (found or "", self._clock())
        return found

    def release(self) -> None:
        """Say that this desk looks at nothing any more."""
        self._taken = ("", 0.0)
        if self._claims is not None:
            try:
                self._claims.release()
            except StoreError:
                return  # it ends by itself
