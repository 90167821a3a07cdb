"""The exceptions from byte equality with Hermes 0.19.0, told from the input of a round alone.

Here: a second, deliberately plain telling of what a round asks for, written without the core it is held
against: the entries that stand in the bytes, what each operation locates, which of the ten known exceptions
the round carries, and what our side has to answer. Not here: either side's answer, so that a flag can never
excuse a difference it was made from. Whether Hermes's scanner hits a text is asked of Hermes beforehand; that
too is a question about the input.

Control characters in a record's content are no exception: with us they are a finding that a person may
override.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.hermes.generator import Round


class Flag(IntEnum):
    """The ten exceptions, by the numbers they have in our notes on Hermes."""

    NOT_CANONICAL = 1
    CARRIAGE_RETURN = 2
    REFUSED_CONTENT = 3
    THREAT = 4
    WHOLE_ENTRY = 5
    OVER_LIMIT_BEFORE = 6
    REPLACE_DUPLICATES = 7
    ENTRY_OVER_LIMIT = 8
    NO_EFFECT = 9
    BARE_DELIMITER_ENTRY = 10


MEANING = {
    Flag.NOT_CANONICAL: "document not canonical",
    Flag.CARRIAGE_RETURN: "CR in content or match",
    Flag.REFUSED_CONTENT: "content we refuse",
    Flag.THREAT: "Hermes's threat scan hits",
    Flag.WHOLE_ENTRY: "whole-entry match among several",
    Flag.OVER_LIMIT_BEFORE: "document over its limit before",
    Flag.REPLACE_DUPLICATES: "replace equals another entry",
    Flag.ENTRY_OVER_LIMIT: "one entry over the limit",
    Flag.NO_EFFECT: "no effect",
    Flag.BARE_DELIMITER_ENTRY: "entry with a bare § at its edge",
}

# An entry over the limit means a document over the limit: the eighth exception never comes without the sixth.
ALONE = {flag: frozenset({flag}) for flag in Flag} | {
    Flag.ENTRY_OVER_LIMIT: frozenset({Flag.ENTRY_OVER_LIMIT, Flag.OVER_LIMIT_BEFORE})
}

_DELIMITER = "\n§\n"
_SQUEEZED_TAGS = re.compile(r"</?(persistentmemorydata|memorycontext)")
_SQUEEZED_HEADERS = re.compile(
    r"(userprofile|agentmemory)\[\d+%|memory\(yourpersonalnotes\)\[|userprofile\(whotheuseris\)\["
)


@dataclass
class Story:
    """What a round asks for.

    Attributes:
        before: the entries that stand in the bytes.
        after: the entries the operations leave; those of before when they cannot be carried out.
        limit: code points of the target.
        flags: the exceptions it carries.
        failed: whether an operation cannot be carried out, by our rules.
        refused_content: whether our contract refuses a content.
    """

    before: list[str]
    after: list[str]
    limit: int
    flags: set[Flag] = field(default_factory=set)
    failed: bool = False
    refused_content: bool = False

    @property
    def alone(self) -> frozenset[Flag]:
        """The flags as a value that can be compared."""
        return frozenset(self.flags)

    @property
    def ours(self) -> str:
        """What our side has to answer: applied, refused or no-change."""
        if self.failed or self.refused_content:
            return "refused"
        if self.before == self.after:
            return "no-change"
        return "applied" if size(self.after) <= self.limit or size(self.after) < size(self.before) else "refused"

    @property
    def fits(self) -> bool:
        """Whether the operations can be carried out and end within the limit."""
        return not self.failed and size(self.after) <= self.limit


def size(entries: Sequence[str]) -> int:
    return len(_DELIMITER.join(entries))


def lines_unified(text: str) -> str:
    return io.StringIO(text, newline=None).read()


def standing(raw: bytes | None) -> list[str]:
    """Return the distinct entries in the bytes of a document; a leading byte-order mark is not text."""
    text = lines_unified((raw or b"").decode().removeprefix("\ufeff"))
    pieces = [piece.strip() for piece in text.split(_DELIMITER)]
    return list(dict.fromkeys(piece for piece in pieces if piece))


def rendered(entries: Sequence[str]) -> bytes:
    return _DELIMITER.join(entries).encode()


def threatening(round_: Round) -> list[str]:
    """Return the texts of a round that Hermes scans before it writes."""
    contents = [each.get("content") for each in round_.operations if each.get("action") in {"add", "replace"}]
    return [content for content in contents if content]


def tell(round_: Round, *, threat: bool) -> Story:
    """Tell what a round asks for; ``threat`` says whether Hermes's scanner hits one of its texts."""
    raw = round_.documents[round_.target]
    before = standing(raw)
    story = Story(before, list(before), round_.limits[round_.target])
    _look_at_document(story, raw)
    if threat:
        story.flags.add(Flag.THREAT)
    _look_at_words(story, round_.operations)
    _walk(story, round_.operations)
    if not story.failed and not story.refused_content and story.before == story.after:
        story.flags.add(Flag.NO_EFFECT)
    return story


def _look_at_document(story: Story, raw: bytes | None) -> None:
    if raw is not None and raw != rendered(story.before):
        story.flags.add(Flag.NOT_CANONICAL)
    if size(story.before) > story.limit:
        story.flags.add(Flag.OVER_LIMIT_BEFORE)
    if any(len(entry) > story.limit for entry in story.before):
        story.flags.add(Flag.ENTRY_OVER_LIMIT)
    if any("§" in {entry.split("\n")[0], entry.split("\n")[-1]} for entry in story.before):
        story.flags.add(Flag.BARE_DELIMITER_ENTRY)


def _look_at_words(story: Story, operations: Sequence[dict[str, Any]]) -> None:
    for operation in operations:
        used = [operation.get("content")] if operation.get("action") in {"add", "replace"} else []
        content = used[0] if used else None
        if operation.get("action") in {"replace", "remove"}:
            used.append(operation.get("old_text"))
        if any("\r" in text.strip() for text in used if text):
            story.flags.add(Flag.CARRIAGE_RETURN)
        if content and _refused(lines_unified(content).strip()):
            story.flags.add(Flag.REFUSED_CONTENT)
            story.refused_content = True


def _refused(text: str) -> bool:
    squeezed = re.sub(r"[\s_-]", "", unicodedata.normalize("NFKC", text).lower())
    reserved = _SQUEEZED_TAGS.search(squeezed) or _SQUEEZED_HEADERS.search(squeezed) or "═" * 46 in text
    return bool(reserved) or "§" in text.split("\n")


def _walk(story: Story, operations: Sequence[dict[str, Any]]) -> None:
    """Carry the operations out one by one until one cannot be."""
    now = story.after
    did = vacuous = False
    for operation in operations:
        content = lines_unified(operation.get("content") or "").strip()
        match = lines_unified(operation.get("old_text") or "").strip()
        action = operation.get("action")
        if action == "add" and content:
            if content not in now:
                now.append(content)
                did = True
            continue
        if action not in {"replace", "remove"} or not match or (action == "replace" and not content):
            break
        hits = [entry for entry in now if match in entry]
        if match in hits and len(hits) > 1:
            story.flags.add(Flag.WHOLE_ENTRY)
            hits = [match]
        if not hits and action == "replace" and content in now:
            vacuous = True  # what it asks for stands already, as after a crash between write and dequeue
            continue
        if len(hits) != 1:
            break
        if action == "remove":
            now.remove(hits[0])
            did = True
        elif content != hits[0]:
            if content in now:
                story.flags.add(Flag.REPLACE_DUPLICATES)
                break
            now[now.index(hits[0])] = content
            did = True
    else:
        story.failed = vacuous and did
        if story.failed:
            story.after = list(story.before)
        return
    story.failed = True
    story.after = list(story.before)
