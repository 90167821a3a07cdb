"""Runs the benchmark: ``python -m tests.bench [--json] [--quick] [--folder DIR] [GROUP …]``.

Every figure stands beside its floor, both measured in the same run and in turn. The exit code says whether everything
could be measured (0) or not (1), never whether goals are met: that is in the rows.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.bench.rows import Row, Skipped, table
from tests.bench.workplace import Workplace, file_system, workplace

GROUPS = {
    "start": "time to the first painted frame",
    "queue": "ten thousand records: reading, states, a page",
    "approve": "one durable decision",
    "plan": "many decisions as one change",
    "keys": "key to painted row",
    "lag": "event loop, keys and first frame at three sizes",
    "diffs": "hostile texts",
    "memory": "peak resident memory",
    "cli": "whole processes of the command line",
    "hermes": "Hermes Agent's own figures",
}
ON_SERVER = {"postgres": "a server of our own: clients, pages, batches"}


def main(argv: Sequence[str] | None = None) -> int:
    """Measure the groups that are named, all of them when none is."""
    options = _options(argv)
    failed = False
    collected: list[dict[str, Any]] = []
    with workplace(options.folder, quick=options.quick) as place:
        about = _about(place)
        if not options.json:
            print("\n".join(f"{name}: {value}" for name, value in about.items()))
        for group in options.groups or (ON_SERVER if options.postgres else GROUPS):
            lines, problem = _measured(group, place)
            failed = failed or problem is not None
            collected += [line.as_json(group) for line in lines]
            if not options.json:
                print(f"\n== {group}: {(GROUPS | ON_SERVER)[group]}", *table(lines), sep="\n", flush=True)
            if problem is not None:
                print(f"NOT MEASURED  {group}:\n{problem}", file=sys.stderr, flush=True)
        about["load afterwards"] = _load()
    if options.json:
        print(json.dumps({"about": about, "figures": collected, "complete": not failed}))
    else:
        print("\n".join(_closing(collected, about)))
    return 1 if failed else 0


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quick", action="store_true", help="see that everything runs; the figures mean nothing")
    parser.add_argument("--postgres", action="store_true", help="measure on a server of our own instead")
    parser.add_argument("--folder", type=Path, help="where to work; a local disk, not a file system in memory")
    options = parser.parse_args(argv)
    if strange := [group for group in options.groups if group not in GROUPS | ON_SERVER]:
        parser.error(f"no such group: {', '.join(strange)}; there are {', '.join(GROUPS | ON_SERVER)}")
    return options


def _measured(group: str, place: Workplace) -> tuple[list[Row | Skipped], str | None]:
    """Return what a group measured, and what kept it from measuring the rest."""
    lines: list[Row | Skipped] = []
    try:
        found: Iterator[Row | Skipped] = import_module(f"tests.bench.{group}_group").measure(place)
        for line in found:
            lines.append(line)  # one by one: what came before a failure is kept
    except Exception:
        return lines, traceback.format_exc()
    return lines, None


def _about(place: Workplace) -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "file system": file_system(place.scratch),
        "load before": _load(),
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def _load() -> str:
    return " ".join(f"{part:.2f}" for part in os.getloadavg())


def _closing(collected: Sequence[dict[str, Any]], about: dict[str, str]) -> list[str]:
    """Say how many goals are met, which are missed and by how much."""
    judged = [line for line in collected if line.get("met") is not None]
    missed = [line for line in judged if not line["met"]]
    met = f"goals met: {len(judged) - len(missed)} of {len(judged)}"
    out = ["", f"load afterwards: {about['load afterwards']}", met]
    for line in missed:
        value = line["ratio"] if line["goal_is_ratio"] else line["ours"]
        unit = "x" if line["goal_is_ratio"] else line["unit"]
        out.append(f"missed: {line['group']}: {line['name']}: {value:.2f} {unit}, goal {line['goal']:g} {unit}")
    skipped = sum("skipped" in line for line in collected)
    return [*out, f"skipped: {skipped}"] if skipped else out


if __name__ == "__main__":
    sys.exit(main())
