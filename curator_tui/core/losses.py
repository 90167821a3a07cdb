"""Which facts of an entry a ``replace`` drops, or a ``remove`` takes along: clauses, the lossy rule, inside only.

Not here: how a change is painted (:mod:`curator_tui.core.diffs`), how alike two texts are
(:mod:`curator_tui.core.likeness`), and what a lossy item may do (the preflight). The words that do not
count are data in :mod:`curator_tui.core.function_words`.

Rule (design, "The lossy rule"): a ``replace`` is lossy when a fact that stands in the located entry
*outside the match* is not in what the proposal leaves behind. All lengths are characters, that is Unicode
code points. Everything is pure, and linear in its texts up to the stated bounds.

Beyond the rule's text, measured on labelled pairs (``tests/data/lossy-pairs.json``), so that honest rewrites
pass: ideographs count one by one instead of in pairs; endings in Hiragana, verbs that only frame a fact,
accents and the Arabic article do not count; all negations are one word; words live inside compounds, in
plural and singular; and a number may stand for a number where a patch is recognised.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from curator_tui.core.diffs import entry_diff
from curator_tui.core.function_words import FUNCTION_WORDS, HAN_FUNCTION, NEGATIONS
from curator_tui.core.normal import normal
from curator_tui.core.patterns import late
from curator_tui.core.scripts import HAN, HANGUL, HIRAGANA, KATAKANA, MARKS, UNSPACED

MAX_WORDS: Final = 1_000
"""An entry with more words is not checked but held as lossy (rule 6)."""

MAX_ENTRY: Final = 20_000
"""Characters of an entry above which its words are not even counted: no scope's limit comes near."""

MAX_NEW: Final = 100_000
"""Characters of all new texts together above which nothing is compared."""

_MAX_STEM: Final = 40
"""Longer words (paths, addresses, keys) live only if equal; keeps the index of stems linear."""

_SCRIPTS = f"{HAN}{HIRAGANA}{KATAKANA}{HANGUL}{UNSPACED}"
_LETTER = rf"(?:[^\W{_SCRIPTS}]|[{MARKS}])"
_WORD = late(
    rf"(?P<han>[{HAN}]+)|(?P<hiragana>[{HIRAGANA}]+)|(?P<run>[{KATAKANA}]+|[{HANGUL}]+|[{UNSPACED}]+)"
    rf"|{_LETTER}+(?:[-_./:@'’+#]{{1,3}}{_LETTER}+)*"
)
_ASCII_WORD = late(r"\w+(?:[-_./:@'+#]{1,3}\w+)*")  # what the one above finds in ASCII, without its wide classes
_HAN_BEFORE = late(f"[{HAN}{KATAKANA}]")
_ARABIC_ARTICLE = late("^[وف]?(?:[بك]?ال|لل)(?=...)|^و(?=...)")
_ARABIC_LETTERS = str.maketrans("ىة", "يه", "\u0640")
_ACCENTS = late("[\u0300-\u036f\u064b-\u0655\u0670]")
_DIGITS = late(r"\d+")
_JOINTS = late("[-/]+")
DENIAL = "not"
"""What every denial is folded to."""
_MIN_COMPOUND: Final = 5  # letters of a word that may live inside a compound
_MIN_ROOT: Final = 6  # letters of its root that must stand there; a shorter word stands there whole

_CUT = late(
    r"[\n\r\v\f\x85\u2028\u2029]"
    r"|(?P<sentence>(?<=[.!?])\s)"
    r"|(?<=[。！？；，、])"
    r"|;|,\s|\s\|\s|\s(?:--?|[–—])\s"
    r"|(?=\[[^\[\]\n]{1,40}\])"
    r"|\s(?:and|but|und|aber|et|mais|y|pero)(?=\s)",
    re.IGNORECASE,
)
_LIST_MARK = late(r"\s*(?:[-*+•]|\d{1,3}[.)]|[a-zA-Z][.)])(?:\s+|$)")
_LINE_ENDS = frozenset("\n\r\v\f\x85\u2028\u2029")


class Losses(Struct, frozen=True):
    """What a ``replace`` would drop.

    Attributes:
        lost: clauses as they stand in the entry, in reading order; each is a substring of it.
        too_long: the texts were too long to check; the item is held as lossy.
    """

    lost: tuple[str, ...] = ()
    too_long: bool = False

    def __bool__(self) -> bool:
        return self.too_long or bool(self.lost)


class Word(NamedTuple):
    """One word that may carry a fact: its folded form and where it stands in the text it was cut from."""

    form: str
    start: int
    end: int


class Clause(NamedTuple):
    """One clause of an entry: ``entry[start:end]``, without surrounding blanks and list mark."""

    start: int
    end: int


def words(text: str) -> Iterator[Word]:
    """Yield the words of a text that may carry a fact (rule 2), in order.

    Function words and single letters are left out; single digits are not. Scripts without blanks between
    words give smaller units: each ideograph by itself, overlapping pairs otherwise. Hiragana right after an
    ideograph or a Katakana word is an ending or a particle and is left out.
    """
    for found in (_ASCII_WORD if text.isascii() else _WORD).finditer(text):
        run, start, end = found.group(), found.start(), found.end()
        kind = found.lastgroup
        if kind == "han":
            for at, sign in enumerate(run, start):
                if sign not in HAN_FUNCTION:
                    yield Word(normal("NFKC", sign), at, at + 1)
        elif kind == "hiragana" and start and _HAN_BEFORE.match(text, start - 1):
            continue
        elif kind:
            for at in range(len(run) - 1):
                yield Word(normal("NFKC", run[at : at + 2]), start + at, start + at + 2)
        else:
            form = normal("NFKC", run).casefold().replace("’", "'")
            if form in FUNCTION_WORDS or (len(form) == 1 and not form.isdigit()):
                continue
            plain = DENIAL if form in NEGATIONS else _plain(form)
            lost_accent = plain.isascii() and not form.isascii()  # Spanish "té" is tea, "te" is grammar
            if plain and (lost_accent or plain not in FUNCTION_WORDS):
                yield Word(plain, start, end)


def _plain(form: str) -> str:
    """A folded word without what rewriting changes freely: accents, a genitive, the Arabic article."""
    if form.isascii():
        return form.removesuffix("'s")
    bare = _ACCENTS.sub("", normal("NFKD", form)).translate(_ARABIC_LETTERS)
    return _ARABIC_ARTICLE.sub("", normal("NFC", bare))


@lru_cache(maxsize=64)
def clauses(entry: str) -> tuple[Clause, ...]:
    """Cut an entry into clauses (rule 1), in order."""
    pieces: list[Clause] = []
    start = 0
    for cut in _CUT.finditer(entry):
        if cut.lastgroup == "sentence" and _LIST_MARK.fullmatch(entry[start : cut.start()]):
            continue
        pieces.append(Clause(start, cut.start()))
        start = cut.end()
    pieces.append(Clause(start, len(entry)))
    return tuple(piece for piece in (_trimmed(entry, piece) for piece in pieces) if piece.start < piece.end)


def _trimmed(entry: str, piece: Clause) -> Clause:
    """The piece without surrounding blanks, nor the list mark where it begins a line."""
    text = entry[piece.start : piece.end]
    begins = piece.start == 0 or entry[piece.start - 1] in _LINE_ENDS
    mark = _LIST_MARK.match(text) if begins else None
    lead = mark.end() if mark else len(text) - len(text.lstrip())
    return Clause(piece.start + lead, piece.start + max(lead, len(text.rstrip())))


class Living:
    """The words of some texts, indexed: asking costs the same however many there are."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._equal = {word.form for text in texts for word in words(text)}
        self._bare = {_DIGITS.sub("", form) for form in self._equal}
        self._stems = {stem for form in self._equal for part in (form, *_parts(form)) for stem in _stems(part)}
        self._joined = "\n".join(self._equal)

    def __contains__(self, form: str) -> bool:
        """Whether the word lives (rule 3).

        Beyond the rule's text, a word lives inside a compound (*Keller* in *Kellerserver*), and a compound
        with a hyphen or slash lives if all its parts do.
        """
        if form in self._equal:
            return True
        if _DIGITS.search(form):
            bare = _DIGITS.sub("", form)
            return sum(letter.isalpha() for letter in bare) >= 2 and bare in self._bare
        parts = _parts(form)
        if len(parts) > 1:
            return all(part in self for part in parts)
        if any(stem in self._stems for stem in _stems(form)):
            return True
        root = form[: max(_MIN_ROOT, -(-len(form) * 6 // 10))]
        return _MIN_COMPOUND <= len(form) <= _MAX_STEM and root in self._joined

    def __bool__(self) -> bool:
        """Whether there is any word that may carry a fact."""
        return bool(self._equal)

    def has_number(self) -> bool:
        """Whether any word holds digits."""
        return any(_DIGITS.search(form) for form in self._equal)


def _parts(form: str) -> list[str]:
    """The parts of a compound that may carry a fact; nothing for a simple word."""
    if not _JOINTS.search(form):
        return []
    return [part for part in _JOINTS.split(form) if len(part) > 1 and part not in FUNCTION_WORDS]


def _stems(form: str) -> Iterator[str]:
    """The word without a plural's ``s``, and its prefixes of 4 and more letters that make 60 % of it or more.

    Two words share a prefix of 60 % of the *longer* one exactly if one string is among the stems of both.
    """
    if 3 <= len(form) <= _MAX_STEM and not _DIGITS.search(form):
        yield form.removesuffix("s")
        for length in range(max(4, -(-len(form) * 6 // 10)), len(form) + 1):
            yield form[:length]


@lru_cache(maxsize=64)
def _facts(entry: str) -> tuple[Word, ...]:
    """The words of an entry; thousands of proposals may mean one and the same."""
    return tuple(words(entry))


def lost_facts(entry: str, match: str, new_texts: Sequence[str], content: str) -> Losses:
    """The facts of an entry that a ``replace`` would drop (the lossy rule).

    Args:
        entry: the located entry.
        match: the text that located it; where it stands more than once, its first place counts.
        new_texts: what the proposal leaves behind: the content and the contents of its other operations.
        content: the new entry.
    """
    match = match.strip()
    if match == entry.strip():
        return Losses()
    if len(entry) > MAX_ENTRY or sum(map(len, new_texts)) + len(content) > MAX_NEW:
        return Losses(too_long=True)
    facts = _facts(entry)
    if len(facts) > MAX_WORDS:
        return Losses(too_long=True)
    texts = tuple(dict.fromkeys((*new_texts, content)))
    living = Living(texts)
    own_words = living if len(texts) == 1 else Living([content])
    at = entry.find(match) if match else -1
    inside = Clause(at, at + len(match)) if at >= 0 else Clause(0, 0)
    touched: list[Clause] = []
    lost: list[Clause] = []
    for clause in clauses(entry):
        if clause.start < inside.end and inside.start < clause.end:
            touched.append(clause)
            continue
        if _is_lost(entry, clause, facts, living, texts):
            lost.append(clause)
    lost += _lost_around(facts, touched, inside, living, patch=_patches(match, content, own_words))
    return Losses(tuple(entry[clause.start : clause.end] for clause in sorted(lost)))


def _is_lost(entry: str, clause: Clause, facts: Sequence[Word], living: Living, texts: Sequence[str]) -> bool:
    """Whether fewer than half of the words of a clause live on and it does not stand there literally (rule 4)."""
    own = [word.form for word in facts if clause.start <= word.start and word.end <= clause.end]
    alive = sum(form in living for form in own)
    return alive * 2 < len(own) and not any(entry[clause.start : clause.end] in text for text in texts)


def _lost_around(
    facts: Sequence[Word], touched: Sequence[Clause], inside: Clause, living: Living, *, patch: bool
) -> list[Clause]:
    """The touched clauses whose words left and right of the match are dropped (rule 5)."""
    outside = [
        (clause, word.form in living)
        for clause in touched
        for word in facts
        if clause.start <= word.start <= word.end <= clause.end
        and (word.end <= inside.start or word.start >= inside.end)
    ]
    alive = sum(lives for _, lives in outside)
    few = len(outside) >= 2 and alive * 10 < len(outside) * 4
    if few or (patch and outside and alive == 0):
        return list(dict.fromkeys(clause for clause, lives in outside if not lives))
    return []


def _patches(match: str, content: str, living: Living) -> bool:
    """Whether the content is only the match with other words in it (``living``); a number may stand for a number."""
    own = [word.form for word in words(match)]
    number = living.has_number()
    kept = sum(form in living or (number and _DIGITS.search(form) is not None) for form in own)
    return 2 * kept >= len(own) and 2 * len(content) <= 3 * len(match) + 16


def inside_only(entry: str, match: str, content: str) -> str | None:
    """The entry with the content only in place of the match (rule 7), or None where that is not applicable.

    The match is widened to the left by the longest stretch that the content begins with, and to the right
    by the longest that it ends with, so that words the content repeats do not stand twice.
    """
    match = match.strip()
    start = entry.find(match) if match else -1
    if start < 0 or entry.find(match, start + 1) >= 0 or max(len(entry), len(content)) > MAX_ENTRY // 2:
        return None
    end = start + len(match)
    left = max(k for k in range(min(start, len(content)) + 1) if content.startswith(entry[start - k : start]))
    rest = content[left:]  # what stands left of the match is not counted once more on its right
    right = max(k for k in range(min(len(entry) - end, len(rest)) + 1) if rest.endswith(entry[end : end + k]))
    result = entry[: start - left] + content + entry[end + right :]
    return None if result in (entry, content) else result


def facts_outside(entry: str, match: str, kept: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the facts of an entry that its removal takes along: clauses that the match does not touch, as they stand.

    Nothing where the match is the entry, or does not stand in it: then nobody can tell what it speaks of. A clause
    that lives on in ``kept``, the other texts that the proposal leaves behind, is not taken (rules 3 and 4).
    """
    match = match.strip()
    start = entry.find(match)
    if start < 0 or match == entry.strip() or len(entry) > MAX_ENTRY or sum(map(len, kept)) > MAX_NEW:
        return ()
    end = start + len(match)
    apart = [clause for clause in clauses(entry) if clause.end <= start or end <= clause.start]
    living = Living(kept)
    return tuple(entry[one.start : one.end] for one in apart if _is_lost(entry, one, _facts(entry), living, kept))


def meant_only(entry: str, match: str) -> str | None:
    """Return the entry without the clauses that the match of a removal speaks of, or None where that is not clear.

    The match must stand once, and hold every word of the clauses it touches: nobody can say what a removal of half a
    clause would leave. What joined these clauses to the one before, or the one behind, goes with them.
    """
    match = match.strip()
    start = entry.find(match) if match else -1
    if start < 0 or entry.find(match, start + 1) >= 0 or len(entry) > MAX_ENTRY // 2:
        return None
    end = start + len(match)
    cut = clauses(entry)
    touched = [at for at, one in enumerate(cut) if one.start < end and start < one.end]
    if not touched or len(touched) == len(cut):
        return None
    first, last = cut[touched[0]], cut[touched[-1]]
    within = (word for word in _facts(entry) if first.start <= word.start and word.end <= last.end)
    if any(word.start < start or word.end > end for word in within):
        return None
    if touched[0] == 0:
        return (entry[: first.start] + entry[cut[touched[-1] + 1].start :]).strip()
    return (entry[: cut[touched[0] - 1].end] + entry[last.end :]).strip()


def shrinks_below_half(entry: str, content: str) -> bool:
    """Whether the content is shorter than half of the entry: a soft finding where the match is the entry."""
    return 2 * len(content.strip()) < len(entry.strip())


def text_lines_lost(entry: str, after: str) -> tuple[int, int, int]:
    """Count the lines of an entry that hold text: how many are gone, how many changed, how many there were.

    A line is changed where a similar one takes its place. A line whose words stand somewhere in the new text
    literally (joined into another line, or under another list mark) is neither; in texts beyond
    :data:`MAX_ENTRY` it counts as gone.
    """
    old = [line.strip() for line in entry.splitlines() if line.strip()]
    new = [line.strip() for line in after.splitlines() if line.strip()]
    short = max(len(entry), len(after)) <= MAX_ENTRY  # looking for each of very many lines takes too long
    gone = changed = 0
    for part in entry_diff(old, new):
        if part.kind == "changed":
            changed += 1
        elif part.kind == "removed" and part.before is not None:
            mark = _LIST_MARK.match(part.before)
            gone += not (short and part.before[mark.end() if mark else 0 :] in after)
    return gone, changed, len(old)
