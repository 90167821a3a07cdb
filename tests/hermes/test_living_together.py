"""Both programs on one home: what we write is no drift for Hermes, and each changes what the other wrote."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.hermes.client import Hermes, HermesAnswer
from tests.hermes.generator import Round
from tests.hermes.ours import OurAnswer, curate

_FILES = {"memory": "MEMORY.md", "user": "USER.md"}
_LIMITS = {"memory": 2200, "user": 1375}  # what Hermes takes in a home without a configuration

BEGINNINGS = {
    "missing": None,
    "empty": b"",
    "written by Hermes": "first\n§\nsecond line one\nline two\n§\nthird".encode(),
    "Windows line ends": "first\r\n§\r\nsecond line one\r\nline two\r\n§\r\nthird".encode(),
    "space around the file": "\n\nfirst\n§\nsecond\n\n".encode(),
    "a repeated entry": "first\n§\nsecond\n§\nfirst".encode(),
}


def _payload(action: str, target: str, content: str | None = None, old_text: str | None = None) -> dict[str, Any]:
    return {"action": action, "target": target, "content": content, "old_text": old_text}


class _Home:
    """One home and two writers; ours goes the plain way, temporary file and rename."""

    def __init__(self, hermes: Hermes) -> None:
        self.hermes = hermes

    def path(self, target: str) -> Path:
        return self.hermes.memories / _FILES[target]

    def begin(self, raw: bytes | None) -> None:
        for target in _FILES:
            self.path(target).unlink(missing_ok=True)
            if raw is not None:
                self.path(target).write_bytes(raw)

    def ours(self, payload: dict[str, Any]) -> OurAnswer:
        documents = {
            target: self.path(target).read_bytes() if self.path(target).exists() else None for target in _FILES
        }
        answer = curate(Round("together", documents, _LIMITS, payload))
        for target, raw in answer.documents.items():
            if raw is not None and raw != documents[target]:
                fresh = self.path(target).with_name(".together.tmp")
                fresh.write_bytes(raw)
                os.replace(fresh, self.path(target))
        return answer

    def theirs(self, payload: dict[str, Any]) -> HermesAnswer:
        (answer,) = self.hermes.apply([{"payload": payload}])
        return answer


@pytest.mark.parametrize("target", _FILES)
@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_each_changes_what_the_other_wrote(hermes: Hermes, target: str, beginning: str) -> None:
    home = _Home(hermes)
    home.begin(BEGINNINGS[beginning])
    for number in range(12):
        fact, revised, final = (f"fact {number}\n- {word} §" for word in ("ours", "theirs", "ours again"))
        assert home.ours(_payload("add", target, fact)).verdict == "applied"
        answer = home.theirs(_payload("replace", target, revised, f"fact {number}\n"))
        assert answer.success, answer.message
        assert home.ours(_payload("replace", target, final, revised)).verdict == "applied"
        batch = {
            "action": "batch",
            "target": target,
            "operations": [_payload("add", target, f"extra {number}")],
        }
        if number:
            batch["operations"].append(_payload("remove", target, None, f"fact {number - 1}\n"))
        answer = home.theirs(batch)
        assert answer.success, answer.message
        assert home.ours(_payload("remove", target, None, f"extra {number}")).verdict == "applied"
    answer = home.theirs(_payload("remove", target, None, "fact 11\n"))
    assert answer.success, answer.message
    assert b"fact" not in (answer.documents[target] or b"")


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_our_own_changes_in_a_row_never_look_like_drift(hermes: Hermes, beginning: str) -> None:
    home = _Home(hermes)
    home.begin(BEGINNINGS[beginning])
    for number in range(8):
        for payload in (
            _payload("add", "memory", f"kept {number}"),
            _payload("add", "memory", f"passing {number}\nin two lines"),
            _payload("replace", "memory", f"kept {number}, reworded", f"kept {number}"),
            _payload("remove", "memory", None, f"passing {number}\n"),
        ):
            assert home.ours(payload).verdict == "applied"
    last = _payload("replace", "memory", "kept by Hermes", "kept 7, reworded")
    answer = home.theirs(last)
    assert answer.success, answer.message
