"""The drawing of sizes over time: what its title says is true of all sizes that were recorded."""

from __future__ import annotations

from curator_tui.core.documents import Target, parse
from curator_tui.core.preflight import Snapshot
from curator_tui.curator.sizes import Point, Sizes
from curator_tui.tui.size_chart import chart_lines

M, U = Target.MEMORY, Target.USER
HOUR = 3_600.0


def test_a_size_that_left_again_within_a_column_is_the_most_all_the_same() -> None:
    sizes = Sizes({M: [Point(1, 0.0, 40), Point(2, 99 * HOUR, 95), Point(3, 99 * HOUR + 1, 50)]})
    stands = Snapshot({M: parse(M, b"x" * 50), U: parse(U, None)}, {M: 100, U: 100})
    lines = ["".join(piece.text for piece in line.body) for line in chart_lines(sizes, stands, 100 * HOUR, 40, 4)]
    assert lines[0] == " MEMORY.md 50 now, most 95, limit 100"


def test_a_document_that_another_program_made_larger_is_larger_than_all_that_was_recorded() -> None:
    sizes = Sizes({M: [Point(1, 0.0, 40)]})
    stands = Snapshot({M: parse(M, b"x" * 60), U: parse(U, None)}, {M: 100, U: 100})
    lines = ["".join(piece.text for piece in line.body) for line in chart_lines(sizes, stands, HOUR, 40, 4)]
    assert lines[0] == " MEMORY.md 60 now, most 60, limit 100"
