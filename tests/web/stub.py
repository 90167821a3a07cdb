"""What a session speaks, without an application: it says its window, repeats what is typed, and ends when told to."""

from __future__ import annotations

import os
import sys


def packet(kind: bytes, content: bytes) -> None:
    os.write(1, kind + len(content).to_bytes(4, "big") + content)


def exactly(count: int) -> bytes:
    found = b""
    while len(found) < count:
        more = os.read(0, count - len(found))
        if not more:
            sys.exit(0)
        found += more
    return found


os.write(1, b"some words of a library\n__GANGLION__\n")
packet(b"D", f"window {os.environ['COLUMNS']}x{os.environ['ROWS']} pid {os.getpid()} args {sys.argv[1:]}".encode())
while True:
    head = exactly(5)
    content = exactly(int.from_bytes(head[1:], "big"))
    if content == b"end":
        sys.exit(0)
    if content == b"fail":
        sys.exit(3)
    if content == b"ask":  # what an application could ask of a browser
        packet(b"M", b'{"type": "open_url", "url": "http://elsewhere.example/", "new_tab": true}')
        packet(b"M", b'{"type": "deliver_file_start", "key": "k", "path": "/etc/passwd"}')
        packet(b"P", b"anything")
    packet(b"D", head[:1] + content)
