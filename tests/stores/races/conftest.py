"""The crews of the races: started once for the whole run, because a process takes longer to start than a round."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.stores.races.crew import Crew


@pytest.fixture(scope="session")
def pair() -> Iterator[Crew]:
    """Two curators who want the same thing at the same time."""
    with Crew(["ada", "ben"]) as crew:
        yield crew
