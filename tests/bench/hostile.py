"""Texts that are hard to compare or to lay out: what an agent could write to keep a reviewer's screen busy.

Here: pairs of texts and single ones, as pure data made by rules. Not here: timing them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

Maker = Callable[[int, random.Random], tuple[str, str]]


def pairs(size: int) -> Iterator[tuple[str, str, str]]:
    """Yield (name, before, after), each text of ``size`` characters."""
    for name, maker in _MAKERS.items():
        before, after = maker(size, random.Random(f"{name} {size}"))
        yield name, before[:size], after[:size]


def long_texts(size: int) -> Iterator[tuple[str, str]]:
    """Yield (name, text): each as heavy for a screen as ``size`` characters can be made."""
    yield "words", _cycle("some words ", size)[:size]
    yield "lines", _cycle("a line\n", size)[:size]
    yield "hidden", "\u200b" * (size // 3)  # each is three bytes of a record, and a token of eight on screen


def many_entries(size: int) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield (name, entries before, entries after), each list of ``size`` characters altogether."""
    dice = random.Random(size)
    short = [f"e{number}" for number in range(size // 9)]
    shuffled = dice.sample(short, len(short))
    yield "entries shuffled", short, shuffled
    yield "entries all new", short, [f"f{entry}" for entry in short]
    yield "entries reversed", short, short[::-1]
    yield "one entry many times", ["same words"] * (size // 13), ["same words", "other words"] * (size // 27)
    likes = [f"the port of host {number} is {number * 7}" for number in range(size // 36)]
    yield "entries alike", likes, [entry.replace("port", "gate") for entry in likes]
    yield "entries alike, shuffled", likes, dice.sample([f"{entry} now" for entry in likes], len(likes))


def _cycle(text: str, size: int) -> str:
    return text * (size // len(text) + 1)


def _words(count: int, dice: random.Random, kinds: int) -> list[str]:
    return [f"w{dice.randrange(kinds):x}" for _ in range(count)]


def _one_word(size: int, _: random.Random) -> tuple[str, str]:
    return _cycle("yes ", size), _cycle("yes yes, ", size)


def _two_words(size: int, dice: random.Random) -> tuple[str, str]:
    return " ".join(_words(size // 3, dice, 2)), " ".join(_words(size // 3, dice, 2))


def _unique_reversed(size: int, _: random.Random) -> tuple[str, str]:
    words = [f"{number:x}" for number in range(size)][: size // 4]
    return " ".join(words), " ".join(reversed(words))


def _unique_shuffled(size: int, dice: random.Random) -> tuple[str, str]:
    words = [f"{number:x}" for number in range(size)][: size // 4]
    return " ".join(words), " ".join(dice.sample(words, len(words)))


def _blocks_shuffled(size: int, dice: random.Random) -> tuple[str, str]:
    words = [f"{number:x}" for number in range(size // 4)]
    blocks = [words[at : at + 3] for at in range(0, len(words), 3)]
    return " ".join(words), " ".join(word for block in dice.sample(blocks, len(blocks)) for word in block)


def _every_other(size: int, _: random.Random) -> tuple[str, str]:
    words = [f"{number:x}" for number in range(size // 4)]
    return " ".join(words), " ".join(word if at % 2 else f"{word}z" for at, word in enumerate(words))


def _few_kinds(size: int, dice: random.Random) -> tuple[str, str]:
    return " ".join(_words(size // 4, dice, 40)), " ".join(_words(size // 4, dice, 40))


def _thue_morse(size: int, _: random.Random) -> tuple[str, str]:
    signs = "".join("ab"[number.bit_count() % 2] + " " for number in range(size // 2))
    return signs, signs[::-1]


def _signs(size: int, dice: random.Random) -> tuple[str, str]:
    return "".join(dice.choices(".,;:!?-/", k=size)), "".join(dice.choices(".,;:!?-/", k=size))


def _blanks(size: int, dice: random.Random) -> tuple[str, str]:
    return "".join(dice.choices(" \t", k=size)), "".join(dice.choices(" \t", k=size))


def _lines_shuffled(size: int, dice: random.Random) -> tuple[str, str]:
    lines = [f"line {number} holds words\n" for number in range(size // 20)]
    return "".join(lines), "".join(dice.sample(lines, len(lines)))


def _lines_alike(size: int, _: random.Random) -> tuple[str, str]:
    return _cycle("- one more of the same\n", size), _cycle("- one more of the sane\n", size)


def _bare_lines(size: int, _: random.Random) -> tuple[str, str]:
    return _cycle("a\n", size), _cycle("b\n\n", size)


def _no_blanks(size: int, dice: random.Random) -> tuple[str, str]:
    return "".join(dice.choices("ab", k=size)), "".join(dice.choices("ab", k=size))


def _ideographs(size: int, dice: random.Random) -> tuple[str, str]:
    signs = [chr(number) for number in range(0x4E00, 0x4E00 + 300)]
    return "".join(dice.choices(signs, k=size)), "".join(dice.choices(signs, k=size))


def _marks(size: int, _: random.Random) -> tuple[str, str]:
    return "e" + "\u0301\u0323" * (size // 2), "e" + "\u0323\u0301" * (size // 2)


def _joined_faces(size: int, dice: random.Random) -> tuple[str, str]:
    faces = ["👩\u200d💻", "👨\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "👍🏽"]
    return "".join(dice.choices(faces, k=size)), "".join(dice.choices(faces, k=size))


def _joints(size: int, dice: random.Random) -> tuple[str, str]:
    return "-".join(_words(size // 4, dice, 4000)), "-".join(_words(size // 4, dice, 4000))


def _clauses(size: int, dice: random.Random) -> tuple[str, str]:
    return "; ".join(_words(size // 6, dice, 5000)), ", ".join(_words(size // 6, dice, 5000))


def _prefixes(size: int, _: random.Random) -> tuple[str, str]:
    long = "a" * 200
    return " ".join(long[: number % 197 + 3] for number in range(size // 100)), _cycle(f"{long} ", size)


_MAKERS: dict[str, Maker] = {
    "one word repeated": _one_word,
    "two words": _two_words,
    "words reversed": _unique_reversed,
    "words shuffled": _unique_shuffled,
    "triples shuffled": _blocks_shuffled,
    "every other word new": _every_other,
    "forty words": _few_kinds,
    "Thue-Morse": _thue_morse,
    "signs only": _signs,
    "blanks only": _blanks,
    "lines shuffled": _lines_shuffled,
    "lines alike": _lines_alike,
    "bare lines": _bare_lines,
    "no blanks": _no_blanks,
    "ideographs": _ideographs,
    "stacked marks": _marks,
    "joined emoji": _joined_faces,
    "one long compound": _joints,
    "clauses": _clauses,
    "prefixes": _prefixes,
}
