"""The skills of the demo: some installed, one put away, one that two profiles share, and writes that wait.

Here: invented texts and writing them as Hermes does. Not here: the rest of the home (``home``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator_tui.demo.world import DAY

Write = Callable[[Path, bytes, int], None]

_DEPLOY = """---
name: deploy-shop
description: Ship the web shop to juniper and check that it came up
version: 1.2.0
---
# deploy-shop

1. Read `git status`; stop when anything is not committed.
2. Run the tests of the shop; port 5433 must be free.
3. Run `make ship` from ~/code/shop.
4. Open the shop once and read the first lines of the log on juniper.
5. Tell Tova the version that runs now.
"""
_CHECKLIST = "Before: tests green, oven timer not running.\nAfter: front page, one order, the log.\n"
_MINUTES = """---
name: plain-minutes
description: Turn notes of a meeting into one page of minutes
version: 1.0.0
---
# plain-minutes

1. List who was there and who was not.
2. Write each decision as one sentence, with who does it and by when.
3. Leave out who said what.
"""
_TILL = """---
name: old-till-report
description: Read the paper roll of the old till
version: 0.3.0
---
# old-till-report

1. Type the totals of the roll into the sheet.
"""
_REPORT = """---
name: {name}
description: {description}
version: 1.0.0
---
# {name}

1. Read the counts from the last two Mondays.
2. List what ran out, what is over, what was thrown away.
3. Write one page, newest week first.
"""
REPORT = ("weekly-stock-report", "How to write the weekly stock report")

# Installed skills by profile and folder: their files, and how many days ago the agent made them (None: not recorded).
INSTALLED: Mapping[str, Mapping[str, tuple[Mapping[str, str], float | None]]] = {
    "default": {
        "shop/deploy-shop": ({"SKILL.md": _DEPLOY, "references/checklist.md": _CHECKLIST}, 34.0),
        "plain-minutes": ({"SKILL.md": _MINUTES}, None),
        ".archive/old-till-report": ({"SKILL.md": _TILL}, 90.0),
    },
    "work": {"plain-minutes": ({"SKILL.md": _MINUTES}, 11.0)},
}

# Waiting writes: id, days ago, origin, summary, payload.
WAITING: tuple[tuple[str, float, str, str, Mapping[str, Any]], ...] = (
    (
        "7c1e90aa",
        4.0,
        "background_review",
        f"create '{REPORT[0]}' — {REPORT[1]} (1 KB)",
        {"action": "create", "name": REPORT[0], "content": _REPORT.format(name=REPORT[0], description=REPORT[1])},
    ),
    (
        "3d09b7e2",
        3.0,
        "assistant_tool",
        "patch 'deploy-shop' SKILL.md (+2/-1 lines)",
        {
            "action": "patch",
            "name": "deploy-shop",
            "old_string": "3. Run `make ship` from ~/code/shop.\n",
            "new_string": "3. Take a backup of the database first.\n4. Run `make ship` from ~/code/shop.\n",
        },
    ),
    (
        "a25f6c18",
        1.0,
        "background_review",
        "write references/checklist.md in 'deploy-shop'",
        {
            "action": "write_file",
            "name": "deploy-shop",
            "file_path": "references/checklist.md",
            "file_content": _CHECKLIST + "Never on a Friday afternoon.\n",
        },
    ),
    (
        "e81d4407",
        0.5,
        "background_review",
        "delete skill 'baker-jokes'",
        {"action": "delete", "name": "baker-jokes", "absorbed_into": ""},
    ),
)


def write_skills(root: Path, now: float, write: Write) -> None:
    """Write the installed and the waiting skills of a demo home whose profiles exist already.

    Args:
        root: the home.
        now: the moment the demo is built for, UTC seconds.
        write: writes one file with its mode.
    """
    for profile, skills in INSTALLED.items():
        home = root if profile == "default" else root / "profiles" / profile
        usage: dict[str, Any] = {}
        for folder, (files, age) in skills.items():
            for name, text in files.items():
                path = home / "skills" / folder / name
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write(path, text.encode(), 0o644)
            if age is not None:
                usage[folder.rpartition("/")[2]] = _usage(now - age * DAY, archived=folder.startswith(".archive"))
        write(home / "skills" / ".usage.json", json.dumps(usage, indent=2, sort_keys=True).encode(), 0o600)
    for name, age, origin, summary, payload in WAITING:
        record = {
            "id": name,
            "subsystem": "skills",
            "action": payload["action"],
            "summary": summary,
            "origin": origin,
            "created_at": now - age * DAY,
            "payload": {"replace_all": False, **payload},
        }
        raw = json.dumps(record, ensure_ascii=False, indent=2).encode()
        write(root / "pending" / "skills" / f"{name}.json", raw, 0o644)


def _usage(at: float, *, archived: bool) -> dict[str, Any]:
    made = datetime.fromtimestamp(at, UTC).isoformat()
    return {"created_at": made, "created_by": "agent", "pinned": False, "state": "archived" if archived else "active"}
