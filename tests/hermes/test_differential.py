"""The core against a real Hermes 0.19.0: same verdict, same bytes, save for named, flagged differences."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from tests.hermes.client import Hermes, encode
from tests.hermes.differences import BOTH_APPLIED, Case, UnnamedDifferenceError, judge
from tests.hermes.flags import ALONE, MEANING, Flag, tell, threatening
from tests.hermes.generator import Round, make
from tests.hermes.ours import curate

# another seed looks at other rounds; the rounds of a seed never change
SEED = int(os.environ.get("CURATOR_TUI_HERMES_SEED", "190"))
HAND_EDITED_WITHOUT_EFFECT = frozenset({Flag.NOT_CANONICAL, Flag.NO_EFFECT})

# The difference each flag is named for; "alone" counts rounds that carry that flag and nothing else.
NAMED: dict[frozenset[Flag], tuple[str, ...]] = {
    ALONE[Flag.NOT_CANONICAL]: (
        "both applied, same entries after a reload",
        "Hermes refuses as drift, we apply",
    ),
    ALONE[Flag.CARRIAGE_RETURN]: (
        "both applied, same entries after a reload",
        "Hermes refuses (matches CR literally, counts CRLF as two), we apply",
    ),
    ALONE[Flag.REFUSED_CONTENT]: (
        "Hermes writes a delimiter line, we refuse",
        "Hermes writes a reserved text, we refuse",
    ),
    ALONE[Flag.THREAT]: ("Hermes blocks, we apply when overridden",),
    ALONE[Flag.WHOLE_ENTRY]: ("Hermes says ambiguous, we apply",),
    ALONE[Flag.OVER_LIMIT_BEFORE]: ("Hermes refuses a step that shrinks, we apply", BOTH_APPLIED),
    ALONE[Flag.REPLACE_DUPLICATES]: ("Hermes writes the text twice, we refuse",),
    ALONE[Flag.ENTRY_OVER_LIMIT]: ("Hermes calls it drift, we apply what shrinks",),
    ALONE[Flag.NO_EFFECT]: (
        "both leave the same bytes",
        "Hermes makes an empty file, we write nothing",
        "Hermes finds no match for what is done already, we close it",
    ),
    ALONE[Flag.BARE_DELIMITER_ENTRY]: (BOTH_APPLIED, "both applied, only our bytes read back as asked"),
    HAND_EDITED_WITHOUT_EFFECT: ("Hermes rewrites the file in canonical form, we write nothing",),
}


@dataclass
class Tally:
    """What a run saw, by the flags a round carried and the name of what was observed."""

    seen: Counter[tuple[frozenset[Flag], str]] = field(default_factory=Counter)
    carrying: Counter[Flag] = field(default_factory=Counter)
    differences: list[UnnamedDifferenceError] = field(default_factory=list)
    seconds: float = 0.0

    def count(self, flags: frozenset[Flag], name: str | None = None) -> int:
        return sum(n for (carried, label), n in self.seen.items() if carried == flags and name in {None, label})

    def table(self) -> str:
        """Tell the run as a table."""
        plain: frozenset[Flag] = frozenset()
        unnamed = len(self.differences)
        total = sum(self.seen.values()) + unnamed
        lines = [
            f"rounds {total:,} in {self.seconds:.1f} s, differences without a name: {unnamed}",
            f"   0 no flag: {self.count(plain):,}",
            *self._names(plain),
        ]
        for flag in Flag:
            beside = " with 6" if ALONE[flag] != {flag} else ""
            seen = self.count(ALONE[flag])
            lines.append(f"  {flag:2} {MEANING[flag]}: {self.carrying[flag]:,}, alone{beside} {seen:,}")
            lines += self._names(ALONE[flag])
        lines.append(f"  1 and 9 together: {self.count(HAND_EDITED_WITHOUT_EFFECT):,}")
        lines += self._names(HAND_EDITED_WITHOUT_EFFECT)
        others = [flags for flags in {flags for flags, _ in self.seen} if flags and flags not in NAMED]
        lines.append(f"  other mixtures: {sum(map(self.count, others)):,} rounds of {len(others)} kinds")
        return "\n".join(lines)

    def _names(self, flags: frozenset[Flag]) -> list[str]:
        named = {label: n for (carried, label), n in self.seen.items() if carried == flags}
        return [f"       {n:6,}  {label}" for label, n in sorted(named.items(), key=lambda pair: -pair[1])]


def rounds_of(seed: int, *, plain: int, each: int, mixed: int) -> list[Round]:
    """Make rounds meant to carry no flag, rounds for each flag, and rounds that mix two or three."""
    rng = random.Random(seed)
    wanted: list[frozenset[Flag]] = [frozenset()] * plain
    for twists in ({flag} for flag in Flag):
        wanted += [frozenset(twists)] * each
    wanted += [HAND_EDITED_WITHOUT_EFFECT] * each
    wanted += [frozenset(rng.sample(list(Flag), rng.choice((2, 3)))) for _ in range(mixed)]
    return [make(seed, number, twists) for number, twists in enumerate(wanted)]


def run(hermes: Hermes, rounds: Sequence[Round]) -> Tally:
    """Put the rounds to both sides and hold the answers together."""
    began = time.perf_counter()
    tally = Tally()
    texts = sorted({text for each in rounds for text in threatening(each)})
    threats = {text for text, ids in zip(texts, hermes.scan(texts), strict=True) if ids}
    asked = [{"documents": encode(each.documents), "limits": each.limits, "payload": each.payload} for each in rounds]
    for each, answer in zip(rounds, hermes.apply(asked), strict=True):
        story = tell(each, threat=not threats.isdisjoint(threatening(each)))
        tally.carrying.update(story.flags)
        try:
            tally.seen[story.alone, judge(Case(each, story, curate(each), answer))] += 1
        except UnnamedDifferenceError as difference:
            tally.differences.append(difference)
    tally.seconds = time.perf_counter() - began
    return tally


def show(tally: Tally, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{tally.table()}")
        for difference in tally.differences[:5]:
            print(f"\n{difference}")


def test_hermes_agrees_on_a_few_hundred_rounds(hermes: Hermes, capsys: pytest.CaptureFixture[str]) -> None:
    tally = run(hermes, rounds_of(SEED, plain=200, each=8, mixed=20))
    if tally.differences:
        show(tally, capsys)
    assert not tally.differences
    assert tally.count(frozenset(), BOTH_APPLIED) >= 80
    assert all(tally.carrying[flag] for flag in Flag)


@pytest.mark.slow
def test_hermes_agrees_on_ten_thousand_rounds(hermes: Hermes, capsys: pytest.CaptureFixture[str]) -> None:
    tally = run(hermes, rounds_of(SEED, plain=10_000, each=150, mixed=1500))
    show(tally, capsys)
    assert not tally.differences
    assert tally.count(frozenset()) >= 5000
    assert tally.count(frozenset(), BOTH_APPLIED) >= 2000
    for flags, names in NAMED.items():
        assert tally.count(flags) >= 50, sorted(flags)
        for name in names:
            assert tally.count(flags, name) >= 3, (sorted(flags), name)


def test_what_hermes_cannot_write_at_all_is_refused_here(hermes: Hermes) -> None:
    """Hermes raises on bytes that are no UTF-8 and on half a surrogate pair; neither side writes."""
    add = {"action": "add", "target": "memory", "content": "one more", "old_text": None}
    limits = {"memory": 2200, "user": 1375}
    rounds = {
        "UnicodeDecodeError": Round("undecodable", {"memory": b"caf\xe9", "user": None}, limits, add),
        "UnicodeEncodeError": Round(
            "half a pair", {"memory": b"first", "user": None}, limits, {**add, "content": "half \ud83d"}
        ),
    }
    asked = [
        {"documents": encode(each.documents), "limits": limits, "payload": each.payload} for each in rounds.values()
    ]
    for (raised, each), answer in zip(rounds.items(), hermes.apply(asked), strict=True):
        ours = curate(each)
        assert answer.raised == raised
        assert ours.verdict == "refused"
        assert ours.documents == each.documents == answer.documents
