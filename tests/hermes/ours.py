"""Our side of a round: from the record as Hermes would have staged it to the new bytes.

The way is that of the product: reader, preflight, plan. Hermes has no gate for findings or losses, so both
are overridden. Not here: any store; the bytes are only computed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from curator_tui.core.documents import Target, parse
from curator_tui.core.preflight import Preflight, Snapshot, preflight
from curator_tui.core.requests import Decision, OverrideCode, Verb
from curator_tui.core.review import OVERRIDABLE, approval_problem
from curator_tui.core.settling import pinned_proposal, settle
from curator_tui.core.splicing import splice
from curator_tui.stores.hermes.records import parse_record
from tests.hermes.client import Documents
from tests.hermes.generator import Round

_NAME = "0a1b2c3d"


@dataclass(frozen=True, slots=True)
class OurAnswer:
    """What our core says to one payload.

    Attributes:
        verdict: applied, refused or no-change.
        code: the code of the reason of a refusal, empty otherwise.
        documents: both documents afterwards.
        canonical: whether some document had to be written anew as a whole.
        found: the preflight of the record as it was read.
    """

    verdict: str
    code: str
    documents: Documents
    canonical: bool
    found: Preflight


def record_bytes(payload: object) -> bytes:
    """Write a record the way Hermes stages it."""
    record = {
        "id": _NAME,
        "subsystem": "memory",
        "action": "batch",
        "summary": "",
        "origin": "foreground",
        "created_at": 1796001238.41,
        "payload": payload,
    }
    return json.dumps(record, ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass")


def curate(round_: Round) -> OurAnswer:
    """Answer a round twice, by preflight alone and by a plan of one decision, and hold the two together."""
    documents = {Target(name): parse(Target(name), raw) for name, raw in round_.documents.items()}
    snapshot = Snapshot(documents, {Target(name): limit for name, limit in round_.limits.items()})
    proposal = parse_record(f"{_NAME}.json", record_bytes(round_.payload))
    found = preflight(proposal, snapshot)
    problem = approval_problem(found, OVERRIDABLE)
    changed = {} if problem else {name: part for name, part in found.outcome.items() if part.before != part.after}
    spliced = {name: splice(documents[name], part.after) for name, part in changed.items()}

    decision = Decision(_NAME, Verb.APPROVE, override=OVERRIDABLE, reason=OverrideCode.REQUEST)
    settlement = settle(snapshot, [decision], {_NAME: pinned_proposal(proposal, snapshot, {})})
    assert bool(settlement.failed) == bool(problem), (round_, settlement.failed, problem)
    assert dict(settlement.spliced) == spliced, round_

    after = {name: spliced[name].raw if name in spliced else document.raw for name, document in documents.items()}
    return OurAnswer(
        "refused" if problem else "applied" if changed else "no-change",
        problem[1].code if problem else "",
        {str(name): raw for name, raw in after.items()},
        any(part.canonical for part in spliced.values()),
        found,
    )
