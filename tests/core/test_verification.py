"""Verification: every text a row binds is held against it, and nothing that stands in its place makes it fail."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from curator_tui.core.ledger import GENESIS, SealedRow, canonical, commitment, new_row, row_hash, seal
from curator_tui.core.row_form import row_of
from curator_tui.core.verification import Held, verify
from tests.worlds import MEMORY, USER, stamp

SALT = b"s" * 16
CHANGE = stamp(1).change


def bound(text: bytes, salt: bytes = SALT) -> dict[str, Any]:
    """Return how a row binds a text."""
    return {"size": len(text), "commit": commitment(salt, text)}


ROW = new_row(
    stamp(1),
    "approve",
    decisions=[{"proposal": "a1b2c3d4", "decision": "approve", "record": bound(b"record"), "note": f"{CHANGE}:note:1"}],
    documents={"memory": {"before": bound(b"old"), "after": bound(b"new")}, "user": {"before": {"absent": True}}},
    backup="image",
    image={"MEMORY.md": bound(b"copy"), "USER.md": {"absent": True}},
    notes={f"{CHANGE}:note:1": bound(b"words")},
)
HELD = Held(
    salts=dict.fromkeys(
        [
            f"{CHANGE}:record:a1b2c3d4",
            f"{CHANGE}:memory:before",
            f"{CHANGE}:memory:after",
            f"{CHANGE}:image:image:memory",
            f"{CHANGE}:note:1",
        ],
        SALT,
    ),
    before={MEMORY: b"old", USER: None},
    after={MEMORY: b"new"},
    image={MEMORY: b"copy", USER: None},
    records={"a1b2c3d4": b"record"},
    notes={f"{CHANGE}:note:1": b"words"},
)
CHAIN = seal([ROW], (0, GENESIS))
OUTSIDE = seal(
    [new_row(stamp(1), "outside", documents={"memory": {"before": bound(b"known"), "after": bound(b"found")}})],
    (0, GENESIS),
)
OBSERVED_SALTS = {f"{CHANGE}:memory:known": SALT, f"{CHANGE}:memory:found": SALT}


def messages(rows: Any, held: Held) -> list[str]:
    """Return what is found wrong."""
    return [problem.message for problem in verify(rows, lambda _: held).problems]


def test_every_text_that_is_kept_is_held_against_its_row() -> None:
    found = verify(CHAIN, lambda _: HELD)
    assert (found.problems, found.checked, found.open) == ((), 7, 0)


@pytest.mark.parametrize(
    ("held", "what"),
    [
        (replace(HELD, records={"a1b2c3d4": b"other"}), "record of a1b2c3d4"),
        (replace(HELD, notes={f"{CHANGE}:note:1": b"other"}), "note"),
        (replace(HELD, before={MEMORY: b"other", USER: None}), "text of MEMORY.md before"),
        (replace(HELD, before={MEMORY: None, USER: None}), "text of MEMORY.md before"),
        (replace(HELD, before={MEMORY: b"old", USER: b"appeared"}), "text of USER.md before"),
        (replace(HELD, after={MEMORY: b"other"}), "text of MEMORY.md after"),
        (replace(HELD, image={MEMORY: b"other", USER: None}), "backup of MEMORY.md"),
        (replace(HELD, image={MEMORY: b"copy", USER: b"appeared"}), "backup of USER.md"),
        (replace(HELD, salts={**HELD.salts, f"{CHANGE}:note:1": b"other"}), "note"),
    ],
)
def test_any_kept_text_that_differs_is_named_once(held: Held, what: str) -> None:
    assert messages(CHAIN, held) == [f"row 1: the kept {what} is not what the row was made of"]


def test_what_is_gone_is_counted_and_proves_nothing() -> None:
    found = verify(CHAIN, lambda _: Held())
    assert (found.problems, found.checked, found.open) == ((), 0, 7)
    assert verify(CHAIN, lambda _: replace(HELD, salts={})).problems == ()


@pytest.mark.parametrize(
    "held",
    [
        Held(salts=OBSERVED_SALTS, image={MEMORY: b"known"}, before={MEMORY: b"found"}),
        Held(salts=OBSERVED_SALTS, image={MEMORY: b"known"}, seen={MEMORY: b"found"}),
    ],
)
def test_what_others_wrote_is_held_against_the_image_and_what_was_found(held: Held) -> None:
    found = verify(OUTSIDE, lambda _: held)
    assert (found.problems, found.checked) == ((), 2)
    for damaged in (
        replace(held, image={MEMORY: b"x"}),
        replace(held, before={MEMORY: b"x"} if held.before else {}, seen={MEMORY: b"x"} if held.seen else {}),
    ):
        assert len(messages(OUTSIDE, damaged)) == 1


def test_an_altered_row_is_named_itself_and_not_once_more_by_its_texts() -> None:
    body = canonical({**ROW, "seq": 1, "prev": "", "backup": "another"})
    assert [one.code for one in verify([replace(CHAIN[0], body=body)], lambda _: HELD).problems] == ["row-altered"]


# what may stand in a part of a row instead of what belongs there
_strange = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=8), inner, max_size=2),
    max_leaves=4,
)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found + [more for step, part in steps for more in _paths(part, (*path, step))]


@given(st.data())
def test_a_row_whose_parts_are_anything_at_all_is_a_row_or_none_and_never_a_crash(data: st.DataObject) -> None:
    import json

    row = json.loads(CHAIN[0].body)
    path = data.draw(st.sampled_from(_paths(row)))
    place = row
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = data.draw(_strange)
    body = canonical(row)
    forged = SealedRow(1, row_hash(body), body)
    found = verify([forged], lambda _: HELD)
    if forged.row is None:
        assert [problem.code for problem in found.problems][-1:] in (["row-unreadable"], ["row-altered"])


@pytest.mark.parametrize(
    "body",
    [
        "", "nonsense", "[]", "7", "null", "{}", '{"seq":1}', "[" * 100_000,
        canonical({**ROW, "seq": 1, "prev": "", "documents": {"nowhere": {}}}),
        canonical({**ROW, "seq": 1, "prev": "", "documents": {"memory": {"before": 5}}}),
        canonical({**ROW, "seq": 1, "prev": "", "decisions": "approve"}),
        canonical({**ROW, "seq": 1, "prev": "", "actor": ["me"]}),
    ],
)  # fmt: skip
def test_what_has_not_the_form_of_a_row_is_none(body: str) -> None:
    assert row_of(body) is None
