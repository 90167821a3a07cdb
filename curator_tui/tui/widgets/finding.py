"""What the filter field tells its screen. Kept apart from the field, because the field is loaded only when used."""

from __future__ import annotations

from textual.message import Message


class Find:
    """The messages of the filter field."""

    class Changed(Message):
        """Other words stand in the field."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    class Left(Message):
        """The field was left; ``clear`` says whether the filter goes too."""

        def __init__(self, *, clear: bool) -> None:
            super().__init__()
            self.clear = clear
