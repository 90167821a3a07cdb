"""Tenants: what waits for all people of a tenant, in one order, read by keyset; and these people.

Here: the statements. Not here: what a record says (``records``), filters, who may look, the store that a desk over a
tenant has (``tenant_store``). Nothing holds all of a queue: each page begins behind the key of the one before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from msgspec import Struct

from curator_tui.core.documents import DEFAULT_LIMITS, TARGETS, Standing, Target, standing
from curator_tui.stores.book import cells
from curator_tui.stores.book.db import ReadDb, Record, with_list
from curator_tui.stores.sql.addresses import Dialect
from curator_tui.stores.sql.documents import Stored, document_of
from curator_tui.stores.sql.names import name_of
from curator_tui.stores.sql.scopes import Whose

T = TypeVar("T")
_CHUNK = 300
_FEW = 50
_MOST = 2**62
LAST = "\U0010ffff"
_ORDER = "p.ordered_at, p.scope, p.id"
_COLUMNS = f"{_ORDER}, p.digest, p.alike"
_BEHIND = f"({_ORDER}) > (:at, :scope, :item)"
# Of what is proposed alike for several people only the oldest is a row.
_FIRST = """
    (p.alike IS NULL OR NOT EXISTS (
        SELECT 1 FROM memory_proposals o WHERE o.tenant_id = :tenant AND o.alike = p.alike
        AND (o.ordered_at, o.scope, o.id) < (p.ordered_at, p.scope, p.id)))
"""
# Whose each item is, is asked for one by one: joined to so many people a server would begin with these.
_LISTED = """
    WITH page AS MATERIALIZED ({page})
    SELECT {columns}, (SELECT s.user_id FROM memory_scopes s WHERE s.scope = p.scope),
        (SELECT s.agent_id FROM memory_scopes s WHERE s.scope = p.scope)
    FROM page p ORDER BY {order}
"""


def _listed(where: str, limit: str = "LIMIT :count") -> str:
    page = f"SELECT {_COLUMNS} FROM memory_proposals p WHERE {where} ORDER BY {_ORDER} {limit}"
    return _LISTED.format(page=page, columns=_COLUMNS, order=_ORDER)


_PAGE = _listed(f"p.tenant_id = :tenant AND {_BEHIND} AND {_FIRST}")
# Without the tenant, which these scopes are of: it would have a server go through the order of all people.
_PAGE_OF = _listed(f"p.scope IN (:scopes) AND {_BEHIND} AND {_FIRST}")
# Which of a portion hold some words: only those are read. Bytes that are no text keep nobody from looking.
_TEXT: Mapping[Dialect, str] = {"sqlite": "CAST(p.body AS TEXT)", "postgresql": "encode(p.body, 'escape')"}
_HOLDS = "(lower({text}) LIKE :{name} OR lower(p.id) LIKE :{name})"
_UP_TO = f"({_ORDER}) <= (:last_at, :last_scope, :last_item)"
_KEY_AT = f"""
    SELECT {_ORDER} FROM memory_proposals p WHERE p.tenant_id = :tenant AND {_BEHIND} ORDER BY {_ORDER}
    LIMIT 1 OFFSET :skip
"""
_ALIKE = _listed("p.tenant_id = :tenant AND p.alike = :alike")
_ONE = _listed("p.scope = :scope AND p.id = :item", "")
_HOW_MANY = """
    SELECT alike, count(*) FROM memory_proposals WHERE tenant_id = :tenant AND alike IN (:names) GROUP BY alike
"""
_BODIES = "SELECT scope, id, body FROM memory_proposals WHERE (scope, id) IN (VALUES {})"
_WRITTEN = """
    SELECT p.scope, p.id, p.written_by, COALESCE((SELECT a.trust FROM memory_agents a
        WHERE a.tenant_id = :tenant AND a.agent = p.written_by), '')
    FROM memory_proposals p WHERE (p.scope, p.id) IN (VALUES {})
"""
_WAITING = "SELECT COALESCE(SUM(waiting), 0) FROM memory_waiting WHERE tenant_id = :tenant"
_CALLED = """
    SELECT scope, user_id, agent_id FROM memory_scopes
    WHERE scope >= :first AND scope < :last AND tenant_id = :tenant LIMIT 2
"""
_MARKS = "SELECT scope, user_revision, memory_revision, ledger_seq FROM memory_scopes WHERE scope IN (:names)"
_SCOPES_OF = """
    SELECT scope FROM memory_scopes WHERE tenant_id = :tenant AND lower(user_id) >= :first AND lower(user_id) < :last
    LIMIT :count
"""
_PEOPLE = """
    SELECT tenant_id, user_id, agent_id FROM {table} WHERE tenant_id = :tenant AND (user_id, agent_id) > (:user, :agent)
    AND lower(user_id) LIKE :like ESCAPE '!' GROUP BY tenant_id, user_id, agent_id
    ORDER BY user_id, agent_id LIMIT :count
"""
_BY_NAME = f"""
    SELECT user_id, agent_id FROM (
        SELECT * FROM ({_PEOPLE.format(table="memory_scopes")}) ours
        UNION SELECT * FROM ({_PEOPLE.format(table="agent_memory")}) theirs) everybody
    ORDER BY user_id, agent_id LIMIT :count
"""
_BY_WAITING = """
    SELECT s.user_id, s.agent_id, w.waiting, w.scope FROM memory_waiting w JOIN memory_scopes s ON s.scope = w.scope
    WHERE w.tenant_id = :tenant AND (w.waiting, w.scope) < (:waiting, :scope) AND w.waiting > 0
    AND lower(s.user_id) LIKE :like ESCAPE '!'
    ORDER BY w.waiting DESC, w.scope DESC LIMIT :count
"""
_STANDING = """
    SELECT s.scope, s.user_limit, s.memory_limit, COALESCE((SELECT waiting FROM memory_waiting w
        WHERE w.scope = s.scope), 0), (SELECT min(p.ordered_at) FROM memory_proposals p WHERE p.scope = s.scope)
    FROM memory_scopes s WHERE s.tenant_id = :tenant AND s.user_id = :user AND s.agent_id = :agent
"""
_CONTENT = """
    SELECT memory_type, {}, schema_version, revision FROM agent_memory
    WHERE tenant_id = :tenant AND user_id = :user AND agent_id = :agent
"""


class Key(NamedTuple):
    """Where an item stands in the one order of a tenant."""

    at: float
    scope: str
    item: str

    def text(self) -> str:
        """Return it in a form that :func:`key_from` reads."""
        return f"{self.at!r}~{self.scope}.{self.item}"


def key_from(text: str) -> Key:
    """Return the key that :meth:`Key.text` gave.

    Raises:
        ValueError: it is none.
    """
    at, tilde, rest = text.partition("~")
    scope, dot, item = rest.partition(".")
    if not (tilde and dot):
        raise ValueError(text)
    return Key(float(at), scope, item)


START = Key(float("-inf"), "", "")
END = Key(float("inf"), LAST, LAST)


class Listed(Struct, frozen=True):
    """One waiting item as a page lists it; ``alike`` is what the same fact for other people has too, if any has."""

    key: Key
    digest: str
    alike: str | None
    whose: Whose

    @property
    def name(self) -> str:
        """Its id at a desk over a tenant."""
        return name_of(self.key.scope, self.key.item)


class Person(Struct, frozen=True):
    """How the memory of one person stands.

    Attributes:
        whose: whose it is.
        waiting: number of waiting proposals.
        oldest_at: when the oldest of them was made, None for none.
        documents: how full both documents are.
        scope: its random name, empty where nothing was ever changed in it.
    """

    whose: Whose
    waiting: int
    oldest_at: float | None
    documents: Mapping[Target, Standing]
    scope: str = ""


class Tenant:
    """Reads a tenant.

    Args:
        reader: the database, bound to that tenant.
        dialect: its kind.
        name: the tenant, empty for the one of a database that has no others.
    """

    def __init__(self, reader: ReadDb, dialect: Dialect, name: str) -> None:
        self._db = reader
        self._dialect = dialect
        self.name = name

    def page(self, after: Key, count: int, scopes: Sequence[str] | None = None) -> list[Listed]:
        """Return what waits behind a key, oldest first; of what is alike for several people only the oldest.

        Args:
            after: the key.
            count: at most so many.
            scopes: only of these scopes, a few; None for all people.
        """
        where = {"tenant": self.name, "at": after.at, "scope": after.scope, "item": after.item, "count": count}
        if scopes is None:
            return self._listed(_PAGE, where)
        statement, named = with_list(_PAGE_OF, "scopes", scopes)
        return self._listed(statement, {**where, **named}) if scopes else []

    def key_behind(self, after: Key, count: int) -> Key:
        """Return the key of the item that stands so many behind another one; :data:`END` where there is none."""
        where = {"tenant": self.name, "at": after.at, "scope": after.scope, "item": after.item}
        found = self._db.one(_KEY_AT, skip=count - 1, **where)
        return END if found is None else Key(float(found[0]), str(found[1]), str(found[2]))

    def matching(self, after: Key, last: Key, words: Sequence[str]) -> list[Listed]:
        """Return what waits between two keys, the last one included, and holds all of some words.

        Args:
            after: the first key.
            last: the last key.
            words: small letters and digits of ASCII: they stand in a record as they are.
        """
        names = {f"word{at}": f"%{word}%" for at, word in enumerate(words)}
        holds = " AND ".join(_HOLDS.format(text=_TEXT[self._dialect], name=name) for name in names)
        where = {"tenant": self.name, "at": after.at, "scope": after.scope, "item": after.item}
        ends = {"last_at": last.at, "last_scope": last.scope, "last_item": last.item}
        statement = _listed(f"p.tenant_id = :tenant AND {_BEHIND} AND {_UP_TO} AND {holds} AND {_FIRST}", "")
        return self._listed(statement, {**where, **ends, **names})

    def alike(self, name: str, count: int) -> list[Listed]:
        """Return the items of the same fact, oldest first."""
        return self._listed(_ALIKE, {"tenant": self.name, "alike": name, "count": count})

    def listed(self, scope: str, item: str) -> Listed | None:
        """Return one item; None where it does not wait."""
        found = self._listed(_ONE, {"scope": scope, "item": item})
        return found[0] if found else None

    def _listed(self, statement: str, values: Mapping[str, object]) -> list[Listed]:
        return [
            Listed(
                Key(float(at), str(scope), str(item)),
                str(digest),
                None if alike is None else str(alike),
                Whose(self.name, str(user), str(agent)),
            )
            for at, scope, item, digest, alike, user, agent in self._db.all(statement, **values)
        ]

    def how_many(self, names: Iterable[str]) -> dict[str, int]:
        """Return for how many people, or how often, each of some facts is proposed."""
        found: dict[str, int] = {}
        for chunk in _chunks(list(dict.fromkeys(names))):
            statement, values = with_list(_HOW_MANY, "names", chunk)
            rows = self._db.all(statement, tenant=self.name, **values)
            found.update({str(name): int(count) for name, count in rows})
        return found

    def bodies(self, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
        """Return the records of items by scope and id, of those that wait."""
        return {(str(scope), str(item)): cells.raw(body) for scope, item, body in self._named(_BODIES, keys)}

    def written(self, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str]]:
        """Return by scope and id who wrote those items that wait, and how far a person trusts them."""
        rows = self._named(_WRITTEN, keys, tenant=self.name)
        return {(str(scope), str(item)): (str(author), str(trust)) for scope, item, author, trust in rows}

    def _named(self, statement: str, keys: Iterable[tuple[str, str]], **more: str) -> Iterator[Record]:
        for chunk in _chunks(list(keys)):
            listed = ", ".join(f"(:s{at}, :i{at})" for at in range(len(chunk)))
            values = {f"s{at}": scope for at, (scope, _) in enumerate(chunk)}
            values |= {f"i{at}": item for at, (_, item) in enumerate(chunk)}
            yield from self._db.all(statement.format(listed), **values, **more)

    def waiting(self) -> int:
        """Return how many proposals wait, exactly."""
        found = self._db.one(_WAITING, tenant=self.name)
        return 0 if found is None else int(found[0])

    def called(self, short: str) -> list[tuple[str, Whose]]:
        """Return the scopes whose names begin so, two at most."""
        rows = self._db.all(_CALLED, first=short, last=f"{short}{LAST}", tenant=self.name)
        return [(str(scope), Whose(self.name, str(user), str(agent))) for scope, user, agent in rows]

    def scopes_of(self, beginning: str) -> list[str] | None:
        """Return the scopes of people whose names begin so, in upper or lower case.

        None where there are more than a few, and for what databases do not agree on as lower case.
        """
        if not beginning.isascii():
            return None
        where = {"first": beginning, "last": f"{beginning}{LAST}", "count": _FEW + 1}
        rows = self._db.all(_SCOPES_OF, tenant=self.name, **where)
        return [str(scope) for (scope,) in rows] if len(rows) <= _FEW else None

    def marks(self, scopes: Iterable[str]) -> dict[str, tuple[int, int, int]]:
        """Return for each scope what differs as soon as anything was changed in it through us."""
        found: dict[str, tuple[int, int, int]] = {}
        for chunk in _chunks(list(dict.fromkeys(scopes))):
            statement, values = with_list(_MARKS, "names", chunk)
            rows = self._db.all(statement, **values)
            found.update({str(name): (int(user), int(memory), int(seq)) for name, user, memory, seq in rows})
        return found

    # -- people ----------------------------------------------------------------------------------------------------

    def people(self, after: Whose | None, count: int, part: str = "") -> list[Whose]:
        """Return whose memories there are, by name, behind one of them; also those only a service knows.

        Args:
            after: that one, None for none.
            count: at most so many.
            part: what their names hold, in small letters.
        """
        user, agent = (after.user, after.agent) if after is not None else ("", "")
        rows = self._db.all(_BY_NAME, tenant=self.name, user=user, agent=agent, like=_like(part), count=count)
        return [Whose(self.name, str(user), str(agent)) for user, agent in rows]

    def longest(self, after: tuple[int, str] | None, count: int, part: str = "") -> list[tuple[Whose, tuple[int, str]]]:
        """Return whose queues are the longest, those that have one, with the key behind which the next page begins."""
        waiting, scope = after or (_MOST, LAST)
        where = {"like": _like(part), "count": count}
        rows = self._db.all(_BY_WAITING, tenant=self.name, waiting=waiting, scope=scope, **where)
        return [
            (Whose(self.name, str(user), str(agent)), (int(waiting), str(scope)))
            for user, agent, waiting, scope in rows
        ]

    def standing(self, whose: Sequence[Whose]) -> list[Person]:
        """Return how some memories stand."""
        content = _CONTENT.format(self._db.as_bytes("content"))
        asked = [(question, one.values) for one in whose for question in (_STANDING, content)]
        answers = iter(self._db.ask(asked))
        found = []
        for one in whose:
            noted = next(answers)
            rows = {Target(row[0]): Stored(cells.raw(row[1]), int(row[2]), int(row[3])) for row in next(answers)}
            scope, *limits = noted[0][:3] if noted else ("", None, None)
            waiting, oldest = noted[0][3:] if noted else (0, None)
            named = dict(zip((Target.USER, Target.MEMORY), limits, strict=True))
            documents = {target: _standing(target, rows.get(target), named[target]) for target in TARGETS}
            found.append(Person(one, int(waiting), None if oldest is None else float(oldest), documents, str(scope)))
        return found


def _like(part: str) -> str:
    """Return the pattern of what holds a part, whatever signs of a pattern are in it."""
    for sign in "!%_":
        part = part.replace(sign, f"!{sign}")
    return f"%{part}%"


def _standing(target: Target, row: Stored | None, limit: int | None) -> Standing:
    return standing(document_of(target, row, None), DEFAULT_LIMITS[target] if limit is None else limit)


def _chunks(values: list[T]) -> Iterable[list[T]]:
    return (values[at : at + _CHUNK] for at in range(0, len(values), _CHUNK))
