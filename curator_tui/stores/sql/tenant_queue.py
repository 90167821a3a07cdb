"""The queue of all people of a tenant, as a read model: the beginning of it that is wanted now, and no more.

Here: reading it, going on behind what was read, one record afresh. Not here: what a filter means (it is a test that is
handed in), states, decisions (each goes to the scope of its item).

An item has the name ``SCOPE.ITEM`` here: the beginning of the random name of its scope, and its own id. Not for
several threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from msgspec.structs import replace

from curator_tui.core.changes import Waiting
from curator_tui.core.proposals import Proposal
from curator_tui.stores.sql.records import read_proposal
from curator_tui.stores.sql.tenants import END, START, Key, Listed, Tenant

WINDOW = 300
"""Items that are read at first, and by which it grows when somebody comes near the end of them."""
# Items that are gone through at once: those that are read, and where a database looks for words by itself ever more.
_PORTION, _FIRST, _LARGEST, _CHUNK = 1000, 2000, 32_000, 300
_RARELY = 50
Fits = Callable[[Listed, Proposal], bool]


class TenantQueue:
    """The waiting records of a tenant from the oldest on.

    Args:
        tenant: returns what to read from; asked at every look.
    """

    def __init__(self, tenant: Callable[[], Tenant]) -> None:
        self._tenant = tenant
        self._listed: dict[str, Listed] = {}
        self._proposals: dict[str, Proposal] = {}
        self._fits: Fits | None = None
        self._scopes: Sequence[str] | None = None
        self._words: Sequence[str] = ()
        self._portion = _FIRST
        self._wanted = WINDOW
        self._first = self._behind = START
        self.ended = False
        """Whether nothing more waits behind what was read."""
        self._count_again = 0.0
        self.total = 0
        """Number of waiting proposals of all people when it was counted last."""
        self.people: dict[str, int] = {}
        """How often each fact of the window is proposed, where that is more than once, by :attr:`Listed.alike`."""

    def narrow(self, fits: Fits | None, scopes: Sequence[str] | None = None, words: Sequence[str] = ()) -> None:
        """Begin anew with what a filter lets through.

        Args:
            fits: the filter, None for none.
            scopes: where at most that can be, a few; None for everywhere.
            words: what stands in every record that it lets through (see :meth:`Tenant.matching`).
        """
        self._fits, self._scopes, self._words = fits, scopes, words
        self._listed, self._wanted = {}, WINDOW
        self._first = self._behind = START
        self._portion = _FIRST
        self.ended = False

    def turn_to(self, after: Key, count: int) -> None:
        """Begin behind a key, with so many items, at the next look."""
        self.narrow(None)
        self._first, self._wanted = after, count

    def last_key(self) -> Key | None:
        """Return the key of the last item that was read; None where nothing more waits behind it."""
        last = next(reversed(self._listed.values()), None)
        return None if self.ended or last is None else last.key

    def extend(self) -> None:
        """Read more at the next look: somebody came near the end of what was read."""
        if not self.ended and len(self._listed) >= self._wanted:
            self._wanted += WINDOW

    def scopes(self) -> set[str]:
        """Return the scopes that the window is about."""
        return {one.key.scope for one in self._listed.values()}

    def listed(self, name: str) -> Listed | None:
        """Return an item of the window as it was listed."""
        return self._listed.get(name)

    def peek(self, count: int) -> tuple[Sequence[Proposal], int]:
        """Read the ``count`` oldest records and return them, oldest first, with the number that waits."""
        tenant = self._tenant()
        self._count(tenant)
        found = tenant.page(START, count)
        self._listed = {one.name: one for one in found}
        self._read(tenant)
        return self.proposals(), self.total

    def refresh(self, *, thorough: bool = False) -> bool:  # noqa: ARG002 - every look is thorough: digests are compared
        """Look again; return whether anything in the window differs from the last look."""
        tenant = self._tenant()
        before = {name: one.digest for name, one in self._listed.items()}
        people = self.people
        self._count(tenant)
        if self._fits is None:
            found = tenant.page(self._first, self._wanted, self._scopes)
            self.ended = len(found) < self._wanted
            self._listed = {one.name: one for one in found}
        else:
            there = tenant.bodies((one.key.scope, one.key.item) for one in self._listed.values())
            self._listed = {
                name: one
                for name, one in self._listed.items()
                if (raw := there.get((one.key.scope, one.key.item))) is not None
                and read_proposal(name, raw).digest == one.digest
            }
        self._read(tenant)
        return before != {name: one.digest for name, one in self._listed.items()} or people != self.people

    def _count(self, tenant: Tenant) -> None:
        """Count what waits for all people, again only after a while where that takes long."""
        began = perf_counter()
        if began >= self._count_again:
            self.total = tenant.waiting()
            self._count_again = began + _RARELY * (perf_counter() - began)

    def counted_less(self, number: int) -> None:
        """Count so many less: they were decided here."""
        self.total = max(0, self.total - number)

    def _read(self, tenant: Tenant) -> None:
        """Read the records of the window that are not known yet, and for how many people each fact is proposed."""
        known = {
            name: one
            for name, listed in self._listed.items()
            if (one := self._proposals.get(name)) is not None and one.digest == listed.digest
        }
        wanted = {(one.key.scope, one.key.item): name for name, one in self._listed.items() if name not in known}
        written = tenant.written(wanted)
        for key, raw in tenant.bodies(wanted).items():
            known[wanted[key]] = _named(wanted[key], key[1], raw, written.get(key))
        self._listed = {name: one for name, one in self._listed.items() if name in known}
        self._proposals = known
        names = [one.alike for one in self._listed.values() if one.alike is not None]
        self.people = {name: count for name, count in tenant.how_many(names).items() if count > 1}

    def scan(self, budget: float) -> bool:
        """Go through what waits for what the filter lets through, for about so many seconds.

        Returns:
            Whether as much was found as is wanted now, or all there is.
        """
        if self._fits is None:
            return True
        tenant, until = self._tenant(), perf_counter() + budget
        found = len(self._listed)
        while not self.ended and len(self._listed) < self._wanted:
            self._scan_portion(tenant)
            if perf_counter() >= until:
                break
        if len(self._listed) != found:
            self._read(tenant)
        return self.ended or len(self._listed) >= self._wanted

    def _scan_portion(self, tenant: Tenant) -> None:
        assert self._fits is not None
        if self._words and self._scopes is None:
            last = tenant.key_behind(self._behind, self._portion)
            rows = tenant.matching(self._behind, last, self._words)
            self._portion = min(2 * self._portion, _LARGEST)
        else:
            rows = tenant.page(self._behind, _PORTION, self._scopes)
            last = rows[-1].key if len(rows) == _PORTION else END
        for at in range(0, len(rows), _CHUNK):
            self._test(tenant, rows[at : at + _CHUNK])
            if len(self._listed) >= self._wanted:
                return
        self._behind, self.ended = last, last == END

    def _test(self, tenant: Tenant, rows: Sequence[Listed]) -> None:
        assert self._fits is not None
        bodies = tenant.bodies((one.key.scope, one.key.item) for one in rows)
        for one in rows:
            raw = bodies.get((one.key.scope, one.key.item))
            if raw is not None:
                proposal = _named(one.name, one.key.item, raw)
                if self._fits(one, proposal):
                    self._listed[one.name], self._proposals[one.name] = one, proposal
            self._behind = one.key
            if len(self._listed) >= self._wanted:
                return

    def proposals(self) -> tuple[Proposal, ...]:
        """Return the proposals of the window, oldest first, unpinned as the records are."""
        return tuple(self._proposals[name] for name in self._listed)

    @staticmethod
    def parse(name: str, raw: bytes) -> Proposal:
        """Read the kept bytes of a record as they were read while it waited under that id."""
        return read_proposal(name, raw)

    @staticmethod
    def author(name: str, digest: str) -> str:  # noqa: ARG004 - the signature of the port
        """Return nothing: what was decided belongs to one memory, and is asked of the store of that one."""
        return ""

    def get(self, name: str) -> Waiting | None:
        """Read one record of the window afresh; None when it does not wait (any more)."""
        one = self._listed.get(name)
        if one is None:
            return None
        tenant, key = self._tenant(), (one.key.scope, one.key.item)
        raw = tenant.bodies([key]).get(key)
        return None if raw is None else Waiting(_named(name, one.key.item, raw, tenant.written([key]).get(key)), raw)


def _named(name: str, item: str, raw: bytes, written: tuple[str, str] | None = None) -> Proposal:
    author, trust = written or ("", "")
    return replace(read_proposal(item, raw), id=name, author=author, trust=trust)
