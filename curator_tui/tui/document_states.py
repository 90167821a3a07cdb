"""How a document stands, in words: its gauge, what an add can still hold, what is wrong with it and what helps.

Here: missing, empty, unreadable, over its limit, edited by hand, not used by the agent, each told apart. Not here: the
entries (``entry_rows``), what a document is (``core.documents``).
"""

from __future__ import annotations

from collections.abc import Iterator

from curator_tui.core.documents import DELIMITER, Document, Presence, Target
from curator_tui.curator.holdings import Holdings
from curator_tui.tui.actions import key_for
from curator_tui.tui.facts import file_name, gauge
from curator_tui.tui.gauges import CELLS
from curator_tui.tui.shown import Line, message, own


def gauge_row(found: Holdings, target: Target) -> tuple[Line, Line]:
    """Return the gauge of a document, and what an add to it can still hold."""
    document, limit = found.snapshot.document(target), found.snapshot.limits.get(target)
    name = own(" {:<10}", file_name(target), role="head")
    if not document.usable:
        return (name, own("{}: not known what stands in it", document.presence, role="bad")), ()
    return (name, *gauge(document.size, limit, CELLS)), (*_room(document, limit), own(" "))


def _room(document: Document, limit: int | None) -> Line:
    if limit is None:
        return (own("how much it may hold is not known", role="warn"),)
    if document.size > limit:
        return (own("{} over: it may only shrink", document.size - limit, role="bad"),)
    left = limit - document.size - (len(DELIMITER) if document.entries else 0)
    if left < 1:
        return (own("full: no add fits", role="warn"),)
    return (own("an add of up to {} fits", left, role="dim"),)


def document_notes(found: Holdings, target: Target) -> Iterator[Line]:
    """Say what is worth knowing of a document and what helps, one line each."""
    document, limit = found.snapshot.document(target), found.snapshot.limits.get(target)
    past = key_for("go.history")
    if found.enabled.get(target) is False:
        yield (own("switched off in the configuration: the agent does not read it", role="warn"),)
    if document.presence is Presence.MISSING:
        yield (own("not there yet: the first entry makes it ({})", key_for("entry.add"), role="dim"),)
    elif not document.usable:
        yield (own("{}: {}", document.presence, message(document.trouble), role="bad"),)
        yield (own("nothing is written to it; mend the file and press {}, or {}: a backup", key_for("refresh"), past),)
    elif not document.entries:
        yield (own("empty: {} adds the first entry", key_for("entry.add"), role="dim"),)
    if document.usable and document.drifted:
        key = key_for("doc.tidy")
        yield (own("edited by hand: Hermes refuses its own replace here; {} tidies it", key, role="warn"),)
    elif document.usable and document.locked_for_hermes(limit):
        yield (own("one entry alone is over the limit: Hermes refuses its replace here", role="warn"),)
    if document.usable and limit is not None and document.size > limit:
        keys = key_for("entry.remove"), key_for("entry.correct"), key_for("entry.merge")
        yield (own("over its limit: {} removes, {} shortens, {} shows what is said twice", *keys, role="bad"),)
    if limit is None:
        yield (own("its limit is not known: the configuration cannot be read", role="warn"),)
