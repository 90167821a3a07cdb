"""The documents screen: both documents entry by entry, and every change of them by hand.

Here: the keys that change something, ask for something or lead elsewhere. Not here: what is listed and how
(``documents_ground``), previews and carrying out (``correcting``).
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import BindingType

from curator_tui.core.documents import FILE_NAMES, TARGETS, Target
from curator_tui.core.gains import Gain
from curator_tui.core.splitting import split_correction, splits
from curator_tui.curator.desk import Desk
from curator_tui.curator.holdings import EntrySort, Held
from curator_tui.curator.prompting import as_the_model_reads
from curator_tui.tui.actions import DOCUMENTS, HISTORY, REVIEW, bindings, key_for
from curator_tui.tui.entry_pages import entry_page, prompt_page
from curator_tui.tui.facts import file_name
from curator_tui.tui.screens.acting import read_only_words
from curator_tui.tui.screens.documents_ground import DocumentsGround
from curator_tui.tui.shown import own, say
from curator_tui.tui.wanted import arranged, merged, split, tidied

_ABOUT = {Target.MEMORY: "the agent's own notes", Target.USER: "who the user is"}


class DocumentsScreen(DocumentsGround):
    """Both documents."""

    CSS_PATH = "../styles/documents.tcss"
    AUTO_FOCUS = "#rows"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(DOCUMENTS)]

    def _at_hand(self) -> Held | None:
        """Return the entry that a key is about, unless something speaks against it."""
        if not self._nothing_carried() or not self.is_free():
            return None
        held = self.at_cursor()
        if held is None:
            self.say((own("there is no entry under the cursor"),))
        return held

    def _nothing_carried(self) -> bool:
        if self.carried is not None:
            self.say((own("first put the entry down: {}, or {}", key_for("entry.move"), key_for("back"), role="warn"),))
        return self.carried is None

    # -- one entry -------------------------------------------------------------------------------------------------

    def action_entry_correct(self) -> None:
        """Write another wording for the entry."""
        if (held := self._at_hand()) is not None:
            self.correcting.correct_entry(*held.key)

    def action_entry_editor(self) -> None:
        """Write another wording for the entry in ``$EDITOR`` first."""
        if (held := self._at_hand()) is not None:
            self.correcting.correct_outside(*held.key)

    def action_entry_remove(self) -> None:
        """Show what removing the entry would do."""
        if (held := self._at_hand()) is not None:
            self.correcting.remove_entry(*held.key)

    def action_entry_split(self) -> None:
        """Show the ways in which the entry can be split."""
        held = self._at_hand()
        if held is None or self.found is None:
            return
        entries = self.found.snapshot.document(held.target).entries
        ways = [
            split(held.target, held.text, one, split_correction(entries, held.target, held.text, one.parts))
            for one in splits(held.text)
        ]
        if not ways:
            key = key_for("entry.correct")
            self.say((own("it is one piece: no heading, list or blank line to split it at; {} edits it", key),))
        self.correcting.propose(*ways)

    def action_entry_add(self) -> None:
        """Choose a document, the one at the cursor first, then write a new entry for it."""
        from curator_tui.tui.screens.choosing import ChooseScreen

        if self.app.read_only:
            self.say(read_only_words(web=self.app.is_web))
            return
        if self.found is None or not self._nothing_carried() or not self.is_free():
            return
        targets = [target for target in TARGETS if self.found.snapshot.document(target).usable]
        if not targets:
            self.say((own("neither document can be read, so nothing can be added", role="bad"),))
            return

        def chosen(at: int | None) -> None:
            if at is not None:
                self.correcting.add_entry(targets[at])

        texts = [f"{FILE_NAMES[target]}: {_ABOUT[target]}" for target in targets]
        held = self.at_cursor()
        at = targets.index(held.target) if held is not None and held.target in targets else 0
        self.app.push_screen(ChooseScreen(say("add an entry to which document?"), texts, at=at), chosen)

    # -- order and form --------------------------------------------------------------------------------------------

    def action_entry_move(self) -> None:
        """Take the entry up; a second time show what its new place does."""
        if self.carried is not None:
            self._put_down()
            return
        held = self._at_hand()
        if held is None:
            return
        if self.sort is not EntrySort.DOCUMENT or self.words:
            keys = key_for("back"), key_for("order")
            self.say((own("an entry moves in the order of its document: {} clears the filter, {} the order", *keys),))
            return
        self.carried = held.key
        self.say(())  # how to go on is said where the last message stood
        self.draw()

    def _carry(self, step: int) -> None:
        """Move the entry that was taken up past its neighbour, on the screen only."""
        assert self.found is not None
        assert self.carried is not None
        target, text = self.carried
        own_entries = [one for one in self.found.entries if one.target is target]
        at = next(place for place, one in enumerate(own_entries) if one.text == text)
        to = max(0, min(at + step, len(own_entries) - 1))
        own_entries.insert(to, own_entries.pop(at))
        numbered = [replace(one, number=number) for number, one in enumerate(own_entries, 1)]
        others = {one: [held for held in self.found.entries if held.target is one] for one in TARGETS}
        others[target] = numbered
        entries = tuple(held for one in TARGETS for held in others[one])
        self.found = replace(self.found, entries=entries)
        self.say(())
        self.draw()

    def _put_down(self) -> None:
        assert self.found is not None
        assert self.carried is not None
        target, text = self.carried
        order = tuple(one.text for one in self.found.entries if one.target is target)
        stands = self.found.snapshot.document(target).entries
        self.put_back()
        if order == stands:
            self.say((own("it stands where it stood"),))
        else:
            self.correcting.propose(arranged(target, order, text))

    def put_back(self) -> None:
        """Show the entries in the order in which they stand."""
        assert self.found is not None
        self.carried = None
        stands = {
            (target, text): number
            for target in TARGETS
            for number, text in enumerate(self.found.snapshot.document(target).entries, 1)
        }
        held = [replace(one, number=stands[one.key]) for one in self.found.entries]
        order = sorted(held, key=lambda one: (TARGETS.index(one.target), one.number))
        self.found = replace(self.found, entries=tuple(order))
        self.draw()

    def action_move_down(self) -> None:
        """Go to the next row, or move the entry that was taken up."""
        self._carry(1) if self.carried is not None else super().action_move_down()

    def action_move_up(self) -> None:
        """Go to the row before, or move the entry that was taken up."""
        self._carry(-1) if self.carried is not None else super().action_move_up()

    def action_move_first(self) -> None:
        """Go to the first row, or move the entry that was taken up to the front."""
        self._carry(-1_000_000) if self.carried is not None else super().action_move_first()

    def action_move_last(self) -> None:
        """Go to the last row, or move the entry that was taken up to the end."""
        self._carry(1_000_000) if self.carried is not None else super().action_move_last()

    def action_doc_tidy(self) -> None:
        """Show what writing a document in Hermes's own form would change."""
        if self.found is None or not self._nothing_carried():
            return
        drifted = [target for target in TARGETS if self.found.snapshot.document(target).drifted]
        if not drifted:
            self.say((own("both documents are in Hermes's own form already"),))
        self.correcting.propose(*(tidied(target) for target in drifted))

    # -- room ------------------------------------------------------------------------------------------------------

    def action_entry_merge(self) -> None:
        """Show what removing one of two entries that are alike would do; those of the entry at hand first."""
        if self.found is None or not self._nothing_carried() or not self.is_free():
            return
        held = self.at_cursor()
        pairs = [(target, gain) for target, found in self.found.gains.items() for gain in found]
        own_pairs = [pair for pair in pairs if held is not None and held.key in _both(*pair)]
        if len(own_pairs or pairs) == 1:
            self.correcting.propose(*merged(*(own_pairs or pairs)[0]))
        elif pairs:
            self._choose_pair(own_pairs or pairs)
        else:
            self.say((own("no two entries are alike: there is nothing to merge"),))

    def _choose_pair(self, pairs: list[tuple[Target, Gain]]) -> None:
        from curator_tui.tui.screens.choosing import ChooseScreen

        def chosen(at: int | None) -> None:
            if at is not None:
                self.correcting.propose(*merged(*pairs[at]))

        texts = [f"{gain.saved} less, {gain.likeness}: {gain.drop}" for _, gain in pairs]
        self.app.push_screen(ChooseScreen(say("which pair?"), texts), chosen)

    # -- elsewhere -------------------------------------------------------------------------------------------------

    def action_go_proposals(self) -> None:
        """Go to the queue, to what waits for the entry."""
        held = self._at_hand()
        if held is None:
            return
        if not held.waiting:
            self.say((own("nothing waits for this entry"),))
            return
        self.app.session.words = f"entry:{held.learned.id}"
        self.app.go(REVIEW)

    def action_go_backups(self) -> None:
        """Go to the history, to the change that brought the entry where that is known."""
        held = self.at_cursor()
        self.app.go(HISTORY, held.origin.change if held is not None else "")

    def action_open(self) -> None:
        """Show the entry in a window, with the messages behind it and the texts before it."""
        if (held := self._at_hand()) is not None:
            self.work(partial(self._open, held), "open")

    def action_view_source(self) -> None:
        """Show the entry with the messages behind it."""
        self.action_open()

    async def _open(self, held: Held) -> None:
        from curator_tui.tui.screens.reading import ReadScreen

        found = self.found
        origin, evidence = await self.app.clerk.evidence_of(held.origin)
        if self.is_current and found is not None:
            title = say("entry {} of {}", held.number, file_name(held.target))
            page = entry_page(found, held, self.app.clerk.desk.actor, origin, evidence)
            self.app.push_screen(ReadScreen(title, page))

    def action_doc_prompt(self) -> None:
        """Show exactly what the model gets of memory."""
        self.work(self._show_prompt, "prompt")

    async def _show_prompt(self) -> None:
        from curator_tui.tui.screens.reading import ReadScreen

        def read(desk: Desk) -> tuple[str, tuple[Target, ...]]:
            desk.refresh()
            enabled = desk.facts().enabled
            return as_the_model_reads(desk), tuple(target for target in TARGETS if enabled.get(target) is False)

        text, unused = await self.app.clerk.ask(read)
        if self.is_current:
            page = prompt_page(text, tuple(file_name(target) for target in unused))
            self.app.push_screen(ReadScreen(say("what the model gets"), page))

    def action_entry_dispute(self) -> None:
        """Ask why the entry is disputed; it then waits in the queue as a question."""
        if (held := self._at_hand()) is not None:
            self.disputing.dispute_entry(*held.key)


def _both(target: Target, gain: Gain) -> tuple[tuple[Target, str], tuple[Target, str]]:
    return (target, gain.drop), (target, gain.keep)
