"""Authority: what a login of a server may ask for at a desk, by the groups it was granted.

Here: the rule, and the desk that holds to it and lets every refused attempt be noted. Not here: the rights themselves,
which the server holds whatever is asked here (``stores.sql.roles``); telling somebody early and in words is all this
adds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from curator_tui.core.changes import Receipt
from curator_tui.core.errors import NotAllowed, StoreError
from curator_tui.core.requests import Actor, ActorKind, Kind, Request
from curator_tui.core.text import visible
from curator_tui.curator.desk import Desk
from curator_tui.stores.port import Mended, Store
from curator_tui.stores.sql.database import Login
from curator_tui.stores.sql.roles import AGENT, AUDITOR, CURATOR, PRIVACY, SERVICE, SUBJECT

DECIDE, WRITE = "may-not-decide", "may-not-write"
# What somebody may do with their own memory who decides nothing of what agents proposed for it.
_OWN = frozenset({Kind.CORRECT, Kind.CHALLENGE, Kind.UNDO, Kind.REDO, Kind.OBSERVE})
_DECIDING = frozenset({Kind.DECIDE, Kind.DEFER, Kind.REOPEN, Kind.ANSWER})


class Authority(Struct, frozen=True):
    """What a login may ask for.

    Attributes:
        kind: what kind of actor it is.
        kinds: requests it may make.
        group: the group that says so, as it is named to a person; empty for whoever may make all of them.
    """

    kind: ActorKind
    kinds: frozenset[Kind]
    group: str = ""

    @property
    def only_looks(self) -> bool:
        """Whether it may ask for nothing that changes anything."""
        return not self.kinds

    def refuses(self, kind: Kind) -> str:
        """Return the code of the refusal of a request, empty where it may be made."""
        if kind in self.kinds:
            return ""
        return DECIDE if kind in _DECIDING else WRITE


EVERYTHING = Authority(ActorKind.PERSON, frozenset(Kind))


def authority_of(login: Login | None) -> Authority:
    """Return what a login may ask for; one that was granted none of our groups is held by the server alone."""
    if login is None or login.keeper or login.unheld or CURATOR in login.groups:
        return EVERYTHING
    for group, kind, kinds in (
        (SERVICE, ActorKind.SERVICE, frozenset[Kind]()),
        (AGENT, ActorKind.AGENT, frozenset[Kind]()),
        (SUBJECT, ActorKind.PERSON, _OWN),
        (PRIVACY, ActorKind.PERSON, frozenset[Kind]()),
        (AUDITOR, ActorKind.PERSON, frozenset[Kind]()),
    ):
        if group in login.groups:
            return Authority(kind, kinds, group)
    return EVERYTHING


def not_allowed(authority: Authority, actor: Actor) -> NotAllowed:
    """Return the refusal of an attempt, in words."""
    name = visible(actor.name, newlines=False)
    if authority.kind is not ActorKind.PERSON:
        message = f"{name} is the login of an agent ({authority.group}): it proposes, and a person decides."
        return NotAllowed(message, way_out="Log in as a person: a login that was granted memory_curator.")
    return NotAllowed(
        f"{name} may not do that: {authority.group} does not let anybody.",
        way_out="Ask whoever keeps the database, or let a curator do it.",
    )


def desk_for(store: Store, login: Login, through: str, note: Callable[[str], None], **more: Any) -> Desk:
    """Return the desk of whom a server let in.

    Args:
        store: the bound store.
        login: whom.
        through: the surface that asks.
        note: notes a refused attempt by its code.
        more: see :class:`Desk`.

    Raises:
        NotAllowed: it is an agent, and a desk is for people.
    """
    authority = authority_of(login)
    actor = Actor(authority.kind, login.name, through)
    if authority.kind is not ActorKind.PERSON:
        refuse(note, DECIDE)
        raise not_allowed(authority, actor)
    if authority is EVERYTHING:
        return Desk(store, actor, **more)
    return HeldDesk(store, actor, authority=authority, note=note, **more)


def over_many(login: Login | None, through: str) -> bool:
    """Return whether a login may only look at a desk over all people of a tenant.

    Raises:
        NotAllowed: it may see no more than one person's memory, or belongs to no person.
    """
    authority = authority_of(login)
    if login is not None and (authority.kind is not ActorKind.PERSON or authority.group == SUBJECT):
        raise not_allowed(authority, Actor(authority.kind, login.name, through))
    return authority.only_looks


class HeldDesk(Desk):
    """A desk of somebody who may not ask for everything.

    Args:
        store: the bound store.
        actor: who acts.
        authority: what they may ask for.
        note: notes a refused attempt by its code; where it fails the attempt is refused all the same.
        more: see :class:`Desk`.
    """

    def __init__(
        self, store: Store, actor: Actor, *, authority: Authority, note: Callable[[str], None], **more: Any
    ) -> None:
        super().__init__(store, actor, **more)
        self.authority = authority
        self._note = note
        # asked for, as --read-only asks for it, or all that is left
        self.read_only = self.read_only or authority.only_looks

    def carry_out(self, request: Request) -> Receipt:
        """Hand a request to the store; see :meth:`Desk.carry_out`.

        Raises:
            NotAllowed: who asks may not ask for that.
        """
        self._require(request.kind)
        return super().carry_out(request)

    def recover(self) -> Mended:
        """Finish an interrupted change; see :meth:`Desk.recover`."""
        self._require(Kind.OBSERVE)
        return super().recover()

    def _require(self, kind: Kind) -> None:
        if code := self.authority.refuses(kind):
            refuse(self._note, code)
            raise not_allowed(self.authority, self.actor)


def refuse(note: Callable[[str], None], code: str) -> None:
    """Let a refused attempt be noted; whatever becomes of that, it stays refused."""
    try:
        note(code)
    except StoreError:
        return
