"""Answers questions with a real Hermes Agent; runs inside Hermes's own interpreter, never inside ours.

One JSON object per line on standard input, one per line on standard output. Bytes travel as base64, None as
null. Here: nothing but the way to Hermes's own functions and back. Not here: any rule of memory, of Hermes or
of ours.

    {"do": "apply", "rounds": [{"documents", "limits", "payload"}]}  one answer per round
    {"do": "scan", "texts": [...]}                                   the ids Hermes's scanner gives each text

A round without ``documents`` works on the files as they stand; one without ``limits`` takes those of the
home.
"""

import base64
import importlib.metadata
import json
import os
import socket
import sys
from pathlib import Path

FILES = {"memory": "MEMORY.md", "user": "USER.md"}


class _NoNetwork(socket.socket):
    """A round must depend on nothing but its input; whatever reaches out fails loudly."""

    def __init__(self, *_args, **_kwargs):
        raise OSError("no network in the differential test")


def put(folder, documents):
    """Bring both files to exactly these bytes; None removes the file."""
    for target, body in documents.items():
        path = folder / FILES[target]
        if body is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(base64.b64decode(body))


def look(folder):
    """Return the bytes of both files, None where there is none."""
    found = {}
    for target, name in FILES.items():
        path = folder / name
        found[target] = base64.b64encode(path.read_bytes()).decode() if path.exists() else None
    return found


def apply(hermes, folder, question):
    """Let Hermes apply one payload; an exception that leaves Hermes is an answer too."""
    if "documents" in question:
        put(folder, question["documents"])
    raised = ""
    try:
        if "limits" in question:
            limits = question["limits"]
            store = hermes.MemoryStore(memory_char_limit=limits["memory"], user_char_limit=limits["user"])
        else:
            store = hermes.load_on_disk_store()
        result = hermes.apply_memory_pending(question["payload"], store)
    except Exception as error:
        raised = type(error).__name__
        result = {}
    if "drift_backup" in result:  # one file per second would pile up
        Path(result["drift_backup"]).unlink(missing_ok=True)
    return {
        "success": bool(result.get("success")),
        "message": result.get("message") or result.get("error") or "",
        "raised": raised,
        "documents": look(folder),
    }


def main():
    # Hermes may print; only answers may reach the pipe
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    socket.socket = _NoNetwork
    # bytes are compared here, not durability; thousands of waits for a busy disk would tell nothing more
    os.fsync = lambda _descriptor: None
    from tools import memory_tool, threat_patterns

    folder = memory_tool.get_memory_dir()
    folder.mkdir(parents=True, exist_ok=True)
    answers.write(json.dumps({"version": importlib.metadata.version("hermes-agent"), "memories": str(folder)}) + "\n")
    answers.flush()
    for line in sys.stdin:
        question = json.loads(line)
        if question["do"] == "apply":
            answer = [apply(memory_tool, folder, each) for each in question["rounds"]]
        else:
            answer = [threat_patterns.scan_for_threats(text, scope="strict") for text in question["texts"]]
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
