"""The registry of actions: everything a key can do, once.

Here: ids, default keys, the keys in force, help words, and where an action belongs. Keys of the screens, the key row,
the help overlay, the command palette and every text that names a key are made from it. Not here: what an action does
(each screen has a method per action, named by :attr:`Action.method`), what a person may choose (``keymap``).

Keys are plain ones that exist on common layouts without AltGr. No key that decides has ``priority``, because those
fire underneath a dialog; a key that confirms differs from the one that started and is never enter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from textual.binding import Binding
from textual.keys import _character_to_key

from curator_tui.tui.shown import Shown

REVIEW, HISTORY, PLAN, READ, PLAN_ROW = "review", "history", "plan", "read", "plan_row"
LEDGER, LEARNED = "ledger", "learned"
REASONS, SECOND, EDIT, CHOOSE, MOVED_ON, HELP = "reasons", "second", "edit", "choose", "moved", "help"
REJECTS = "rejects"
UNTIL, REBASE = "until", "rebase"
SKILLS, PROFILES = "skills", "profiles"
WRITE, PROPOSE = "write", "propose"
DOCUMENTS, DISPUTE = "documents", "dispute"
MAIN = (REVIEW, DOCUMENTS, HISTORY, LEDGER, LEARNED)
BESIDE = (SKILLS, PROFILES)
EVERYWHERE = (*MAIN, *BESIDE)
LISTS = (*EVERYWHERE, PLAN)
READS = (READ, PLAN_ROW)
BACK = (DOCUMENTS, HISTORY, LEDGER, LEARNED, *BESIDE, PLAN, *READS, HELP, CHOOSE)
DIFFS = (REVIEW, HISTORY, LEDGER, SKILLS)
STEPPED = (*DIFFS, *READS, PROPOSE)
ENTRIES = (DOCUMENTS, LEARNED)
PAGED = (*EVERYWHERE, PLAN, *READS, HELP, EDIT, SECOND, MOVED_ON, REJECTS, WRITE, PROPOSE, REBASE)


class Action(NamedTuple):
    """One thing a key can do.

    Attributes:
        id: stable name, for key files and scripts.
        keys: default keys as Textual names them, the one shown first; none for what only the palette has.
        label: one or two words for the key row.
        help: what it does, for the help overlay and the palette.
        group: heading it stands under in the help overlay.
        screens: where it exists.
        decides: whether it changes memory or the queue; then it obeys the gates and is off when read only.
        rank: place in the key row, smallest first; 0 keeps it out.
        everywhere: whether the help overlay lists it once for all screens.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: str
    screens: tuple[str, ...]
    decides: bool = False
    rank: int = 0

    @property
    def name(self) -> str:
        """The action's name in Textual's words."""
        return self.id.replace(".", "_")

    @property
    def method(self) -> str:
        """The method that carries it out."""
        return f"action_{self.name}"


DECIDING = "DECIDE"
"""Heading of the actions that change memory or the queue, or lead to doing so."""
_D, _L, _M, _F, _G = DECIDING, "LOOK", "PLAN", "FIND AND MOVE", "GO TO"

ACTIONS: tuple[Action, ...] = (
    # -- deciding about one item
    Action("decide.approve", ("a",), "approve", "approve what is on screen", _D, (REVIEW,), True, 1),
    Action("decide.reject", ("x", "delete"), "reject", "reject", _D, (REVIEW,), True, 2),
    Action("decide.reject_reason", ("X",), "reject, why", "with a reason; marked: all", _D, (REVIEW,), True, 11),
    Action("decide.edit", ("e",), "edit", "edit, then approve", _D, (REVIEW,), False, 3),
    Action("decide.editor", ("E",), "editor", "write it in $EDITOR", _D, (REVIEW, EDIT, WRITE), False, 40),
    Action("decide.inside", ("I",), "inside only", "change inside the entry only", _D, (REVIEW,), False, 4),
    Action("decide.skip", ("s",), "skip", "skip for now (no decision)", _D, (REVIEW,), False, 4),
    Action("decide.defer", ("S",), "defer", "defer to a day; marked: all", _D, (REVIEW,), True, 6),
    Action("decide.log_only", (), "log only", "close it, nothing written", _D, (REVIEW,), True),
    Action("undo", ("u",), "undo", "undo the last change", _D, MAIN, True, 7),
    Action("redo", ("U",), "redo", "redo what was undone", _D, MAIN, True, 12),
    # -- looking
    Action("change.next", ("n", "right"), "next change", "next change, then next item", _L, STEPPED, False, 5),
    Action("change.prev", ("N", "left"), "change before", "change before", _L, STEPPED),
    Action("line.down", ("J", "shift+down"), "scroll", "scroll the text a line", _L, (*LISTS, EDIT, WRITE)),
    Action("line.up", ("K", "shift+up"), "a line up", "scroll the text a line up", _L, (*LISTS, EDIT, WRITE)),
    Action("page.down", ("pagedown",), "page", "scroll the text a page", _L, PAGED),
    Action("page.up", ("pageup",), "page up", "scroll the text a page up", _L, PAGED),
    Action("alternative.next", (".",), "next wording", "next wording for the entry", _L, (REVIEW,), False, 20),
    Action("alternative.prev", (",",), "wording before", "wording before", _L, (REVIEW,)),
    Action("view.source", ("i",), "source", "source, record, all details", _L,
           (REVIEW, DOCUMENTS, PLAN, PLAN_ROW), False, 13),
    Action("view.diff", ("d",), "diff", "two columns, plain, diff", _L, DIFFS, False, 16),
    Action("view.context", ("c",), "context", "more unchanged entries", _L, DIFFS, False, 17),
    Action("view.theme", ("T",), "theme", "next theme", _L, EVERYWHERE, False, 31),
    Action("view.narrower", ("<",), "narrower", "less room for the list", _L, EVERYWHERE),
    Action("view.wider", (">",), "wider", "more room for the list", _L, EVERYWHERE),
    Action("view.zoom", ("z",), "zoom", "text alone, list alone, both", _L, EVERYWHERE, False, 37),
    Action("copy", ("y",), "copy", "copy the text", _L, (*MAIN, SKILLS, *READS), False, 38),
    Action("review.copy", (), "as Markdown", "copy review as Markdown", _L, (REVIEW,)),
    Action("review.save", (), "to a file", "write review to a file", _L, (REVIEW,)),
    Action("pane.next", ("tab",), "other pane", "list or text (small window)", _L, EVERYWHERE),
    # -- a plan: marks, then the preview
    Action("mark.toggle", ("space", "insert"), "mark", "mark this item", _M, (REVIEW,), False, 8),
    Action("mark.range", ("v",), "range", "a range: v..v or shift+click", _M, (REVIEW,), False, 18),
    Action("mark.all", ("*",), "mark all", "mark all shown", _M, (REVIEW,), False, 32),
    Action("mark.section", ("=",), "mark alike", "mark all under its heading", _M, (REVIEW,), False, 21),
    Action("mark.clear", ("-",), "clear marks", "clear marks", _M, (REVIEW,), False, 33),
    Action("plan.open", ("b",), "plan", "plan for many, shown first", _M, (REVIEW,), False, 9),
    # -- moving
    Action("move.down", ("j", "down"), "down", "next row", _F, LISTS),
    Action("move.up", ("k", "up"), "up", "row before", _F, LISTS),
    Action("move.first", ("g", "home"), "first", "first row", _F, LISTS),
    Action("move.last", ("G", "end"), "last", "last row", _F, LISTS),
    Action("find", ("/",), "find", "filter the list", _F, (*MAIN, *BESIDE), False, 10),
    Action("view.deferred", ("D",), "deferred", "what is deferred, or queue", _F, (REVIEW,), False, 23),
    Action("order", ("o",), "order", "headings and order", _F, (REVIEW, DOCUMENTS, PROFILES), False, 19),
    Action("refresh", ("R", "f5"), "redraw", "read again and redraw", _F, LISTS, False, 34),
    # -- going
    Action("go.review", ("1",), "review", "the queue", _G, EVERYWHERE),
    Action("go.history", ("3",), "history", "backups and rollback", _G, EVERYWHERE, False, 14),
    Action("go.backups", ("h",), "history", "backups, as the history", _G, (REVIEW, DOCUMENTS, LEARNED)),
    Action("go.ledger", ("4", "l"), "ledger", "every decision, the chain", _G, EVERYWHERE, False, 21),
    Action("go.learned", ("5",), "learned", "all that was learned", _G, EVERYWHERE, False, 22),
    Action("go.documents", ("2", "m"), "documents", "both documents, by entries", _G, EVERYWHERE, False, 15),
    Action("go.skills", ("6",), "skills", "skills: waiting, installed", _G, EVERYWHERE, False, 34),
    Action("go.profiles", ("7", "P"), "profiles", "all profiles of this home", _G, EVERYWHERE, False, 35),
    Action("suspend", ("ctrl+z",), "to the shell", "to the shell; fg comes back", _G,
           (*EVERYWHERE, PLAN, *READS, HELP)),
    Action("palette", (":", "ctrl+p"), "all", "every action by name", _G, LISTS, False, 36),
    Action("help", ("?", "f1"), "keys", "this help", _G, LISTS),
    Action("clear", ("escape",), "clear", "clear filter, edit or range", _G, (REVIEW,)),
    Action("quit", ("q",), "quit", "go back, or leave", _G, (REVIEW,), False, 51),
    Action("back", ("q", "escape"), "back", "back, nothing changed", _G, BACK, rank=50),
    # -- the documents
    Action("entry.add", ("A",), "add", "add an entry", _D, (DOCUMENTS,), False, 2),
    Action("entry.split", ("S",), "split", "split it into entries", _D, (DOCUMENTS,), False, 6),
    Action("entry.move", ("v",), "move", "move it: v, j or k, v", _D, (DOCUMENTS,), False, 8),
    Action("entry.merge", ("M",), "merge", "entries that say the same", _D, (DOCUMENTS,), False, 5),
    Action("doc.tidy", ("t",), "tidy", "a file edited by hand: tidy", _D, (DOCUMENTS,), False, 20),
    Action("entry.dispute", ("C",), "dispute", "dispute the entry", _D, ENTRIES, False, 9),
    Action("doc.prompt", ("B",), "prompt", "exactly what the model gets", _L, (DOCUMENTS,), False, 13),
    Action("go.proposals", ("p",), "waiting", "what waits for the entry", _G, (DOCUMENTS,), False, 4),
    # -- history
    Action("history.rollback", ("r",), "roll back", "roll back to this backup", _D, (HISTORY,), True, 1),
    Action("history.target", ("t",), "one document", "roll back only one document", _D, (HISTORY,), False, 2),
    Action("history.revert", ("v",), "undo this one", "undo or redo this one alone", _D, (HISTORY,), True, 3),
    Action("history.base", ("b",), "compare", "compare others with this row", _L, (HISTORY,), False, 4),
    # -- learned
    Action("entry.correct", ("e",), "correct", "correct the entry", _D, ENTRIES, False, 2),
    Action("entry.editor", ("E",), "editor", "correct it in $EDITOR", _D, ENTRIES, False, 41),
    Action("entry.remove", ("D", "delete"), "remove", "remove it, shown first", _D, ENTRIES, False, 3),
    Action("learned.order", ("o",), "order", "newest or oldest first", _F, (LEARNED,), False, 19),
    Action("learned.everywhere", ("w",), "all profiles", "skills of all profiles, too", _F, (LEARNED,), False, 13),
    # -- ledger
    Action("open", ("enter",), "details", "all of it, on a page", _L,
           (DOCUMENTS, HISTORY, LEDGER, LEARNED, SKILLS), False, 1),
    Action("ledger.backup", ("h",), "its backup", "the backup of this row", _G, (LEDGER,), False, 2),
    Action("ledger.verify", ("V",), "verify", "verify the chain now, or stop", _L, (LEDGER,), False, 3),
    Action("ledger.save", ("S",), "save", "save these rows to a file", _L, (LEDGER,), False, 4),
    Action("ledger.view", ("v",), "view", "rows, entries, tombstones", _L, (LEDGER,), False, 5),
    Action("ledger.totals", ("t",), "totals", "what these rows say together", _L, (LEDGER,), False, 6),
    # -- skills and profiles
    Action("skills.view", ("v",), "view", "waiting or installed skills", _L, (SKILLS,), False, 2),
    Action("profiles.open", ("enter",), "open", "open this profile", _G, (PROFILES,), False, 1),
    # -- the preview of a plan
    Action("plan.apply", ("y",), "apply", "apply the whole plan", _D, (PLAN,), True, 1),
    Action("plan.look", ("enter",), "open", "this row; again: next check", _L, (PLAN,), False, 2),
    Action("plan.check", ("n",), "next check", "to the next spot check", _L, (PLAN,), False, 2),
    Action("plan.documents", ("m",), "documents", "both documents after it all", _L, (PLAN,), False, 5),
    Action("plan.drop", ("-",), "leave out", "leave it out, or put it back", _M, (PLAN,), False, 3),
    Action("plan.reject", ("x", "delete"), "reject instead", "reject this row instead", _M, (PLAN,), False, 4),
    Action("plan.reject_left", ("X",), "reject left out", "reject all that is left out", _D, (PLAN,), False, 5),
    # -- reading
    Action("read.down", ("j", "down", "J"), "scroll", "scroll a line", _L, (*READS, HELP, REJECTS, PROPOSE), False, 3),
    Action("read.on", ("enter", "space"), "on", "a page on, at the end next", _L, (*READS, HELP), False, 2),
    Action("read.up", ("k", "up", "K"), "scroll up", "scroll a line up", _L, (*READS, HELP, REJECTS, PROPOSE)),
    Action("read.first", ("g", "home"), "beginning", "to the beginning", _L, (*READS, HELP)),
    Action("read.last", ("G", "end"), "end", "to the end", _L, (*READS, HELP)),
    # -- dialogs
    Action("reason.take", ("1", "2", "3", "4", "5", "6"), "reason", "take this reason", _D, (REASONS,), True, 1),
    Action("reason.cancel", ("escape", "q"), "cancel", "back, nothing decided", _D, (REASONS,), False, 2),
    Action("dispute.take", ("1", "2", "3", "4", "5"), "reason", "dispute it for this reason", _D, (DISPUTE,), False, 2),
    Action("dispute.yes", ("y",), "dispute it", "dispute it for that reason", _D, (DISPUTE,), True, 1),
    Action("dispute.note", ("n",), "note", "write a note to the dispute", _D, (DISPUTE,), False, 3),
    Action("dispute.cancel", ("escape", "q"), "cancel", "back, nothing disputed", _D, (DISPUTE,), False, 4),
    Action("rejects.yes", ("y",), "reject all", "reject all of these", _D, (REJECTS,), True, 1),
    Action("rejects.why", ("1", "2", "3", "4", "5", "6"), "why", "one reason for all", _D, (REJECTS,), False, 2),
    Action("rejects.cancel", ("escape", "q"), "cancel", "back, nothing decided", _D, (REJECTS,), False, 4),
    Action("rebase.take", ("1", "2", "3", "4"), "choose", "what the entry shall say", _D, (REBASE,), True, 1),
    Action("rebase.cancel", ("escape", "q"), "cancel", "back, it waits as it did", _D, (REBASE,), False, 3),
    Action("until.take", ("1", "2", "3", "4", "5", "6", "7", "8"), "day", "take this day", _D, (UNTIL,), False, 2),
    Action("until.yes", ("y",), "defer", "defer it until the day chosen", _D, (UNTIL,), True, 1),
    Action("until.cancel", ("escape", "q"), "cancel", "back, nothing deferred", _D, (UNTIL,), False, 3),
    Action("second.yes", ("y",), "yes", "yes, approve anyway", _D, (SECOND,), True, 1),
    Action("second.inside", ("I", "i"), "inside only", "change inside the entry only", _D, (SECOND,), False, 2),
    Action("second.why", ("1", "2", "3"), "why", "why it may pass", _D, (SECOND,), False, 3),
    Action("edit.save", ("ctrl+s", "a"), "approve", "approve your version", _D, (EDIT,), True, 1),
    Action("edit.write", ("ctrl+s", "a"), "write", "write your text", _D, (WRITE,), True, 1),
    Action("edit.leave", ("escape", "q"), "back", "back; the draft is kept", _D, (EDIT, WRITE), False, 2),
    Action("edit.clean", ("ctrl+g", "h"), "no hidden", "take out hidden characters", _D, (EDIT, WRITE), False, 3),
    Action("edit.reset", ("r",), "reset", "the text it began with", _D, (EDIT, WRITE), False, 4),
    Action("edit.entry", ("ctrl+o", "o"), "entry now", "the entry as it stands", _D, (EDIT,), False, 4),
    Action("edit.next", ("n",), "next step", "the next step of a batch", _D, (EDIT,), False, 5),
    Action("edit.other", ("tab",), "other keys", "out of the text, or into it", _L, (EDIT, WRITE), False, 6),
    Action("propose.do", ("y",), "do it", "carry it out as shown", _D, (PROPOSE,), True, 1),
    Action("propose.other", (".",), "other way", "another way to do it", _D, (PROPOSE,), False, 2),
    Action("propose.cancel", ("escape", "q"), "cancel", "back, nothing changed", _D, (PROPOSE,), False, 4),
    Action("choose.take", ("enter", "1", "2", "3", "4", "5", "6", "7", "8", "9"), "take", "take this one", _D,
           (CHOOSE,), False, 1),
    Action("choose.down", ("j", "down"), "down", "next", _F, (CHOOSE, MOVED_ON, REBASE)),
    Action("choose.up", ("k", "up"), "up", "one before", _F, (CHOOSE, MOVED_ON, REBASE)),
    Action("choose.reject", ("x",), "reject", "reject the item instead", _D, (CHOOSE,), True, 2),
    Action("moved.take", ("1", "2", "3"), "take a text", "before, after or now", _D, (MOVED_ON,), False, 1),
    Action("moved.edit", ("e",), "edit", "write your own text", _D, (MOVED_ON,), False, 2),
    Action("moved.yes", ("y",), "do it", "undo with these texts", _D, (MOVED_ON,), True, 3),
    Action("moved.cancel", ("escape", "q"), "cancel", "back, nothing changed", _D, (MOVED_ON,), False, 4),
)  # fmt: skip

NEEDS_TERMINAL = frozenset({"decide.editor", "entry.editor", "ledger.save", "suspend", "review.save"})
"""Actions that hand the terminal to another program, or write a file where the application runs: not for a browser."""
_KEYS_WIDTH = 7
_NEVER_TEXT = frozenset({"escape", "tab", "shift+tab", *(f"f{number}" for number in range(1, 13))})
_chosen: dict[str, tuple[str, ...]] = {}
_NAMES = {
    "space": "space", "escape": "esc", "pagedown": "pgdn", "pageup": "pgup", "delete": "del", "insert": "ins",
    "right": "right",
}  # fmt: skip


def of_screen(screen: str) -> tuple[Action, ...]:
    """Return the actions of one screen, in the order of the registry."""
    return tuple(action for action in ACTIONS if screen in action.screens)


def offered(screen: str, *, web: bool) -> tuple[Action, ...]:
    """Return the actions of one screen that are offered, at a terminal or in a browser."""
    return tuple(action for action in of_screen(screen) if not (web and action.id in NEEDS_TERMINAL))


@cache
def find(name: str) -> Action:
    """Return an action by its id."""
    return next(action for action in ACTIONS if action.id == name)


def use_keys(chosen: Mapping[str, tuple[str, ...]]) -> None:
    """Put a person's own keys in force, by the id of the action; every other action has its default ones."""
    _chosen.clear()
    _chosen.update(chosen)
    deciding_keys.cache_clear()


def chosen_keys() -> Mapping[str, tuple[str, ...]]:
    """Return the keys in force that are a person's own."""
    return _chosen


def keys_of(action: Action) -> tuple[str, ...]:
    """Return the keys of an action that are in force, the one shown first; none where only the palette has it."""
    return _chosen.get(action.id, action.keys)


def key_for(name: str) -> Shown:
    """Return the key of an action for a text that tells what to press; without one, how the palette finds it."""
    keys = keys_of(find(name))
    return Shown(key_name(keys[0]) if keys else f"{keys_of(find('palette'))[0]} {find(name).label}")


def while_typing(action: Action) -> tuple[str, ...]:
    """Return the keys of an action that still mean it while a field takes what is typed."""
    return tuple(key for key in keys_of(action) if key in _NEVER_TEXT or key.startswith("ctrl+"))


def key_out() -> Shown:
    """Return the key that takes a filter away, the one that does so in its field too where that one goes back."""
    keys = keys_of(find("back"))
    return Shown(key_name("escape" if "escape" in keys else keys[0]))


def is_menu(action: Action) -> bool:
    """Whether its digits are the numbers of what is listed, so that each means something else."""
    return sum(key.isdigit() for key in action.keys) > 1


def key_name(key: str) -> str:
    """Return how a key is written on screen."""
    return _NAMES.get(key, key)


def keys_shown(action: Action) -> str:
    """Return the keys of an action for the help overlay: two at most, a run of digits as a range."""
    keys = keys_of(action)
    if len(keys) > 2 and all(key.isdigit() for key in keys):
        return f"{keys[0]}-{keys[-1]}"
    names = [key_name(key) for key in keys[:2]]
    both = " ".join(names)
    return both if len(both) <= _KEYS_WIDTH else names[0]


def textual_key(key: str) -> str:
    """Return a key as Textual names it in key events: signs have words, letters stay as they are."""
    return _character_to_key(key) if len(key) == 1 else key


def events_of(*names: str) -> frozenset[str]:
    """Return the keys of some actions, as Textual names them in key events."""
    return frozenset(textual_key(key) for name in names for key in keys_of(find(name)))


def quiet_keys() -> frozenset[str]:
    """Return the keys that move in lists and texts: pressed out of habit they answer nothing, and are no words."""
    return events_of("page.down", "page.up", "move.down", "move.up", "read.down", "read.up")


def bindings(screen: str) -> list[Binding]:
    """Return Textual's bindings of one screen; digits of a menu carry their number as an argument."""
    made: list[Binding] = []
    for action in of_screen(screen):
        menu = is_menu(action)
        for key in keys_of(action):
            name = f"{action.name}({key})" if menu and key.isdigit() else action.name
            made.append(
                Binding(textual_key(key), name, action.help, show=False, id=f"{action.id}:{key}" if menu else None)
            )
    return made


@cache
def deciding_keys(screen: str) -> frozenset[str]:
    """Return the keys that decide something on a screen, as Textual names them in key events."""
    return frozenset(textual_key(key) for action in of_screen(screen) if action.decides for key in keys_of(action))


def in_key_row(screen: str) -> tuple[Action, ...]:
    """Return the actions of a screen's key row, most useful first."""
    return tuple(sorted((action for action in of_screen(screen) if action.rank), key=lambda action: action.rank))


def groups(actions: Iterable[Action]) -> dict[str, list[Action]]:
    """Return actions under their headings, in the order of the registry."""
    found: dict[str, list[Action]] = {}
    for action in actions:
        found.setdefault(action.group, []).append(action)
    return found


def answer_keys() -> tuple[Shown, Shown, Shown]:
    """Return the keys that keep, correct and remove the entry of a question."""
    return key_for("decide.approve"), key_for("decide.edit"), key_for("decide.reject")
