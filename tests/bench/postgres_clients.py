"""Clients of a server: processes that approve item after item, that repeat what was recorded of one, and the ceiling.

Here: what runs in each process, recording the statements of an approval, and making one statement of all that it
writes. Not here: worlds (``postgres_world``), rows of the table.
"""

from __future__ import annotations

import multiprocessing
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import psycopg

from curator_tui.core.requests import Decision, Verb
from tests.bench.postgres_world import desk_of, item, person

Event = tuple[str, bool, Any, Any]
"""What was done: a verb, whether on the writing connection, and for a statement its text and values."""
Work = Callable[[], object]
_PARAMETER = re.compile(rb"%\((\w+)\)s")
_CONTEXT = multiprocessing.get_context("spawn")


def per_second(clients: int, prepare: Callable[..., Sequence[Work]], *arguments: Any) -> tuple[float, list[Any]]:
    """Let some clients do their work at the same time; return how much was done a second, and what they brought back.

    Args:
        clients: how many.
        prepare: called in each process with its number and the arguments; returns its pieces of work.
        arguments: for ``prepare``.
    """
    ready, answers = _CONTEXT.Barrier(clients), _CONTEXT.Queue()
    crew = [
        _CONTEXT.Process(target=_client, args=(number, ready, answers, prepare, arguments)) for number in range(clients)
    ]
    for one in crew:
        one.start()
    found = sorted((answers.get(timeout=300) for _ in crew), key=lambda answer: answer[0])
    for one in crew:
        one.join()
    if wrong := [words for _, words, *_ in found if words]:
        raise AssertionError(min(wrong, key=lambda words: "BrokenBarrier" in words))
    begun, ended = min(one[2] for one in found), max(one[3] for one in found)
    return sum(len(one[4]) for one in found) / (ended - begun), [one[4] for one in found]


def _client(number: int, ready: Any, answers: Any, prepare: Callable[..., Sequence[Work]], arguments: Any) -> None:
    try:
        work = prepare(number, *arguments)
        ready.wait(timeout=120)
        begin = time.monotonic()
        brought = [piece() for piece in work]
        answers.put((number, "", begin, time.monotonic(), brought))
    except Exception as error:
        ready.abort()
        answers.put((number, repr(error), 0.0, 0.0, []))


# -- ours ----------------------------------------------------------------------------------------------------------


def approving(number: int, url: str, begin: int, count: int) -> Sequence[Work]:
    """Approve items of a person of one's own, one by one, by the desk; the first of all is no part of it."""
    desk = desk_of(url, person(number))
    for place in range(begin):
        _approve(desk, place)
    return [lambda place=place: _approve(desk, place) for place in range(begin, begin + count)]  # type: ignore[misc]


def _approve(desk: Any, place: int) -> None:
    assert desk.decide([Decision(item(place), Verb.APPROVE)]).done


def recording(number: int, url: str, begin: int, count: int) -> Sequence[Work]:
    """Approve as :func:`approving` does; each piece of work returns what was sent for it."""
    desk = desk_of(url, person(number))
    with recorded() as events:
        for place in range(begin):
            _approve(desk, place)

        def one(place: int) -> list[Event]:
            events.clear()
            with _recording_into(events):
                _approve(desk, place)
            return list(events)

        return [lambda place=place: one(place) for place in range(begin, begin + count)]  # type: ignore[misc]


@contextmanager
def recorded() -> Iterator[list[Event]]:
    """Give a list that :func:`_recording_into` fills."""
    yield []


@contextmanager
def _recording_into(events: list[Event]) -> Iterator[None]:
    kept = {name: getattr(psycopg.Connection, name) for name in ("execute", "commit", "pipeline")}

    def execute(self: Any, query: Any, params: Any = None, **more: Any) -> Any:
        events.append(("execute", not self.autocommit, query, params))
        return kept["execute"](self, query, params, **more)

    def commit(self: Any) -> None:
        events.append(("commit", not self.autocommit, None, None))
        kept["commit"](self)

    @contextmanager
    def pipeline(self: Any) -> Iterator[Any]:
        events.append(("begin", not self.autocommit, None, None))
        with kept["pipeline"](self) as found:
            yield found
        events.append(("end", not self.autocommit, None, None))

    patched: dict[str, Any] = {"execute": execute, "commit": commit, "pipeline": pipeline}
    for name, function in patched.items():
        setattr(psycopg.Connection, name, function)
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(psycopg.Connection, name, function)


# -- the floors ----------------------------------------------------------------------------------------------------


def repeating(number: int, url: str, kept: Sequence[Sequence[Sequence[Event]]]) -> Sequence[Work]:
    """Send what was recorded of each approval again, in the same journeys, with nothing around it."""
    writing, reading = psycopg.connect(url), psycopg.connect(url, autocommit=True)
    return [lambda events=events: _repeat(writing, reading, events) for events in kept[number]]  # type: ignore[misc]


def _repeat(writing: Any, reading: Any, events: Sequence[Event]) -> None:
    pipelines: list[Any] = []
    cursors: list[Any] = []
    for verb, writes, query, params in events:
        connection = writing if writes else reading
        if verb == "begin":
            pipelines.append(connection.pipeline())
            pipelines[-1].__enter__()
        elif verb == "execute":
            cursors.append(connection.execute(query, params))
        elif verb == "commit":
            connection.commit()
        else:
            pipelines.pop().__exit__(None, None, None)
    for cursor in cursors:
        if cursor.description is not None:
            cursor.fetchall()


def combined(number: int, url: str, kept: Sequence[Sequence[Sequence[Event]]]) -> Sequence[Work]:
    """Send all that an approval writes as one prepared statement, with its transaction, in one journey."""
    connection = psycopg.connect(url, prepare_threshold=0)
    made = [one_statement(events) for events in kept[number]]

    def one(bind: Any, statement: bytes, values: Any) -> None:
        with connection.pipeline():
            connection.execute(*bind)
            connection.execute(statement, values)
            connection.commit()

    return [lambda parts=parts: one(*parts) for parts in made]  # type: ignore[misc]


def one_statement(events: Sequence[Event]) -> tuple[tuple[Any, Any], bytes, dict[str, Any]]:
    """Return what binds a transaction, and one statement with everything that a recorded approval writes."""
    parts: list[bytes] = []
    values: dict[str, Any] = {}
    bind: tuple[Any, Any] = (b"SELECT 1", None)
    for verb, writes, query, params in events:
        if verb != "execute" or not writes:
            continue
        said = query.encode() if isinstance(query, str) else query
        if b"set_config('memory.tenant'" in said:
            bind = (said, params)
        elif said.split(None, 1)[0] in {b"INSERT", b"UPDATE", b"DELETE"}:
            place = len(parts)
            text = _PARAMETER.sub(rb"%%(p%d_\1)s" % place, said)
            parts.append(b"w%d AS (%s)" % (place, text))
            values.update({f"p{place}_{name}": value for name, value in params.items()})
    return bind, b"WITH " + b", ".join(parts) + b" SELECT 1", values


def opened(url: str) -> closing[Any]:
    """Open a plain connection for reading."""
    return closing(psycopg.connect(url, autocommit=True, prepare_threshold=0))
