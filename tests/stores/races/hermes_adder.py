"""Adds entries with a real Hermes Agent's own memory tool; runs inside Hermes's own interpreter, never inside ours.

``python hermes_adder.py FD``: one JSON object per line, as ``worker`` speaks. ``{"text": ...}`` is answered by
``ready`` and, after the common start, by what the tool said. Nothing of Hermes is replaced: its locks, its syncs and
its gate are its own, and the home comes from the environment. One store serves the whole run, as in a long session.
"""

import json
import os
import sys


def main():
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    from tools import memory_tool

    store = memory_tool.load_on_disk_store()
    for line in sys.stdin:
        text = json.loads(line)["text"]
        answers.write(json.dumps({"ready": True}) + "\n")
        answers.flush()
        os.read(int(sys.argv[1]), 1)
        said = json.loads(memory_tool.memory_tool(action="add", target="memory", content=text, store=store))
        answers.write(json.dumps({"said": said}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
