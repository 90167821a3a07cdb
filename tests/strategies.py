"""Hypothesis strategies for memory: entries, hand-edited files, operations, proposals."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from curator_tui.core.documents import BYTE_ORDER_MARK, Target, unify_newlines
from curator_tui.core.operations import Action, Operation, check_content, normalise

NEWLINES = ("\n", "\r\n", "\r")
# A few letters, so that entries contain each other, and everything that reading and counting could get wrong.
_CHARACTERS = st.sampled_from("abc §\n\r\t\u00a0\u0085\u2028\u3000\u200b\ufeffé́😀<[═")
_WORDS = ("tea", "tabs", "Tuesday", "UTC+2", "port 8080", "日本語", "§ 5", "café", "cafe\u0301", "👨‍👩‍👧", "a\nb", "x")


def _legal(text: str) -> bool:
    return check_content(text, own_verb=False) is None and not text.startswith(BYTE_ORDER_MARK)


entries = (
    st.one_of(
        st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4).map(" ".join),
        st.text(_CHARACTERS, min_size=1, max_size=12),
    )
    .map(normalise)
    .filter(_legal)
)
"""Entries that the contract allows, in their stored form."""

entry_lists = st.lists(entries, max_size=6, unique=True)


@st.composite
def files(draw: st.DrawFn, pieces: st.SearchStrategy[str] = entries) -> tuple[bytes, tuple[str, ...]]:
    """Draw a file as hands and other programs leave it, and the pieces that were put in.

    Blank pieces, repeats, white space around pieces and around the file, mixed line endings, a byte-order mark.
    """
    chosen = draw(st.lists(st.one_of(pieces, st.sampled_from(["", " "])), max_size=6))
    chosen += draw(st.lists(st.sampled_from(chosen), max_size=2)) if chosen else []
    blank = st.sampled_from(["", "", "", " ", "\n", "\r\n", "\u3000"])
    newline = st.just(draw(st.sampled_from(NEWLINES))) if draw(st.booleans()) else st.sampled_from(NEWLINES)
    text = draw(blank)
    for place, piece in enumerate(chosen):
        if place:
            text += draw(newline) + "§" + draw(newline)
        text += draw(blank) + piece.replace("\n", draw(newline)) + draw(blank)
    text += draw(blank)
    mark = BYTE_ORDER_MARK if draw(st.booleans()) else ""
    return (mark + text).encode(), tuple(chosen)


@st.composite
def reshaped(draw: st.DrawFn, standing: Sequence[str]) -> list[str]:
    """Draw entries that another plan could leave of ``standing``: some gone, some replaced, some added."""
    left = [entry for entry in standing if draw(st.booleans())]
    for _ in range(draw(st.integers(0, 3))):
        new = draw(entries)
        if new in left or new in standing:
            continue
        if left and draw(st.booleans()):
            left[draw(st.integers(0, len(left) - 1))] = new
        else:
            left.insert(draw(st.integers(0, len(left))), new)
    return left


@st.composite
def operations(draw: st.DrawFn, standing: Sequence[str], target: Target = Target.MEMORY) -> Operation:
    """Draw an operation that mostly speaks of entries that stand."""
    action = draw(st.sampled_from(Action))
    known = st.sampled_from(list(standing)) if standing else entries
    content = draw(st.one_of(entries, entries, known)) if action is not Action.REMOVE else None
    match = None
    if action is not Action.ADD:
        whole = draw(st.one_of(known, known, known, entries))
        cut = draw(st.integers(0, max(0, len(whole) - 1)))
        match = normalise(draw(st.sampled_from([whole, whole[: cut + 1], whole[cut:]]))) or whole
    return Operation(action, target, match=match, content=content)


def hand_split(text: str) -> list[str]:
    """Split decoded text into pieces in the plainest way there is: the model that parsing is held to."""
    return [piece.strip() for piece in unify_newlines(text.removeprefix(BYTE_ORDER_MARK)).split("\n§\n")]
