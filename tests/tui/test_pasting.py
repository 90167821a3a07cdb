"""Reading pastes: every character of one is text, and nothing counts as pressed right behind it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from textual import events
from textual.message import Message

from curator_tui.tui.pasting import BEHIND, BULK, LATE, NEVER_ENDED, QUIET, Discarded, WholePastes

BEGIN, END = "\x1b[200~", "\x1b[201~"


class Clock:
    """A time that passes when told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reader(clock: Clock) -> WholePastes:
    return WholePastes(clock=clock)


def told(messages: Iterable[Message]) -> list[str]:
    """Return what was read: pasted texts, keys, what was dropped, and the names of others."""
    words: list[str] = []
    for message in messages:
        if isinstance(message, events.Paste):
            words.append(f"paste {message.text!r}")
        elif isinstance(message, events.Key):
            words.append(message.key)
        elif isinstance(message, Discarded):
            words.append(f"dropped {message.count}")
        else:
            words.append(type(message).__name__)
    return words


@pytest.mark.parametrize(
    "text",
    ["hello", "", "yax \x1b[A q", "\x1b[31mbar and more a", "\x1b", "\x1b\x1b[", "\x1b[200~a", "x" * 9000, "§\n"],
)
@pytest.mark.parametrize("at_once", [1, 7, 4096])
def test_a_paste_is_text_and_nothing_else(reader: WholePastes, text: str, at_once: int) -> None:
    sent = BEGIN + text + END
    parts = [sent[at : at + at_once] for at in range(0, len(sent), at_once)]
    assert told(message for part in parts for message in reader.feed(part)) == [f"paste {text!r}"]


def test_what_was_typed_before_a_paste_counts(reader: WholePastes) -> None:
    assert told(reader.feed(f"j\x1b[Ak{BEGIN}text{END}")) == ["j", "up", "k", "paste 'text'"]


@pytest.mark.parametrize("keys", ["a", "x", "u", "y", "\r", "\x13", "\x1b[A", "\x1b[97u", "\x1b[<0;5;5M"])
@pytest.mark.parametrize("later", [0.0, 0.01, BEHIND - 0.001])
def test_a_text_that_ends_its_own_paste_presses_nothing(
    reader: WholePastes, clock: Clock, keys: str, later: float
) -> None:
    assert told(reader.feed(f"{BEGIN}hello {END}")) == ["paste 'hello '"]
    clock.now += later
    assert told(reader.feed(keys + END)) == ["dropped 1"]


def test_in_one_read_it_presses_nothing_either(reader: WholePastes) -> None:
    assert told(reader.feed(f"{BEGIN}foo {END} a {END}")) == ["paste 'foo '", "dropped 3"]


@pytest.mark.parametrize("more", ["ax" * BULK, "\x1b[I" * BULK])
def test_what_comes_in_bulk_wins_no_time(reader: WholePastes, clock: Clock, more: str) -> None:
    list(reader.feed(f"{BEGIN}foo{END}"))
    for _ in range(20):
        clock.now += QUIET - 0.01
        assert not {"a", "x"} & set(told(reader.feed(more)))
    clock.now += QUIET - 0.01
    assert told(reader.feed("a"))[-1].startswith("dropped")
    clock.now += QUIET + 0.01
    assert told(reader.feed("a")) == ["a"]


# bytes at once and seconds between two reads: 500 baud, 9600 baud, a packet now and then, and all at once
LINES = [(1, 0.02), (16, 0.017), (1, 0.1), (64, 0.14), (1400, 1.5), (4096, 0.0)]


@pytest.mark.parametrize(("at_once", "every"), LINES)
@pytest.mark.parametrize("more", ["Z" * 4000, "Z" * 20, "ZY\x1b[<35;10;10M" * 30, "\x1b[I" * 90])
def test_a_text_that_ends_its_own_paste_presses_nothing_however_slowly_it_comes(
    reader: WholePastes, clock: Clock, at_once: int, every: float, more: str
) -> None:
    sent = f"{BEGIN}hello {END}{more}a"
    found = []
    for at in range(0, len(sent), at_once):
        clock.now += every
        found += told(reader.feed(sent[at : at + at_once]))
    assert not {"Z", "Y", "a"} & set(found)
    clock.now += 0.4
    assert told(reader.feed("a")) == ["a"], "a person presses keys again after a moment"


@pytest.mark.parametrize("every", [0.03, 0.12])
def test_who_types_on_without_a_pause_is_told_how_much_was_lost(
    reader: WholePastes, clock: Clock, every: float
) -> None:
    list(reader.feed(f"{BEGIN}foo{END}"))
    found = []
    for _ in range(20):
        clock.now += every
        found += told(reader.feed("j"))
    clock.now += QUIET + 0.01
    assert [*found, *told(reader.feed("j"))] == [*(f"dropped {number}" for number in range(1, 21)), "j"]


@pytest.mark.parametrize("moves", ["\x1b[<35;10;10M", "\x1b[<35;10;10M\x1b[<32;11;10M" * 4])
def test_a_mouse_that_only_moves_presses_nothing_and_wins_no_time(
    reader: WholePastes, clock: Clock, moves: str
) -> None:
    list(reader.feed(f"{BEGIN}foo{END}"))
    for _ in range(30):
        clock.now += 0.1
        assert not any(one.startswith("dropped") for one in told(reader.feed(moves)))
    assert told(reader.feed("a")) == ["a"]
    assert len(told(reader.feed("\x1b[<0;5;5M"))) == 1, "a click"


def test_an_escape_behind_a_paste_is_dropped_also_when_it_stands_alone(reader: WholePastes, clock: Clock) -> None:
    list(reader.feed(f"{BEGIN}foo{END}\x1b"))
    reader._timeout_time = 0.0  # its time to wait for the rest of a sequence is over
    clock.now += 0.2
    assert told(reader.tick()) == ["dropped 1"]


def test_a_person_presses_on_after_a_moment(reader: WholePastes, clock: Clock) -> None:
    list(reader.feed(f"{BEGIN}foo{END}"))
    clock.now += BEHIND + 0.01
    assert told(reader.feed("a")) == ["a"]
    clock.now += 0.01
    assert told(reader.feed("\r")) == ["enter"]


def test_a_paste_whose_end_is_lost_does_not_take_the_keys_for_ever(reader: WholePastes, clock: Clock) -> None:
    list(reader.feed(f"{BEGIN}foo"))
    clock.now += NEVER_ENDED + 1
    assert told(reader.feed("q")) == ["paste 'foo'", "dropped 1"]
    clock.now += BEHIND + 0.01
    assert told(reader.feed("q")) == ["q"]


def test_who_presses_keys_into_a_paste_without_an_end_gets_out_of_it(reader: WholePastes, clock: Clock) -> None:
    list(reader.feed(f"{BEGIN}oops"))
    for _ in range(2):
        clock.now += 2.0
        assert told(reader.feed("j")) == []
    clock.now += 2.0
    assert told(reader.feed("j")) == ["paste 'oopsjj'", "dropped 1"]
    clock.now += 2.0
    assert told(reader.feed("\x11")) == ["ctrl+q"]


def test_a_paste_over_a_slow_line_is_one_paste(reader: WholePastes, clock: Clock) -> None:
    found = []
    for letter in f"{BEGIN}{'slow ' * 20}{END}":
        clock.now += 0.1
        found += told(reader.feed(letter))
    assert found == [f"paste {'slow ' * 20!r}"]


def waited(reader: WholePastes, clock: Clock, seconds: float) -> list[str]:
    """Let time pass in which the terminal says nothing, and return what was read because of it."""
    clock.now += seconds
    if reader._timeout_time is not None:
        reader._timeout_time = 0.0  # Textual's reader looks at a clock of its own
    return told(reader.tick())


MARK = range(1, len(BEGIN))


@pytest.mark.parametrize("at", MARK)
@pytest.mark.parametrize("pause", [0.15, LATE - 0.1])
def test_a_mark_that_comes_in_two_parts_presses_none_of_its_keys(
    reader: WholePastes, clock: Clock, at: int, pause: float
) -> None:
    found = told(reader.feed(f"j{BEGIN[:at]}")) + waited(reader, clock, pause)
    found += told(reader.feed(f"{BEGIN[at:]}foo{END}"))
    # by itself an escape is a key, and is not kept waiting
    assert found == ["j", *(["escape"] if at == 1 else []), "paste 'foo'"]


def test_a_mark_may_come_in_many_parts(reader: WholePastes, clock: Clock) -> None:
    found = []
    for part in ("\x1b", "[20", "0", "~fo", "o\x1b", "[201~"):
        found += told(reader.feed(part)) + waited(reader, clock, 0.15)
    assert found == ["escape", "paste 'foo'"]


def test_what_spells_a_mark_one_key_after_the_other_begins_a_paste_all_the_same(
    reader: WholePastes, clock: Clock
) -> None:
    found = []
    for part in ("\x1b", "[", f"200~foo{END}"):
        found += told(reader.feed(part)) + waited(reader, clock, 0.15)
    assert found == ["escape", "left_square_bracket", "paste 'foo'"]


@pytest.mark.parametrize(("rest", "key"), [("[<35;10;10M", "MouseMove"), ("[1;5A", "ctrl+up")])
def test_a_report_or_key_that_comes_in_two_parts_spells_no_keys(
    reader: WholePastes, clock: Clock, rest: str, key: str
) -> None:
    found = told(reader.feed("\x1b")) + waited(reader, clock, 0.15) + told(reader.feed(rest))
    assert found == ["escape", key]
    found = told(reader.feed(f"\x1b{rest[:-1]}")) + waited(reader, clock, 0.15) + told(reader.feed(rest[-1]))
    assert found == [key]


@pytest.mark.parametrize("pause", [0.01, 0.15, LATE + 0.1])
@pytest.mark.parametrize(
    ("typed", "keys"),
    [("2", ["2"]), ("jj", ["j", "j"]), ("[", ["left_square_bracket"]), ("200~", ["2", "0", "0", "tilde"])],
)
def test_who_presses_escape_and_then_types_has_pressed_what_was_typed(
    reader: WholePastes, clock: Clock, pause: float, typed: str, keys: list[str]
) -> None:
    assert told(reader.feed("\x1b")) + waited(reader, clock, 0.12) == ["escape"]
    found = []
    for letter in typed:
        clock.now += pause
        found += told(reader.feed(letter))
    assert found == keys
    assert told(reader.feed("\x1b[A")) == ["up"]


def test_an_escape_of_long_ago_makes_no_mark_of_what_is_typed_now(reader: WholePastes, clock: Clock) -> None:
    assert told(reader.feed("\x1b")) + waited(reader, clock, 0.12) == ["escape"]
    clock.now += LATE
    assert told(reader.feed("[200~")) == ["left_square_bracket", "2", "0", "0", "tilde"]


def test_what_begins_like_a_mark_and_goes_no_further_is_keys_after_a_while(reader: WholePastes, clock: Clock) -> None:
    assert told(reader.feed("\x1b[2")) + waited(reader, clock, LATE - 0.1) == []
    assert waited(reader, clock, 0.2) == ["left_square_bracket", "2"]


def test_what_begins_like_a_mark_behind_a_paste_is_dropped_however_late(reader: WholePastes, clock: Clock) -> None:
    list(reader.feed(f"{BEGIN}foo{END}\x1b[2"))
    assert waited(reader, clock, LATE + 0.1) == ["dropped 2"]
