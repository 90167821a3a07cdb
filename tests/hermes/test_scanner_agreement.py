"""Our account of Hermes's threat scan against the scan itself: the same verdict and the same ids."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from curator_tui.core.scanning import hermes_verdict
from tests.hermes.client import Hermes
from tests.hermes.sentences import sentences

_CORPUS = Path(__file__).parents[1] / "data" / "scan-dev.jsonl.gz"

# Hermes gives up on a pattern whose parts stand more than 512 or 2,048 characters apart; ours has no bound,
# which errs on the side of a finding.
LOOSER = "long gaps"
# Share of texts on which the ids may differ; measured over the long run: 0.25 %.
DISAGREEMENT = 0.005


def _corpus() -> Iterable[tuple[str, str]]:
    if _CORPUS.exists():
        with gzip.open(_CORPUS, "rt", encoding="ascii") as lines:
            yield from (("corpus", json.loads(line)["text"]) for line in lines)


@dataclass
class Agreement:
    """How often both say the same: about the verdict, and about which patterns fire."""

    asked: Counter[str] = field(default_factory=Counter)
    blocked: Counter[str] = field(default_factory=Counter)
    differ: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    other_verdict: int = 0
    other_ids: int = 0
    examples: list[str] = field(default_factory=list)

    def note(self, name: str, text: str, theirs: set[str], ours: set[str]) -> None:
        """Count one text; one finding more in a text of long gaps is the known difference."""
        form = name.partition(":")[0]
        self.asked[form] += 1
        self.blocked[form] += bool(theirs)
        if theirs == ours:
            return
        only = " ".join(sorted(theirs - ours)), " ".join(sorted(ours - theirs))
        self.differ[form, *only] += 1
        if form == LOOSER and theirs < ours:
            return
        self.other_ids += 1
        self.other_verdict += bool(theirs) != bool(ours)
        self.examples.append(f"{name}: Hermes {sorted(theirs)}, we {sorted(ours)}: {text[:200]!a}")

    @property
    def texts(self) -> int:
        """How many texts were asked about."""
        return sum(self.asked.values())

    def table(self) -> str:
        """Tell the comparison as a table."""
        verdict = 100 * (1 - self.other_verdict / self.texts)
        ids = 100 * (1 - self.other_ids / self.texts)
        lines = [f"{self.texts:,} texts: same verdict {verdict:.2f} %, same ids {ids:.2f} %"]
        lines += [f"  {n:6,}  {form}, blocked by Hermes {self.blocked[form]:,}" for form, n in self.asked.items()]
        lines += [
            f"  differ {n}: {form}; only Hermes [{missed}], only we [{more}]"
            for (form, missed, more), n in self.differ.most_common()
        ]
        return "\n".join([*lines, *self.examples[:10]])


def _compare(hermes: Hermes, *, each: int) -> Agreement:
    agreement = Agreement()
    texts = [*sentences(7, each), *_corpus()]
    for (name, text), theirs in zip(texts, hermes.scan([text for _, text in texts]), strict=True):
        agreement.note(name, text, set(theirs), set(hermes_verdict(text)))
    return agreement


def test_our_verdict_is_that_of_hermes(hermes: Hermes) -> None:
    agreement = _compare(hermes, each=3)
    assert agreement.other_ids <= agreement.texts * DISAGREEMENT, agreement.table()


@pytest.mark.slow
def test_our_verdict_is_that_of_hermes_at_length(hermes: Hermes, capsys: pytest.CaptureFixture[str]) -> None:
    agreement = _compare(hermes, each=60)
    with capsys.disabled():
        print(f"\n{agreement.table()}")
    assert agreement.other_ids <= agreement.texts * DISAGREEMENT
