"""The stateful test of a curator: any store, any order of decisions, corrections, reverts and writes by others.

:class:`DeskMachine` drives a :class:`tests.memory_store.StoreAdapter`; a test of a real store subclasses it and sets
``make``. Everything it asserts can be seen from outside the store.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from curator_tui.core.changes import Receipt
from curator_tui.core.documents import Presence, Target, grows_past, parse, size_of
from curator_tui.core.endings import Ending
from curator_tui.core.ledger import item_name
from curator_tui.core.operations import Action, Operation, normalise
from curator_tui.core.preflight import State
from curator_tui.core.proposals import Edit, Proposal
from curator_tui.core.requests import (
    AnswerVerb,
    ChallengeCode,
    Decision,
    Kind,
    OverrideCode,
    ReasonCode,
    Request,
    Stamp,
    ToAnswer,
    ToChallenge,
    ToDefer,
    Verb,
)
from curator_tui.core.reverts import EFFECT_ABSENT
from curator_tui.core.review import same_outcome
from curator_tui.core.settling import pinned_proposal, settle
from curator_tui.curator.calendar import local_day
from tests.memory_store import MemoryStore, StoreAdapter
from tests.worlds import PERSON, chain_problems

_VOCABULARY = (
    "tea",
    "green tea",
    "cup",
    "Prefers tabs",
    "Prefers tabs of 4",
    "§ 5",
    "日本",
    "a\nb",
    "x",
    "hidden \u202e",
)
_OUTSIDE: Sequence[bytes | None] = (
    None,
    b"",
    "tea\r\n§\r\ncup\r\n".encode(),
    "\ufeffPrefers tabs\n§\n\nx".encode(),
    "green tea\n§\ncup\n§\ngreen tea\n§\n".encode(),
    ("long " * 14).encode(),
)
_targets = st.sampled_from(Target)
_texts = st.sampled_from(_VOCABULARY)
_contents = st.one_of(_texts, st.text("tea cup", min_size=1, max_size=6).map(normalise).filter(bool))
_everything = frozenset({State.FLAGGED, State.LOSSY})
_knowingly: dict[str, Any] = {"override": _everything, "reason": OverrideCode.REQUEST}

Queue = dict[str, bytes]
Documents = dict[Target, bytes | None]
# documents, queue, ids of the changes in force; items put off with their day, and open questions
Seen = tuple[Documents, Queue, frozenset[str], tuple[dict[str, str], frozenset[str]]]


class DeskMachine(RuleBasedStateMachine):
    """One person at one store, an agent that stages, and other programs that write."""

    make: Callable[[], StoreAdapter] = MemoryStore

    def __init__(self) -> None:
        super().__init__()
        self.store = self.make()
        self.clock = 1_790_000_000.0
        self.count = 0
        self.staged: set[str] = set()
        self.chain: list[str] = []
        self.waited: dict[str, frozenset[str]] = {}
        self.brought: dict[str, dict[tuple[Target, str], bool]] = {}

    @initialize(raws=st.tuples(st.sampled_from(_OUTSIDE), st.sampled_from(_OUTSIDE)))
    def begin(self, raws: tuple[bytes | None, bytes | None]) -> None:
        """Begin with files that others wrote."""
        for target, raw in zip(Target, raws, strict=True):
            self.store.write_outside(target, raw)

    def teardown(self) -> None:
        """Release what the store holds."""
        close = getattr(self.store, "close", None)
        if close is not None:
            close()

    # -- asking ----------------------------------------------------------------------------------------------------

    def stamp(self) -> Stamp:
        """Return a fresh stamp."""
        self.count += 1
        chance = random.Random(self.count)
        operation, change, seed = chance.randbytes(16).hex(), chance.randbytes(8).hex(), chance.randbytes(32)
        return Stamp(PERSON, operation, change, self.clock, seed)

    def ask(self, kind: Kind, **parts: Any) -> Receipt:
        """Carry out a request and hold the answer against what can be seen before and after."""
        before, queue = self.store.documents(), self.store.waiting()
        proposals, stood = self.store.proposals(), self.store.snapshot().entries()
        request = Request(self.stamp(), kind, today=self.today(), **parts)
        dry = self.store.dry_run(request)
        receipt = self.store.transact(request)
        after = self.store.documents()
        if receipt.backup is not None:
            self.waited[receipt.backup] = frozenset(queue)
        assert replace(receipt, change=None, backup=None, recovered=False) == dry
        self._check_account(request, receipt)
        if receipt.change is None:
            assert (after, self.store.waiting()) == (before, queue)
            assert all(part.ending is Ending.ALREADY for part in receipt.applied)
            assert receipt.applied == () or kind in {Kind.CORRECT, Kind.DEFER, Kind.CHALLENGE}
        else:
            self._check_sizes(kind, receipt, before, after)
            deferred, questions = self.put_aside()
            shown = (set(self.store.waiting()) - set(deferred)) | questions
            assert set(receipt.returned) <= shown | set(deferred)
            again = {note.split()[0] for note in receipt.notes if "so again" in note}
            assert set(receipt.returned) & set(deferred) == again
            assert not {part.id for part in receipt.closed} & shown
            self._note_decided_away(request, stood)
            self._check_upheld(request, receipt, proposals)
        again = self.store.transact(request)
        assert again.change == receipt.change
        assert self.store.documents() == after
        return receipt

    def _check_account(self, request: Request, receipt: Receipt) -> None:
        """Everything that was asked for is in the answer once: it took effect or it did not, with a reason."""
        named = {
            Kind.DECIDE: tuple(dict.fromkeys(decision.proposal for decision in request.decisions)),
            Kind.REOPEN: request.reopen,
            Kind.DEFER: tuple(one.proposal for one in request.defer),
            Kind.ROLLBACK: (request.backup,),
            Kind.UNDO: (request.reverts or "",),
            Kind.REDO: (request.reverts or "",),
        }
        applied, failed = [part.id for part in receipt.applied], [part.id for part in receipt.not_applied]
        ends = [*applied, *failed]
        assert all(ends.count(name) == 1 for name in named.get(request.kind, ()))
        if request.kind is Kind.CORRECT:
            assert (len(applied), len(failed)) in {(len(request.corrections), 0), (0, 1)}
        assert all(part.code and part.message for part in receipt.not_applied)
        assert receipt.done == (not failed)

    def _check_sizes(self, kind: Kind, receipt: Receipt, before: Documents, after: Documents) -> None:
        for target, document in self.store.snapshot().documents.items():
            if after[target] == before[target]:
                continue
            limit = self.store.limits.get(target)
            old = size_of(_parsed(target, before[target]))
            exact = kind in {Kind.ROLLBACK, Kind.UNDO, Kind.REDO}  # these may restore what stood there before
            assert exact or not grows_past(old, document.size, limit)
            assert (receipt.sizes[target].size, receipt.sizes[target].limit) == (document.size, limit)
            image = next(found for found in self.store.backups() if found.id == receipt.backup)
            assert image.files[target] == before[target]

    def _note_decided_away(self, request: Request, stood: Mapping[Target, Sequence[str]]) -> None:
        """Owe no text to an item any more that was decided away since."""
        if request.kind not in {Kind.CORRECT, Kind.DECIDE, Kind.ANSWER}:
            return
        left = self.store.snapshot().entries()
        away = {(target, text) for target, entries in stood.items() for text in entries if text not in left[target]}
        for texts in self.brought.values():
            texts.update(dict.fromkeys(away & set(texts), False))

    def _check_upheld(self, request: Request, receipt: Receipt, waited: Mapping[str, Proposal]) -> None:
        """What is closed as approved by a revert brought its text then, if it did so when it was decided.

        Of items with one text only: what several operations leave, the text alone does not tell.
        """
        edits = {one.proposal: one.edit.contents.get(0) for one in request.decisions}
        for part in (*receipt.applied, *receipt.closed):
            found = waited.get(part.id)
            if part.ending not in {Ending.APPROVE, Ending.EDIT} or found is None or len(found.operations) != 1:
                continue
            target = found.operations[0].target
            entries = self.store.snapshot().document(target).entries
            texts = self.brought.setdefault(part.id, {})
            if request.kind is Kind.DECIDE:
                text = edits.get(part.id) or found.operations[0].content or ""
                texts[target, text] = text in entries
            else:
                assert not texts or any(text in entries or not stood for (_, text), stood in texts.items())

    def today(self) -> str:
        """Return the person's day."""
        return local_day(self.clock)

    def put_aside(self) -> tuple[dict[str, str], frozenset[str]]:
        """Return the items that are deferred now, with their day, and the ids of the open questions."""
        asides, proposals = self.store.asides(), self.store.proposals()
        deferred = {
            name: one.until
            for name, one in asides.latest().items()
            if name in proposals and one.holds(proposals[name].digest, self.today())
        }
        return deferred, frozenset(one.question for one in asides.questions())

    def seen(self) -> Seen:
        """Return what undo has to restore: documents, queue, which changes are in force, what is put aside."""
        force = frozenset(change.id for change in self.store.changes() if change.undone_by is None)
        return self.store.documents(), self.store.waiting(), force, self.put_aside()

    def there_and_back(self, before: Seen, receipt: Receipt) -> None:
        """Undo and redo the change just made: old bytes, items and changes return, then the new ones again.

        Where an undo returns items and changes documents, a rollback to the moment before it does what a redo does.
        """
        if receipt.change is None:
            return
        after = self.seen()
        undone = self._undone(before, receipt)
        if undone is None:
            return
        self._brought_back(before, after, receipt.change, self.ask(Kind.REDO, reverts=undone.change))
        if undone.backup is not None and undone.returned:
            undone = self.ask(Kind.UNDO, reverts=receipt.change)
            self._brought_back(before, after, receipt.change, self.ask(Kind.ROLLBACK, backup=undone.backup))

    def _undone(self, before: Seen, done: Receipt) -> Receipt | None:
        """Undo a change and hold what is there against what was there before it.

        None where items go on waiting, because others had wiped out what those were decided to do.
        """
        change = done.change
        assert change is not None
        after = self.seen()
        undone = self.ask(Kind.UNDO, reverts=change)
        left = {part.id for part in undone.not_applied if part.code == EFFECT_ABSENT} & set(self.store.waiting())
        if left and done.kind in {Kind.REOPEN, Kind.ROLLBACK}:
            self._check_lost(left)
            documents, queue, _, _ = self.seen()
            if undone.change is None:
                assert self.seen() == after
            else:
                assert documents == before[0]
                assert {name: raw for name, raw in queue.items() if name not in left} == before[1]
            return None
        assert undone.done, undone
        documents, queue, force, aside = self.seen()
        assert (documents, queue, force & (before[2] | {change}), aside) == before
        assert undone.undoes == (change,)
        return undone

    def _check_lost(self, items: set[str]) -> None:
        """A text that an item brought, and that nobody decided away, does not stand where it was brought."""
        entries = {(target, entry) for target, found in self.store.snapshot().entries().items() for entry in found}
        for name in items:
            texts = self.brought.get(name, {})
            assert not texts or not all(texts.values()) or any(text not in entries for text in texts)

    def _brought_back(self, before: Seen, after: Seen, change: str, again: Receipt) -> None:
        """Hold what is there against what was there after a change that was undone."""
        assert again.done, again
        documents, queue, force, aside = self.seen()
        assert (documents, queue, aside) == (*after[:2], after[3])
        assert force & (before[2] | after[2] | {change}) == after[2]

    # -- rules: others ---------------------------------------------------------------------------------------------

    @rule(target_name=_targets, raw=st.sampled_from(_OUTSIDE))
    def others_write(self, target_name: Target, raw: bytes | None) -> None:
        """Another program writes a document."""
        self.store.write_outside(target_name, raw)

    @rule(target_name=_targets, content=_texts)
    def others_append(self, target_name: Target, content: str) -> None:
        """Hermes, with its gate off, adds an entry in its own form."""
        entries = _parsed(target_name, self.store.documents()[target_name])
        if content not in entries:
            self.store.write_outside(target_name, "\n§\n".join([*entries, content]).encode())

    @rule(data=st.data(), count=st.integers(1, 3), target_name=_targets)
    def agent_stages(self, data: st.DataObject, count: int, target_name: Target) -> None:
        """The agent stages a record of one document."""
        steps = [self._operation(data, target_name) for _ in range(count)]
        name = self._new_name()
        self.staged.add(name)
        self.store.stage(name, steps, 1_790_000_000.0 + data.draw(st.integers(0, 9)))

    def _new_name(self) -> str:
        """Return a name for a record: a generated one, one of words, or one that is how rows name the last one."""
        number = len(self.staged)
        word = f"word-{number // 3}"
        return (f"{number:08x}", word, item_name(word))[number % 3]

    def _operation(self, data: st.DataObject, target: Target) -> Operation:
        action = data.draw(st.sampled_from(Action))
        standing = _parsed(target, self.store.documents()[target]) or _VOCABULARY
        match = data.draw(st.sampled_from(list(standing))) if action is not Action.ADD else None
        content = data.draw(_contents) if action is not Action.REMOVE else None
        return Operation(action, target, match=match, content=content)

    @rule(seconds=st.sampled_from([-86_400.0, -1.0, 0.0, 0.5, 3_600.0]))
    def clock_jumps(self, seconds: float) -> None:
        """The clock goes on, stands still, or jumps back."""
        self.clock += seconds

    @rule()
    def restart(self) -> None:
        """The program ends and starts again."""
        seen = self.seen()
        self.store.reopen()
        assert self.seen() == seen

    # -- rules: deciding -------------------------------------------------------------------------------------------

    def _some(self, data: st.DataObject) -> list[str]:
        return data.draw(st.lists(st.sampled_from(sorted(self.store.waiting())), min_size=1, max_size=4, unique=True))

    @precondition(lambda self: self.store.waiting())
    @rule(data=st.data(), back=st.booleans())
    def decide(self, data: st.DataObject, back: bool) -> None:
        """Approve, reject and log-only several items in one plan."""
        names = self._some(data)
        verbs = data.draw(st.lists(st.sampled_from(Verb), min_size=len(names), max_size=len(names)))
        override = data.draw(st.sampled_from([frozenset(), _everything]))
        decisions = tuple(
            Decision(n, verb, reason=ReasonCode.OTHER, override=override) for n, verb in zip(names, verbs, strict=True)
        )
        before = self._observed()
        receipt = self.ask(Kind.DECIDE, decisions=decisions)
        ends = [part.id for part in (*receipt.applied, *receipt.not_applied)]
        assert sorted(ends) == sorted(names)
        waiting = self.store.waiting()
        assert {part.id for part in receipt.not_applied} == {name for name in names if name in waiting}
        if back:
            self.there_and_back(before, receipt)

    @precondition(lambda self: self.store.waiting())
    @rule(data=st.data(), content=_contents, back=st.booleans())
    def edit(self, data: st.DataObject, content: str, back: bool) -> None:
        """Edit an item, then approve it."""
        name = self._some(data)[0]
        before = self._observed()
        decision = Decision(name, Verb.APPROVE, edit=Edit(contents={0: content}), **_knowingly)
        receipt = self.ask(Kind.DECIDE, decisions=(decision,))
        if back:
            self.there_and_back(before, receipt)

    @precondition(lambda self: self.store.waiting())
    @rule(data=st.data(), verb=st.sampled_from([Verb.APPROVE, Verb.REJECT]), back=st.booleans())
    def decide_group(self, data: st.DataObject, verb: Verb, back: bool) -> None:
        """Decide one item and close the other members of its group."""
        name = self._some(data)[0]
        snapshot = self.store.snapshot()
        pinned = {key: pinned_proposal(found, snapshot, {}) for key, found in self.store.proposals().items()}
        group = pinned[name].group
        others = tuple(key for key, found in pinned.items() if group and found.group == group and key != name)
        before = self._observed()
        receipt = self.ask(Kind.DECIDE, decisions=(Decision(name, verb, closes=others, **_knowingly),))
        along = {key for key in others if verb is Verb.APPROVE or same_outcome(pinned[key], pinned[name])}
        assert {part.id for part in receipt.closed} == (along if receipt.applied else set())
        if back:
            self.there_and_back(before, receipt)

    @precondition(lambda self: self.store.waiting())
    @rule(data=st.data(), raw=st.sampled_from(_OUTSIDE), meddle=st.booleans())
    def decide_what_was_shown(self, data: st.DataObject, raw: bytes | None, meddle: bool) -> None:
        """A decision bound to what was shown applies exactly that, or nothing."""
        name = self._some(data)[0]
        found = pinned_proposal(self.store.proposals()[name], self.store.snapshot(), {})
        shown = self._digest(Decision(name, Verb.APPROVE, **_knowingly), found)
        touched = found.targets[0]
        before = self.store.documents()[touched]
        if meddle:
            self.store.write_outside(touched, raw)
        moved = self.store.documents()[touched] != before
        receipt = self.ask(Kind.DECIDE, decisions=(Decision(name, Verb.APPROVE, **_knowingly),), shown=shown)
        if moved:
            assert receipt.moved

    def _digest(self, decision: Decision, found: Any) -> str:
        return settle(self.store.snapshot(), [decision], {found.id: found}).digest

    @rule(data=st.data(), target_name=_targets, back=st.booleans())
    def correct(self, data: st.DataObject, target_name: Target, back: bool) -> None:
        """Write in one's own words."""
        before = self._observed()
        operation = self._operation(data, target_name)
        receipt = self.ask(Kind.CORRECT, corrections=(operation,), **_knowingly)
        if back:
            self.there_and_back(before, receipt)

    @precondition(lambda self: self.store.decided())
    @rule(data=st.data(), back=st.booleans())
    def reopen_item(self, data: st.DataObject, back: bool) -> None:
        """Return a decided item to the queue."""
        name = data.draw(st.sampled_from(sorted(self.store.decided())))
        before = self._observed()
        receipt = self.ask(Kind.REOPEN, reopen=(name,))
        assert receipt.done
        assert name in self.store.waiting()
        if back:
            self.there_and_back(before, receipt)

    # -- rules: putting aside --------------------------------------------------------------------------------------

    @precondition(lambda self: self.store.waiting())
    @rule(data=st.data(), days=st.integers(0, 2), back=st.booleans())
    def defer(self, data: st.DataObject, days: int, back: bool) -> None:
        """Put items off until a day, or until they are reopened; nothing but that happens to them."""
        names = self._some(data)
        until = local_day(self.clock + days * 86_400.0) if days else ""
        before = self._observed()
        receipt = self.ask(Kind.DEFER, defer=tuple(ToDefer(name, until) for name in names))
        documents, queue, _, (deferred, questions) = self.seen()
        assert receipt.done
        assert (documents, queue, questions) == (*before[:2], before[3][1])
        assert deferred == before[3][0] | dict.fromkeys(names, until)
        if back:
            self.there_and_back(before, receipt)

    @precondition(lambda self: self.put_aside()[0])
    @rule(data=st.data(), back=st.booleans())
    def bring_back(self, data: st.DataObject, back: bool) -> None:
        """Reopen a deferred item before its day."""
        before = self._observed()
        name = data.draw(st.sampled_from(sorted(before[3][0])))
        receipt = self.ask(Kind.REOPEN, reopen=(name,))
        assert receipt.returned == (name,)
        assert self.put_aside()[0] == {key: day for key, day in before[3][0].items() if key != name}
        if back:
            self.there_and_back(before, receipt)

    @rule(data=st.data(), target_name=_targets, reason=st.sampled_from(ChallengeCode), back=st.booleans())
    def challenge(self, data: st.DataObject, target_name: Target, reason: ChallengeCode, back: bool) -> None:
        """Dispute an entry: one question more, the one that is open already, or none where that has another reason."""
        before = self._observed()
        open_already = [(one.target, one.entry, one.reason) for one in self.store.asides().questions()]
        entries = self.store.snapshot().document(target_name).entries
        entry = data.draw(st.sampled_from([*entries, "was never there"]))
        receipt = self.ask(Kind.CHALLENGE, challenge=ToChallenge(target_name, entry, reason), note="why")
        documents, queue, _, (deferred, questions) = self.seen()
        assert (documents, queue, deferred) == (*before[:2], before[3][0])
        named = {part.id for part in receipt.applied}
        assert questions == before[3][1] | named
        assert len(questions - before[3][1]) == (1 if receipt.change else 0)
        reasons = {why for *about, why in open_already if about == [target_name, entry]}
        agrees = not reasons or reason in reasons
        assert len(named) == (1 if entry in entries and agrees else 0)
        if back:
            self.there_and_back(before, receipt)

    @precondition(lambda self: self.put_aside()[1])
    @rule(data=st.data(), verb=st.sampled_from(AnswerVerb), content=_contents, back=st.booleans())
    def answer(self, data: st.DataObject, verb: AnswerVerb, content: str, back: bool) -> None:
        """Answer a question: it is closed with its effect, or stays open with a reason."""
        before = self._observed()
        name = data.draw(st.sampled_from(sorted(before[3][1])))
        disputed = next(one for one in self.store.asides().questions() if one.question == name)
        asked = ToAnswer(name, verb, content if verb is AnswerVerb.CORRECT else None)
        receipt = self.ask(Kind.ANSWER, answer=asked, **_knowingly)
        documents, _, _, (deferred, questions) = self.seen()
        assert deferred == before[3][0]
        assert questions == before[3][1] - {part.id for part in receipt.applied}
        entries = _parsed(disputed.target, documents[disputed.target])
        if not receipt.done or verb is AnswerVerb.KEEP:
            assert documents == before[0]
        else:
            assert (disputed.entry in entries) == (normalise(content) == disputed.entry and verb is AnswerVerb.CORRECT)
        if back:
            self.there_and_back(before, receipt)

    # -- rules: reverting ------------------------------------------------------------------------------------------

    @precondition(lambda self: self.store.backups())
    @rule(data=st.data(), which=st.sampled_from([(), (Target.MEMORY,), (Target.USER,)]), back=st.booleans())
    def rollback(self, data: st.DataObject, which: tuple[Target, ...], back: bool) -> None:
        """Restore an image, or one document of it."""
        backup = data.draw(st.sampled_from(list(self.store.backups())))
        before = self._observed()
        came_back = self._came_back(backup.id, backup.change)
        receipt = self.ask(Kind.ROLLBACK, backup=backup.id, targets=which)
        documents = self.store.documents()
        self._check_closed_again(receipt, came_back)
        for target in Target:
            restored = target in (which or Target) and target in backup.files
            assert documents[target] == (backup.files[target] if restored else before[0][target])
        if back:
            self.there_and_back(before, receipt)

    def _came_back(self, backup: str, change: str) -> dict[str, frozenset[str]]:
        """Return what waits now, unchanged, and was decided when a backup was made, with what returned it since."""
        if backup not in self.waited:
            return {}
        past, proposals = list(self.store.changes()), self.store.proposals()
        later = past[next(n for n, one in enumerate(past) if one.id == change) :]
        returned: dict[str, set[str]] = {}
        for one in later:
            for item in one.returned:
                if item.proposal in proposals and proposals[item.proposal].digest == item.digest:
                    returned.setdefault(item.proposal, set()).add(one.id)
        decided = {item.proposal for one in past[: -len(later)] for item in one.closed} - self.waited[backup]
        return {name: frozenset(by) for name, by in returned.items() if name in decided}

    def _check_closed_again(self, receipt: Receipt, came_back: dict[str, frozenset[str]]) -> None:
        """What came back only by changes of which none is in force any more is decided again, as it was."""
        if receipt.change is None:
            return
        out = {one.id for one in self.store.changes() if one.undone_by is not None}
        again = {name for name, by in came_back.items() if by <= out}
        gone = {part.id for part in receipt.not_applied if part.code == EFFECT_ABSENT}
        assert again & set(self.store.waiting()) == again & gone
        assert again - gone <= {part.id for part in receipt.closed}

    @rule()
    def undo(self) -> None:
        """Undo the newest change of this person, picking the older text where an entry moved on."""
        self._revert(Kind.UNDO, self.store.newest_undoable(PERSON))

    @precondition(lambda self: self.store.changes())
    @rule(data=st.data())
    def undo_named(self, data: st.DataObject) -> None:
        """Undo any change by name."""
        self._revert(Kind.UNDO, data.draw(st.sampled_from([change.id for change in self.store.changes()])))

    @rule()
    def redo(self) -> None:
        """Undo the newest undo."""
        self._revert(Kind.REDO, self.store.newest_redoable(PERSON))

    def _revert(self, kind: Kind, name: str | None) -> None:
        receipt = self.ask(kind, reverts=name)
        if receipt.moved_on:
            takes = {part.pair: part.before for part in receipt.moved_on}
            receipt = self.ask(kind, reverts=name, takes=takes)
            assert receipt.moved_on == ()
        if receipt.change is not None:
            undone = {change.id: change.undone_by for change in self.store.changes()}
            assert undone[name or ""] is not None

    def _observed(self) -> Seen:
        """Let what others wrote be recorded, and return what is there now."""
        self.ask(Kind.OBSERVE)
        return self.seen()

    # -- invariants ------------------------------------------------------------------------------------------------

    @invariant()
    def the_ledger_verifies_and_only_grows(self) -> None:
        """Every row seen before is still there, unaltered."""
        rows = self.store.rows()
        assert chain_problems(rows) == []
        hashes = [row.hash for row in rows]
        assert hashes[: len(self.chain)] == self.chain
        self.chain = hashes

    @invariant()
    def every_document_can_be_read(self) -> None:
        """Whatever happened, both documents parse."""
        for document in self.store.snapshot().documents.values():
            assert document.presence in {Presence.MISSING, Presence.EMPTY, Presence.PRESENT}

    @invariant()
    def no_item_is_lost_and_none_is_in_two_places(self) -> None:
        """Each item ever staged waits or is decided, never both, never neither."""
        waiting, decided = set(self.store.waiting()), set(self.store.decided())
        assert waiting | decided == self.staged
        assert not waiting & decided

    @invariant()
    def every_recorded_change_has_its_row(self) -> None:
        """No change without a row, in the same order."""
        bodies = {row.seq: row.row for row in self.store.rows()}
        numbers = [change.seq for change in self.store.changes()]
        assert numbers == sorted(set(numbers))
        assert all(bodies[change.seq]["change"] == change.id for change in self.store.changes())


def _parsed(target: Target, raw: bytes | None) -> tuple[str, ...]:
    return parse(target, raw).entries
