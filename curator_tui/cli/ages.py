"""Ages in words, for lists and prompts. It imports nothing: a shell prompt is drawn with it."""

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def age(seconds: float) -> str:
    """Return an age in words: the largest unit that fits, truncated."""
    if seconds < 0:
        return "in the future"
    for size, unit in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now"
