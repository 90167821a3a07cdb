"""A quick look at an ordinary home: how many records wait, and since when. It loads nothing but the operating system.

Here: the few steps that a prompt can afford at every line. Whatever is out of the ordinary (a link on the way, a name
that leads nowhere, a folder that cannot be read) is not judged here: the answer is then None, and the whole store is
asked (``store``). A test holds the two against each other.

Not here: what a record says besides its time, states, documents, the configuration.
"""

from __future__ import annotations

import os

from curator_tui.stores.hermes.names import (
    ACTIVE_LIMIT,
    ACTIVE_PROFILE,
    DEFAULT_PROFILE,
    DEFERRED_MARK,
    HERMES_FOLDER,
    HOME_SIGNS,
    HOME_VARIABLE,
    MEMORY_QUEUE,
    OWN_FOLDER,
    PENDING,
    PROFILES,
    RECORD_LIMIT,
    RECORD_SUFFIX,
    SKILL_QUEUE,
    folder_of_person,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
_NUMBER = frozenset(b"0123456789.")
# As Hermes writes it, two spaces deep; inside a string of JSON no line begins.
_TIME = b'\n  "created_at": '
_YEAR_10000 = 253_402_300_800


class _Unusual(Exception):
    """Something the quick look does not judge."""


class Quick:
    """What waits in a home.

    Attributes:
        waiting: number of waiting memory records.
        oldest: the earliest time that a record claims, UTC seconds; None when none claims one.
        skills: number of waiting skill records.
    """

    __slots__ = ("oldest", "skills", "waiting")

    def __init__(self, waiting: int, oldest: float | None, skills: int) -> None:
        self.waiting = waiting
        self.oldest = oldest
        self.skills = skills


def look(home: str | None, profile: str | None, environ: Mapping[str, str], uid_home: str) -> Quick | None:
    """Look at the home that is meant (see ``home.bind``), or return None where more than a quick look is needed."""
    try:
        folder = os.open(_home(home, profile, environ, uid_home), _FOLDER)
    except (_Unusual, OSError, ValueError):
        return None
    try:
        _nothing_aside(folder)
        claims = [_time(queue, name) for name, queue in _records(folder, MEMORY_QUEUE)]
        skills = sum(1 for _ in _records(folder, SKILL_QUEUE))
    except (_Unusual, OSError, ValueError):
        return None
    finally:
        os.close(folder)
    return Quick(len(claims), min((at for at in claims if at is not None), default=None), skills)


def _home(home: str | None, profile: str | None, environ: Mapping[str, str], uid_home: str) -> str:
    written = environ.get(HOME_VARIABLE, "").strip()
    person = folder_of_person(environ, uid_home)
    if home is None and not written and not person:
        raise _Unusual
    given = os.path.abspath(home if home is not None else written or os.path.join(person, HERMES_FOLDER))
    root = os.path.realpath(given, strict=True)
    own = [path for path in (given, root) if os.path.basename(os.path.dirname(path)) == PROFILES]
    if own:
        if profile not in {None, os.path.basename(own[0])}:
            raise _Unusual
        return _checked(root)
    name = profile or _active(root)
    if not name or not set(name) <= _LETTERS or name[0] in "_-" or len(name) > 64:
        raise _Unusual
    named = root if name == DEFAULT_PROFILE else os.path.realpath(os.path.join(root, PROFILES, name), strict=True)
    return _checked(named)


def _checked(home: str) -> str:
    if not any(os.path.exists(os.path.join(home, sign)) for sign in HOME_SIGNS):
        raise _Unusual
    return home


def _active(root: str) -> str:
    try:
        file = os.open(os.path.join(root, ACTIVE_PROFILE), _FILE)
    except FileNotFoundError:
        return DEFAULT_PROFILE
    try:
        raw = os.read(file, ACTIVE_LIMIT + 1)
    finally:
        os.close(file)
    if len(raw) > ACTIVE_LIMIT:
        raise _Unusual
    return raw.decode("ascii").strip().lower() or DEFAULT_PROFILE


def _nothing_aside(home: int) -> None:
    """Make sure that all that stands in the queue waits, and no question: what is deferred or asked the book tells."""
    try:
        os.stat(os.path.join(OWN_FOLDER, DEFERRED_MARK), dir_fd=home, follow_symlinks=False)
    except FileNotFoundError:
        return
    raise _Unusual


def _records(home: int, queue: str) -> Iterator[tuple[str, int]]:
    """Yield the names of the records of a queue, each with its folder, which is open until the next is asked for."""
    opened: list[int] = []
    try:
        at = home
        for step in (PENDING, queue):
            at = os.open(step, _FOLDER, dir_fd=at)
            opened.append(at)
        with os.scandir(at) as entries:
            for entry in entries:
                if not entry.name.endswith(RECORD_SUFFIX):
                    continue
                if not entry.is_file(follow_symlinks=False):
                    raise _Unusual
                yield entry.name, at
    except FileNotFoundError:
        return
    finally:
        for descriptor in opened:
            os.close(descriptor)


def _time(queue: int, name: str) -> float | None:
    """Return the time a record claims, None where it cannot be read as one or claims no moment that can be meant."""
    file = os.open(name, _FILE, dir_fd=queue)
    try:
        raw = os.read(file, RECORD_LIMIT + 1)
        if os.fstat(file).st_nlink != 1 or len(raw) > RECORD_LIMIT:
            return None
    finally:
        os.close(file)
    before, found, rest = raw.partition(_TIME)
    number = rest[:32].partition(b",")[0].partition(b"\n")[0]
    usual = before.startswith(b"{\n") and raw.endswith(b"\n}") and _TIME not in rest
    plain = usual and found and number and set(number) <= _NUMBER
    at = float(number) if plain else _odd_time(raw)
    return at if at is not None and 0 <= at < _YEAR_10000 else None


def _odd_time(raw: bytes) -> float | None:
    """Return the time of a record that is not in the form Hermes writes, None of one that is no record at all."""
    import json  # takes as long as everything else together, and is seldom needed

    try:
        record = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError):
        return None
    at = record.get("created_at") if type(record) is dict else None
    try:
        return float(at) if isinstance(at, int | float | str) and not isinstance(at, bool) else None
    except (ValueError, OverflowError):
        return None


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found
