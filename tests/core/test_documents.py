"""Documents: what bytes mean, and that changing some entries leaves the bytes of all others alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from curator_tui.core.documents import (
    BYTE_ORDER_MARK,
    DEFAULT_LIMITS,
    Presence,
    Target,
    entry_id,
    grows_past,
    missing,
    parse,
    percent,
    pressure,
    raw_digest,
    render,
    size_of,
    unreadable,
)
from curator_tui.core.splicing import splice
from tests.strategies import entries, entry_lists, files, hand_split, reshaped
from tests.worlds import MEMORY


def doc(raw: bytes | str):
    """Parse bytes or text as the memory document."""
    return parse(MEMORY, raw.encode() if isinstance(raw, str) else raw)


def spliced(raw: bytes | str, *wanted: str):
    """Splice these entries into a document."""
    return splice(doc(raw), wanted)


# -- reading ------------------------------------------------------------------------------------------------------


@given(entry_lists)
def test_what_is_rendered_reads_back_as_the_same_entries(texts: list[str]) -> None:
    """parse(render(entries)) == entries for every list of distinct legal entries."""
    assert parse(MEMORY, render(texts)).entries == tuple(texts)


@given(files())
def test_a_file_is_read_as_its_pieces_stripped_without_blanks_and_repeats(found: tuple[bytes, object]) -> None:
    """Reading equals the plainest split: universal newlines, strip, drop blanks, keep the first of equals."""
    text = found[0].decode()
    expected = tuple(dict.fromkeys(piece for piece in hand_split(text) if piece))
    assert doc(found[0]).entries == expected


@given(files())
def test_size_is_the_code_points_of_the_joined_entries(found: tuple[bytes, object]) -> None:
    """Size counts entries and delimiters, never bytes, line endings, outer white space or the byte-order mark."""
    document = doc(found[0])
    assert document.size == len("\n§\n".join(document.entries)) == size_of(document.entries)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("one\r\n§\r\ntwo", ("one", "two")),
        ("one\r§\rtwo", ("one", "two")),
        ("one\n§\r\ntwo", ("one", "two")),
        ("first\nline\r\nsecond", ("first\nline\nsecond",)),
        ("§\nfirst", ("§\nfirst",)),
        ("first\n§\nsecond\n§", ("first", "second\n§")),
        ("first\n§\nsecond\n§\n", ("first", "second")),
        ("a § b\n§\n§ 5 BGB", ("a § b", "§ 5 BGB")),
        ("same\n§\nother\n§\nsame", ("same", "other")),
        ("\u00a0 first\u3000\n§\n\x1csecond\x85", ("first", "second")),
        ("\u200bfirst", ("\u200bfirst",)),
        ("\n§\n\n§\n", ()),
    ],
)
def test_the_grammar_is_that_of_hermes(raw: str, expected: tuple[str, ...]) -> None:
    """Each reading Hermes was seen to make is ours too."""
    assert doc(raw).entries == expected


def test_a_leading_byte_order_mark_is_neither_part_of_an_entry_nor_counted() -> None:
    """Notepad's mark vanishes at the start and stays visible everywhere else."""
    document = doc("\ufeffdark\n§\nRead \ufeffs")
    assert document.entries == ("dark", "Read \ufeffs")
    assert document.size == 4 + 3 + 7


def test_code_points_are_counted_not_bytes_and_not_clusters() -> None:
    """An emoji family of five code points counts five."""
    assert doc("👨‍👩‍👧").size == 5
    assert doc("😀e\u0301").size == 3


@pytest.mark.parametrize(
    ("raw", "presence", "usable"),
    [
        (None, Presence.MISSING, True),
        (b"", Presence.EMPTY, True),
        (b"x", Presence.PRESENT, True),
        (b"\xff\xfe", Presence.UNDECODABLE, False),
    ],
)
def test_missing_empty_present_and_undecodable_are_four_states(raw, presence, usable) -> None:
    """No state is taken for another, and only readable ones may be edited."""
    document = parse(MEMORY, raw)
    assert (document.presence, document.usable) == (presence, usable)


def test_what_cannot_be_read_is_never_taken_for_empty() -> None:
    """An unreadable document has no bytes and a digest of its own; an undecodable one keeps its bytes."""
    closed, broken = unreadable(MEMORY, "no permission"), doc(b"a\xff")
    assert not closed.usable
    assert not closed.seen
    assert broken.raw == b"a\xff"
    assert broken.seen
    digests = {document.digest for document in (closed, broken, missing(MEMORY), doc(b""))}
    assert len(digests) == 4
    assert broken.digest == raw_digest(b"a\xff")
    assert "byte 1" in broken.trouble


def test_an_entry_is_named_by_its_text() -> None:
    """The printed id depends on nothing but the text, and survives a lone surrogate."""
    assert entry_id("tea") == entry_id("tea") != entry_id("tea ")
    assert len(entry_id("\ud800")) == 12


# -- limits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "limit", "shown", "word"),
    [(564, 1375, 41, "ok"), (616, 2200, 28, "ok"), (79, 100, 79, "ok"), (80, 100, 80, "high"),
     (100, 100, 100, "high"), (101, 100, 100, "over"), (5, 0, 0, "over")],
)  # fmt: skip
def test_percent_is_truncated_and_pressure_begins_at_80(size: int, limit: int, shown: int, word: str) -> None:
    """Percent never rounds up and never exceeds 100; exactly 80 % is nearly full, exactly the limit still fits."""
    assert (percent(size, limit), pressure(size, limit)) == (shown, word)


def test_an_unknown_limit_presses_on_nothing() -> None:
    """A limit that is not known refuses nothing and is not the default."""
    assert pressure(10**9, None) == "unknown"
    assert not grows_past(0, 10**9, None)
    assert DEFAULT_LIMITS == {Target.USER: 1375, Target.MEMORY: 2200}


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_only_what_is_over_the_limit_and_not_smaller_than_before_is_refused(before: int, now: int, limit: int) -> None:
    """Equal to the limit fits; an over-limit document may shrink, even when it stays over."""
    assert grows_past(before, now, limit) == (now > limit and not now < before)


# -- drift --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "drifted"),
    [
        ("a\n§\nb", False),
        ("a\r\n§\r\nb", False),
        ("\n  a\n§\nb\n\n", False),
        ("a\n§\nb\n§\na", False),
        ("\ufeffa\n§\nb", False),
        ("§\nfirst", False),
        ("first\n§", False),
        ("", False),
        ("a\n\n§\nb", True),
        ("a\n§\n\nb", True),
        ("a \n§\nb", True),
        ("a\n§\nb\n§\n", True),
        ("\n§\na", True),
        ("a\n§\n\n§\nb", True),
    ],
)
def test_drift_is_what_hermes_calls_drift(raw: str, drifted: bool) -> None:
    """Hand editing is seen by what would not join back, not by line endings, outer blanks or repeats."""
    assert doc(raw).drifted is drifted


def test_an_entry_longer_than_the_whole_limit_locks_hermes_out_too() -> None:
    """The second half of Hermes's rule needs the limit; without one only drift counts."""
    assert doc("abcde").locked_for_hermes(4)
    assert not doc("abcde").locked_for_hermes(5)
    assert not doc("abcde").locked_for_hermes(None)
    assert doc("a\n\n§\nb").locked_for_hermes(None)


@given(files(), entries)
def test_adding_to_a_file_without_drift_makes_none(found: tuple[bytes, object], new: str) -> None:
    """Appending behind a final newline, a mark, repeats or CRLF never leaves a file Hermes would refuse."""
    document = doc(found[0])
    assume(not document.drifted and new not in document.entries)
    result = splice(document, (*document.entries, new))
    assume(not result.canonical)
    assert not parse(MEMORY, result.raw).drifted


# -- splicing -----------------------------------------------------------------------------------------------------


@given(st.data())
def test_spliced_bytes_read_back_as_exactly_the_wanted_entries(data: st.DataObject) -> None:
    """Whatever the file looks like and whatever is wanted, a reload gives what was planned."""
    raw, _ = data.draw(files())
    document = doc(raw)
    wanted = data.draw(reshaped(document.entries))
    assert parse(MEMORY, splice(document, wanted).raw).entries == tuple(wanted)


@given(st.data())
def test_spliced_bytes_read_back_even_where_entries_hold_bare_delimiter_lines(data: st.DataObject) -> None:
    """Only a hand-edited file can hold an entry with a bare § at its edge; its neighbours survive all the same."""
    edge = st.one_of(entries, st.sampled_from(["§", "§\nfirst", "last\n§", "\ufeffmark", "\ufeff"]))
    raw, _ = data.draw(files(edge))
    document = doc(raw)
    wanted = data.draw(reshaped(document.entries))
    assert parse(MEMORY, splice(document, wanted).raw).entries == tuple(wanted)


@given(files())
def test_splicing_the_same_entries_changes_no_byte_but_the_mark(found: tuple[bytes, object]) -> None:
    """Viewing and saving unchanged writes back what stood there."""
    document = doc(found[0])
    assume(document.entries)
    result = splice(document, document.entries)
    assert result.raw == found[0].removeprefix(BYTE_ORDER_MARK.encode())
    assert result.dropped_mark is found[0].startswith(BYTE_ORDER_MARK.encode())
    assert not result.canonical


@given(st.data())
def test_survivors_keep_their_bytes_and_where_it_was_not_changed_their_order(data: st.DataObject) -> None:
    """Unless the canonical form is said to be written, each survivor's text stands in the new file byte for byte."""
    raw, _ = data.draw(files())
    document = doc(raw)
    wanted = data.draw(reshaped(document.entries))
    assume(document.entries and wanted)
    result = splice(document, wanted)
    assume(not result.canonical)
    kept = set(document.entries) & set(wanted)
    survivors = [piece for piece in _pieces(raw) if _entry(piece) in kept]
    now = [piece for piece in _pieces(result.raw) if _entry(piece) in kept]
    assert sorted(now) == sorted(survivors)
    if [entry for entry in document.entries if entry in kept] == [entry for entry in wanted if entry in kept]:
        assert now == survivors


def _pieces(raw: bytes) -> list[str]:
    """Cut decoded text at delimiters; line endings inside a piece are left as they are."""
    text = raw.decode().removeprefix(BYTE_ORDER_MARK)
    return [piece.strip() for piece in re.split("(?:\r\n|\r|\n)§(?:\r\n|\r|\n)", text)]


def _entry(piece: str) -> str:
    return piece.replace("\r\n", "\n").replace("\r", "\n").strip()


@pytest.mark.parametrize(
    ("raw", "wanted", "expected"),
    [
        ("a\r\n§\r\nb", ("a", "b", "c"), "a\r\n§\r\nb\r\n§\r\nc"),
        ("a\r\n§\r\nb\r\n", ("a", "b", "c\nd"), "a\r\n§\r\nb\r\n§\r\nc\r\nd\r\n"),
        ("a\r§\rb", ("a", "x\ny"), "a\r§\rx\ry"),
        ("a\n§\nb\r\n§\r\nc", ("a", "c"), "a\n§\nc"),
        ("a\r\n§\r\nb\n§\nc", ("a", "b", "c", "d"), "a\r\n§\r\nb\n§\nc\r\n§\r\nd"),
        ("a\n§\nb\r\n§\r\nc\r\nc", ("a", "b", "c\nc", "d"), "a\n§\nb\r\n§\r\nc\r\nc\r\n§\r\nd"),
        ("a\n", ("a", "b"), "a\n§\nb\n"),
        ("\n\na\n\n", ("a", "b"), "\n\na\n§\nb\n\n"),
        ("a\n\n§\nb", ("x", "b"), "x\n\n§\nb"),
        ("  a  \n§\nb", ("x", "b"), "  x  \n§\nb"),
        ("a\n§\n\n§\nb", ("a", "b", "c"), "a\n§\n\n§\nb\n§\nc"),
        ("a\n§\nb\n§\n", ("a", "b", "c"), "a\n§\nb\n§\nc\n§\n"),
        ("\n§\na", ("a", "b"), "\n§\na\n§\nb"),
        ("a\n§\nb\n§\na", ("a", "b", "c"), "a\n§\nb\n§\nc\n§\na"),
        ("a\n§\nb\n§\na", ("b",), "b"),
        ("a\n§\nb\n§\na", ("x", "b"), "x\n§\nb"),
        ("a\n§\nb", ("new", "a", "b"), "new\n§\na\n§\nb"),
        ("a\n§\nb", ("a", "new", "b"), "a\n§\nnew\n§\nb"),
        ("a\n§\nb\n§\nc", ("b",), "b"),
        ("\ufeffa\n§\nb", ("c", "b"), "c\n§\nb"),
        ("a\n", (), ""),
    ],
)  # fmt: skip
def test_only_the_changed_entry_changes_bytes(raw: str, wanted: tuple[str, ...], expected: str) -> None:
    """New text takes the file's own line ending and layout; everything else stays, byte for byte."""
    result = spliced(raw, *wanted)
    assert result.raw.decode() == expected
    assert not result.canonical


@pytest.mark.parametrize(
    ("raw", "wanted", "expected"),
    [
        ("a\r\n§\r\nb", ("b", "a"), "b\r\n§\r\na"),
        ("a\n§\nb\r\n§\r\nc\n", ("c", "b", "a"), "c\n§\nb\r\n§\r\na\n"),
        ("a\n§\n  b \n\n§\nc", ("b", "a", "c"), "  b \n\n§\na\n§\nc"),
        ("a\n§\nb\n§\nc", ("c", "new", "a"), "c\n§\nnew\n§\na"),
    ],
)
def test_survivors_in_another_order_take_their_bytes_along(raw: str, wanted: tuple[str, ...], expected: str) -> None:
    """Each is written as it was, white space and line endings included; the delimiters stay where they are."""
    result = spliced(raw, *wanted)
    assert (result.raw.decode(), result.canonical) == (expected, False)


def test_an_order_that_repeats_stand_in_the_way_of_is_written_anew_and_said_to_be() -> None:
    """A repeat counts where it stands first; then the canonical form is written and admitted."""
    result = spliced("a\n§\na\n§\nb\n§\nc", "b", "c", "a")
    assert (result.raw.decode(), result.canonical) == ("b\n§\nc\n§\na", True)


@given(st.data())
def test_another_order_changes_no_byte_of_an_entry(data: st.DataObject) -> None:
    """The same pieces in another order, and the same delimiters between them."""
    raw, _ = data.draw(files())
    document = doc(raw)
    wanted = data.draw(st.permutations(document.entries))
    result = splice(document, wanted)
    assume(document.entries and not result.canonical)
    assert parse(MEMORY, result.raw).entries == tuple(wanted)
    assert sorted(_pieces(result.raw)) == sorted(_pieces(raw))
    assert len(result.raw) == len(raw.removeprefix(BYTE_ORDER_MARK.encode()))


def test_a_dropped_byte_order_mark_is_said_once() -> None:
    """The outcome can say that the mark is gone; a file without one says nothing."""
    assert spliced("\ufeffa", "a", "b").dropped_mark
    assert not spliced("a", "a", "b").dropped_mark


def test_an_entry_ending_in_a_bare_delimiter_line_does_not_eat_the_one_behind_it() -> None:
    """The one layout that join cannot express is guarded by a blank that reading strips again."""
    result = spliced("a\n§\nb\n§", "a", "b\n§", "new")
    assert parse(MEMORY, result.raw).entries == ("a", "b\n§", "new")
    assert result.canonical


def test_entries_that_could_never_read_back_are_refused_loudly() -> None:
    """A delimiter line inside an entry is a bug of the caller and writes nothing."""
    with pytest.raises(ValueError, match="read back"):
        spliced("a", "one\n§\ntwo")


def test_parsing_changes_nothing() -> None:
    """The raw bytes of a document are those that were read, whatever they look like."""
    raw = b"\xef\xbb\xbfa\r\n\xc2\xa7\r\n\r\nb \n"
    document = doc(raw)
    assert document.raw == raw
    assert not document.canonical
    assert doc("a\n§\nb").canonical
    assert document.position("b") == 1
    assert document.position("c") is None
