"""The curator's rules under any order of events, on the store in memory (see ``tests/stateful``)."""

from __future__ import annotations

from hypothesis import settings

from tests.stateful import DeskMachine

TestDesk = DeskMachine.TestCase
TestDesk.settings = settings(settings.default, stateful_step_count=25)
