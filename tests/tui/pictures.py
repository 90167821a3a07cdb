"""Pictures of screens as text: what stands in each cell, and which style each cell has, in files a person can read.

A file holds one screen in every palette. Under each row of text stands a row of letters, one a cell; the legend at the
end of a part says what a letter means. A part shows the text only of rows that differ from those of the first part.
"""

from __future__ import annotations

import os
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.strip import Strip

from curator_tui.tui.app import CuratorApp

FOLDER = Path(__file__).parents[1] / "data" / "pictures"
RENEW = "CURATOR_TUI_RENEW_PICTURES"
_LETTERS = "." + string.ascii_lowercase + string.ascii_uppercase + string.digits
_MOST_TOLD = 12  # rows of a part whose difference is told


@dataclass(frozen=True)
class Picture:
    """One screen in one palette.

    Attributes:
        text: its rows, blanks at the end cut off.
        styles: its rows of letters, those at the end that are like the last one cut down to one.
        legend: what each letter means.
    """

    text: tuple[str, ...]
    styles: tuple[str, ...]
    legend: Mapping[str, str]


def take(app: CuratorApp) -> Picture:
    """Return what the screen that is open shows now."""
    names: dict[str, str] = {}
    text: list[str] = []
    styles: list[str] = []
    for strip in _strips(app):
        letters = ""
        for segment in strip:
            for blank, part in groupby(segment.text, str.isspace):
                name = _named(segment.style, blank=blank)
                letters += names.setdefault(name, _LETTERS[len(names)]) * cell_len("".join(part))
        text.append("".join(segment.text for segment in strip).rstrip())
        styles.append(letters.rstrip(letters[-1:]) + letters[-1:])
    return Picture(tuple(text), tuple(styles), {letter: name for name, letter in names.items()})


def _strips(app: CuratorApp) -> Iterator[Strip]:
    """Return the rows of a screen; of a dialog only its own box, since what shines through is another picture."""
    screen = app.screen
    strips = screen._compositor.render_strips()
    if not isinstance(screen, ModalScreen):
        yield from strips
        return
    regions = [child.region for child in screen.children if child.display and child.region.area]
    box = Region.from_union(regions) if regions else screen.region  # none yet: not laid out
    yield from (strip.crop(box.x, box.right) for strip in strips[box.y : box.bottom])


def _named(style: Style | None, *, blank: bool) -> str:
    """Return what can be seen of a style: a blank shows no colour of its own, unless something is drawn in it."""
    if style is None:
        return "plain"
    drawn = [word for word in ("underline", "reverse", "strike") if getattr(style, word)]
    weight = [word for word in ("bold", "dim", "italic") if getattr(style, word)]
    front = str(style.color.name) if style.color is not None else "default"
    back = str(style.bgcolor.name) if style.bgcolor is not None else "default"
    return " ".join(["blank", "on", back] if blank and not drawn else [front, "on", back, *weight, *drawn])


# -- files -----------------------------------------------------------------------------------------------------------


def written(pictures: Mapping[str, Picture]) -> str:
    """Return the file of one screen: a part for each palette."""
    return "\n".join(_lines(pictures)) + "\n"


def _lines(pictures: Mapping[str, Picture]) -> Iterator[str]:
    first: tuple[str, ...] = ()
    for name, picture in pictures.items():
        yield f"=== {name}"
        for row, letters, before in zip_longest(picture.text, picture.styles, first[: len(picture.text)]):
            if row != before:
                yield f"|{row}"
            yield f":{letters}"
        yield from (f"  {letter} {meaning}" for letter, meaning in picture.legend.items())
        first = first or picture.text


def read(text: str) -> dict[str, Picture]:
    """Return the parts of a file by palette."""
    found: dict[str, Picture] = {}
    first: tuple[str, ...] = ()
    for part in text.split("=== ")[1:]:
        name, *lines = part.splitlines()
        rows: list[str] = []
        styles: list[str] = []
        legend: dict[str, str] = {}
        for line in lines:
            if line.startswith("|"):
                rows.append(line[1:])
            elif line.startswith(":"):
                if len(rows) == len(styles):
                    rows.append(first[len(rows)])
                styles.append(line[1:])
            else:
                legend[line[2]] = line[4:]
        found[name] = Picture(tuple(rows), tuple(styles), legend)
        first = first or found[name].text
    return found


def held(name: str, found: str) -> str:
    """Return the picture that is on file; with the environment variable :data:`RENEW` it is written anew first."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get(RENEW):
        FOLDER.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8")
    return path.read_text(encoding="utf-8") if path.exists() else ""


# -- differences -----------------------------------------------------------------------------------------------------


def difference(before: Mapping[str, Picture], now: Mapping[str, Picture]) -> list[str]:
    """Return what a person needs to read to see how a screen changed: rows whose text, then rows whose styles differ.

    A text that differs is told once, of the first palette; letters are told as what they mean.
    """
    told: list[str] = []
    texts: set[tuple[int, str | None, str | None]] = set()
    for name in dict.fromkeys((*before, *now)):
        old, new = before.get(name, Picture((), (), {})), now.get(name, Picture((), (), {}))
        lines: list[str] = []
        for number, (was, is_now) in enumerate(zip_longest(old.text, new.text), 1):
            if was != is_now and (number, was, is_now) not in texts:
                texts.add((number, was, is_now))
                lines += [f"  row {number}", f"    - {_shown(was)}", f"    + {_shown(is_now)}"]
            elif was == is_now and (change := _restyled(old, new, number - 1)):
                lines += [f"  row {number}: {was}", *change]
        cut = _MOST_TOLD * 3
        more = [f"  and {len(lines) - cut} lines more"] if len(lines) > cut else []
        told += [name, *lines[:cut], *more] if lines else []
    return told


def _shown(row: str | None) -> str:
    return "(no such row)" if row is None else row


def _restyled(old: Picture, new: Picture, row: int) -> list[str]:
    """Return which cells of a row have another style, and which."""
    was, is_now = _meanings(old, row), _meanings(new, row)
    longest = max(len(was), len(is_now))
    was, is_now = was + was[-1:] * (longest - len(was)), is_now + is_now[-1:] * (longest - len(is_now))
    runs = [(pair, len(list(cells))) for pair, cells in groupby(zip(was, is_now, strict=True))]
    lines: list[str] = []
    column = 1
    for (one, other), length in runs:
        if one != other:
            lines.append(f"    columns {column} to {column + length - 1}: {one} -> {other}")
        column += length
    return lines


def _meanings(picture: Picture, row: int) -> list[str]:
    return [picture.legend[letter] for letter in picture.styles[row]]
