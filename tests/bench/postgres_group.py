"""Group ``postgres``: approvals of several clients, pages of a long queue and batches, beside the bare statements.

Run by ``python -m tests.bench --postgres``. The server is one of our own on a real disk, and syncs. Figures of several
clients are milliseconds an approval takes all of them together: one second divided by what was done in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from curator_tui.core.requests import Decision, Verb
from tests.bench import postgres_clients as clients
from tests.bench import postgres_world as world
from tests.bench.rows import Row, Skipped, compared, interleaved, timed
from tests.bench.workplace import Workplace, file_system
from tests.postgres import Server

_SHARE = 0.6
_PAGE = 50
_FIRST = 6  # approvals of each client before it is timed: statements are prepared by then
_OLDEST = """
    SELECT id, body FROM memory_proposals WHERE scope = %(scope)s ORDER BY ordered_at, id LIMIT 50
"""
_WAITING = "SELECT waiting FROM memory_waiting WHERE scope = %(scope)s"


def measure(place: Workplace) -> Iterator[Row | Skipped]:
    """Measure approvals, pages, batches, and tables in parts."""
    with world.server_on(place.scratch) as server:
        yield from _approvals(place, server)
        yield from _pages(place, server)
        yield from _batches(place, server)
        yield from _parts(place, server)


def _approvals(place: Workplace, server: Server) -> Iterator[Row]:
    each, sizes = place.times(120), (1, 2) if place.quick else (1, 5, 8)
    most = sizes[-1]
    source = world.few(server, most, _FIRST + each)
    ready = world.copy_of(server, source)
    clients.per_second(most, clients.approving, ready, 0, _FIRST)  # every copy begins behind the first approvals
    _, kept = clients.per_second(most, clients.recording, world.copy_of(server, source), _FIRST, each)
    journeys = _journeys(kept[0][-1])
    for count in sizes:
        ours, _ = clients.per_second(count, clients.approving, world.copy_of(server, source), _FIRST, each)
        bare, _ = clients.per_second(count, clients.repeating, world.copy_of(server, ready), kept)
        best, _ = clients.per_second(count, clients.combined, world.copy_of(server, ready), kept)
        named = f"one approve, {count} client{'s' if count > 1 else ''}"
        note = f"{ours:.0f}/s against {bare:.0f}/s; {journeys}; on {file_system(place.scratch)}"
        yield Row(f"{named}, same statements", 1e3 / ours, 1e3 / bare, note=note)
        note = f"{ours:.0f}/s of {best:.0f}/s: {ours / best:.0%}"
        yield Row(f"{named}, one combined statement", 1e3 / ours, 1e3 / best, 1 / _SHARE, note=note)


def _journeys(events: object) -> str:
    """Say how many journeys and statements an approval takes."""
    count = statements = depth = 0
    assert isinstance(events, list)
    for verb, *_ in events:
        statements += verb == "execute"
        count += verb == "end" or (verb == "execute" and depth == 0) or (verb == "commit" and depth == 0)
        depth += {"begin": 1, "end": -1}.get(verb, 0)
    return f"{count} journeys, {statements} statements"


def _pages(place: Workplace, server: Server) -> Iterator[Row]:
    """Read the first page and the count of people with a long queue, among all who have one."""
    items, people, busy = (2_000, 40, 10) if place.quick else (1_000_000, 100_000, 1_000)
    url = world.many(server, items, people, busy)
    stores = [world.store_of(url, world.person(number)) for number in range(busy)[:20]]
    scopes = [store.book.scope for store in stores]
    turns = iter(range(10_000_000))
    with clients.opened(server.keeper(url)) as plain:

        def page() -> float:
            return timed(lambda: stores[next(turns) % len(stores)].queue.peek(_PAGE))

        def bare_page() -> float:
            scope = scopes[next(turns) % len(scopes)]
            return timed(lambda: [json.loads(body) for _, body in plain.execute(_OLDEST, {"scope": scope})])

        def count() -> float:
            return timed(stores[next(turns) % len(stores)].queue.count)

        def bare_count() -> float:
            scope = scopes[next(turns) % len(scopes)]
            return timed(lambda: plain.execute(_WAITING, {"scope": scope}).fetchone())

        for job in (page, bare_page, count, bare_count) * 6:
            job()
        bare, ours = interleaved(place.times(200), bare_page, page)
        among = f"{items:,} items of {people:,} people"
        yield compared(f"page of {_PAGE} with its count", bare, ours, 2.0, note=f"among {among}; floor: query and JSON")
        bare, ours = interleaved(place.times(200), bare_count, count)
        yield compared("count of what waits", bare, ours, 2.0, note=f"among {among}")
    for store in stores:
        store.close()


def _batches(place: Workplace, server: Server) -> Iterator[Row]:
    size, times = (5, 2) if place.quick else (100, 10)
    url = world.few(server, 2, size * times + times + 2)
    alone, together = world.desk_of(url, world.person(0)), world.desk_of(url, world.person(1))
    singles, plans = iter(range(size * times + times)), iter(range(0, size * times, size))

    def single() -> float:
        return timed(lambda: alone.decide([Decision(world.item(next(singles)), Verb.APPROVE)]))

    def batch() -> float:
        begin = next(plans)
        decisions = [Decision(world.item(number), Verb.APPROVE) for number in range(begin, begin + size)]
        return timed(lambda: together.decide(decisions))

    singly, jointly = interleaved(times, single, batch)
    yield compared(f"{size} as one change, against one alone", singly, jointly)
    alone.close()
    together.close()


def _parts(place: Workplace, server: Server) -> Iterator[Row]:
    """Approve in a database whose tables are cut into parts, beside one whose tables are whole."""
    times, parts = place.times(100), 16
    desks = [world.desk_of(world.few(server, 1, _FIRST + times, cut), world.person(0)) for cut in (0, parts)]
    turns = [iter(range(_FIRST + times)) for _ in desks]

    def approve(which: int) -> float:
        return timed(lambda: desks[which].decide([Decision(world.item(next(turns[which])), Verb.APPROVE)]))

    for _ in range(_FIRST):
        approve(0), approve(1)
    whole, cut = interleaved(times, lambda: approve(0), lambda: approve(1))
    yield compared(f"one approve, tables in {parts} parts, against whole ones", whole, cut)
    for desk in desks:
        desk.close()
