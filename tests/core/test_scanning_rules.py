"""Every rule against its own samples, and the shape of the rule set."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator
from typing import Any

import pytest

from curator_tui.core.scanning import ALL_RULES, RULES_VERSION, Finding, has_secret, scan
from curator_tui.core.scanning.rules import Rule, Subject
from tests.core.regex_samples import branches, only_through, text_of, text_through

_CLASSES = {
    "w": string.ascii_letters + string.digits,
    "u": string.ascii_uppercase + "234567",
    "h": "0123456789abcdef",
    "d": string.digits,
    "b": string.ascii_letters + string.digits + "+/",
}


def made(sample: str, seed: int = 7) -> str:
    """Write out ``«36w»`` as 36 characters of a class: secrets exist only while a test runs."""
    rnd = random.Random(seed)

    def fill(found: re.Match[str]) -> str:
        return "".join(rnd.choice(_CLASSES[found[2]]) for _ in range(int(found[1])))

    return re.sub(r"«(\d+)(\w)»", fill, sample)


def _of(rule: Rule, text: str) -> list[Finding]:
    return [item for item in scan(text) if item.rule == rule.id or item.rule.startswith(rule.id + "_U+")]


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.id)
def test_rule_matches_its_samples_and_nothing_else_does(rule: Rule) -> None:
    assert len(rule.hits) >= 2
    assert len(rule.misses) >= 2
    for sample in rule.hits:
        assert _of(rule, made(sample)), sample
    for sample in rule.misses:
        assert not _of(rule, made(sample)), sample


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.id)
def test_a_finding_points_into_the_text_and_repeats_none_of_it(rule: Rule) -> None:
    for seed, sample in enumerate(rule.hits):
        text = made(sample, seed)
        for item in _of(rule, text):
            assert 0 <= item.start < item.end <= len(text)
            assert item.reason.endswith(".")
            assert item.reason.isprintable()
            if rule.family == "secret":
                generated = re.findall(r"[A-Za-z0-9+/]{12,}", text)
                assert not any(part in item.reason for part in generated)


def test_ids_are_unique_and_data_is_complete() -> None:
    names = [rule.id for rule in ALL_RULES]
    assert len(names) == len(set(names))
    for rule in ALL_RULES:
        if rule.pattern or rule.parts or rule.find:
            assert rule.needs, rule.id
            assert all(need == need.lower() for need in rule.needs)
            assert sum((bool(rule.pattern), bool(rule.parts), rule.find is not None)) == 1


def test_version_is_a_digest_that_follows_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    from curator_tui.core.scanning import engine

    assert re.fullmatch(r"[0-9a-f]{12}", RULES_VERSION)
    assert engine._version() == RULES_VERSION
    monkeypatch.setattr(engine, "ALL_RULES", ALL_RULES[1:])
    assert engine._version() != RULES_VERSION


SECRETS = [(rule.id, sample) for rule in ALL_RULES if rule.family == "secret" for sample in rule.hits]


@pytest.mark.parametrize(("rule", "sample"), SECRETS)
def test_secrets_are_found_whatever_was_generated(rule: str, sample: str) -> None:
    for seed in range(20):
        findings = scan(f"note: {made(sample, seed)}\nmore")
        assert has_secret(findings), (rule, seed)
        assert "scanner" not in {item.family for item in findings}, (rule, seed, "a failure is no secret found")
        assert rule in {item.rule for item in findings if item.family == "secret"}, (rule, seed)


# what stands around a match decides as well: line ends, words, white space
NEIGHBOURS = ((" ", " "), ("", ""), ("\n", "\n"), ("x ", "."))


def _texts_through(rule: Rule, place: int, tree: Any, address: tuple[int, int]) -> Iterator[str]:
    """Yield texts that lead through one branch of one expression of a rule, the other expressions around it."""
    parts = rule.parts or (rule.pattern,)
    for seed in range(80):
        chance = random.Random(seed)
        made_parts = [
            text_through(tree, address, chance) if number == place else text_of(part, chance)
            for number, part in enumerate(parts)
        ]
        text = ("" if rule.stop != "\n" else " ").join(made_parts)
        yield from (before + text + after for before, after in NEIGHBOURS)


@pytest.mark.parametrize("rule", [rule for rule in ALL_RULES if rule.find is None], ids=lambda rule: rule.id)
def test_every_branch_of_every_alternation_is_searched_and_found(rule: Rule) -> None:
    """A gate of literals that forgets a branch, or a branch that makes the rule fail, shows here."""
    missed = []
    for place, pattern in enumerate(rule.parts or (rule.pattern,)):
        for tree, address in branches(pattern):
            for text in _texts_through(rule, place, tree, address):
                findings = scan(text)
                assert "scanner-failed" not in {item.rule for item in findings}, (rule.id, text)
                if _of(rule, text):
                    break
            else:
                missed += [(place, address)] if not _sampled(rule, only_through(tree, address)) else []
    assert missed == []


def _sampled(rule: Rule, only: re.Pattern[str]) -> bool:
    """Whether one of the rule's own samples, which are all found, leads through what is left of its expression."""
    subjects = [Subject(made(sample)) for sample in rule.hits]
    return any(only.search(subject.view if rule.cased else subject.low) for subject in subjects)


@pytest.mark.parametrize(
    "text",
    [
        "token is ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx in the docs",
        "GET https://api.corp.example/v2/users?token=<YOUR_TOKEN>",
        'password: "changeme-changeme-changeme"',
        "postgresql://app:${DB_PASSWORD}@db/app",
        "Authorization: Bearer $TOKEN",
        "export OPENAI_API_KEY=your-key-goes-here-0000",
        "sha256 5b1f0c3f6f1d9a7e2c4b8d6a90e17f3355aa7700c1d2e3f4a5b6c7d8e9f00112",
    ],
)
def test_placeholders_and_digests_are_no_secrets(text: str) -> None:
    assert not has_secret(scan(text))
