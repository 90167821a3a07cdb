"""Finds markup that one regular expression cannot tell from ordinary text.

Here live the functions behind rules of ``markup_rules`` and ``frame_rules``: console style tags, links that name one
host and lead to another, HTML comments, code fences, forged diffs. Rules that a pattern can say are data there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from curator_tui.core.patterns import late
from curator_tui.core.scanning.rules import Span, Subject

_NAME = late(r"[^\s=]*")
_TAG = late(r"\[(/?)([^\[\]\n]{0,80})\]")
_STYLE_WORD = late(
    r"(?:bright_)?(?:black|red|green|yellow|blue|magenta|cyan|white)|gr[ae]y|orange|purple|pink|brown|violet"
    r"|gold|silver|(?:dark|light|deep|medium|hot)_?[a-z]+[0-9]?|#[0-9a-f]{6}|rgb\([\d, ]+\)|color\(\d+\)"
    r"|auto|default|none"
)
_ATTRIBUTE = late(
    r"bold|italic|underline2?|strike|blink2?|reverse|dim|conceal|overline|frame|encircle|[biusdro]|uu|not|on"
)
_FORUM_TAG = late(r"url|img|color|size|quote|code|spoiler|font|center")


@lru_cache(maxsize=4096)
def _is_style(content: str) -> bool:
    """Whether all words are styles as Rich and Textual know them (their documented style grammar)."""
    words = content.split()
    return bool(words) and all(
        _ATTRIBUTE.fullmatch(word) or _STYLE_WORD.fullmatch(word) or (word[0] == "$" and len(words) > 1)
        for word in words
    )


def _acts_alone(content: str, before: str, after: str) -> bool:
    """Whether a style tag counts without a closing tag: a combination, or glued to the word it styles."""
    words = content.split()
    if len(words) > 1:
        return any(_ATTRIBUTE.fullmatch(word) for word in words)
    glued = len(content) > 2 and content not in {"default", "none", "auto", "not", "on"} and after.isalpha()
    return glued and not before.isalnum()


def style_tags(subject: Subject) -> Iterator[Span]:
    """Console style tags and forum tags that would act: pairs, combinations, tags glued to a word.

    A word in brackets alone is a label, an index, a heading or a character class, so one style word counts
    only with a closing tag or directly before a letter, and one letter only with a closing tag.
    """
    text = subject.low
    opened: set[str] = set()
    styled = False
    for found in _TAG.finditer(text):
        closing, content = found.groups()
        if closing:
            ends = content in opened or _is_style(content) or (styled and not content.strip())
            acts = ends or _FORUM_TAG.fullmatch(content) is not None
        else:
            opened.update((content, _NAME.match(content)[0]))  # type: ignore[index]  # an empty name matches too
            is_style = _is_style(content)
            styled = styled or is_style
            start, end = found.span()
            acts = is_style and _acts_alone(content, text[start - 1 : start], text[end : end + 1])
        if acts:
            yield found.span()


_LINK = late(r"\[([^\[\]\n]{1,300})\]\(\s*<?(https?://[^\s()<>]{1,300})")
_HOST = late(r"(?:https?://)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?=[/:?#\s]|$)")


def deceptive_links(subject: Subject) -> Iterator[Span]:
    """Markdown links whose words are an address on another host than the one they lead to."""
    for found in _LINK.finditer(subject.low):
        shown, target = _HOST.match(found.group(1).strip()), _HOST.match(found.group(2))
        if shown is None or (target is not None and _same_site(shown.group(1), target.group(1))):
            continue
        # A file name such as "readme.md" reads like a host; it needs a scheme or a path to count as an address.
        if "://" in found.group(1) or "/" in found.group(1) or shown.group(1).startswith("www."):
            yield found.span()


def _same_site(one: str, other: str) -> bool:
    return one == other or one.endswith("." + other) or other.endswith("." + one)


_ORDERS = late(
    r"\b(?:approv\w*|ignor\w*|overrid\w*|obey|instructions?|assistant|reviewer|curator|agents?|execute"
    r"|you must|do not|don't|always|never|secretly|system prompt|genehmig\w*|aprueba|approuve\w*|одобри\w*"
    r"|игнорир\w*)\b|批准|忽略|无视|承認|無視|تجاهل|وافق"
)


def commanding_comments(subject: Subject) -> Iterator[Span]:
    """HTML comments, which a rendered page does not show, that speak to a reader who would see them."""
    text, at = subject.low, 0
    while (start := text.find("<!--", at)) >= 0:
        end = text.find("-->", start)
        end = len(text) if end < 0 else end + 3
        if _ORDERS.search(text, start, end):
            yield start, end
        at = end


_FENCE = late(r"(?m)^ {0,3}(`{3,}|~{3,})[ \t]*([\w+.#-]*)[ \t]*$")


def open_fences(subject: Subject) -> Iterator[Span]:
    """A code fence that does not come in a pair: it closes or opens a fence around the entry."""
    fences: dict[str, list[Span]] = {}
    for found in _FENCE.finditer(subject.low):
        fences.setdefault(found.group(1)[0], []).append(found.span())
    for places in fences.values():
        if len(places) % 2:
            yield places[-1]


_SWAP = late(r"(?m)^-(?=\S)(?!-)[^\n]{0,300}\n\+(?=\S)[^\n]{0,300}")
_NUMBER_OR_FLAG = late(r"-(?:\d|[a-z]\b|[rwx-]{9})")


def forged_diffs(subject: Subject) -> Iterator[Span]:
    """A removed line and an added line as a diff shows them; a list has a blank after its mark."""
    for found in _SWAP.finditer(subject.low):
        if not _NUMBER_OR_FLAG.match(found.group()):
            yield found.span()
