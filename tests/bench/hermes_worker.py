"""Times Hermes's own functions; runs inside Hermes's interpreter, never inside ours.

One word or two per line on standard input (``list``, ``approve ID``), the seconds it took on standard output. Here:
nothing but calls of Hermes's own functions. Not here: what they are compared with (``hermes_group``).
"""

import logging
import os
import sys
import time


def main():
    # Hermes may print; only seconds may reach the pipe
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    logging.disable(logging.CRITICAL)
    from hermes_cli.write_approval_commands import handle_pending_subcommand
    from tools.memory_tool import load_on_disk_store
    from tools.write_approval import list_pending

    store = load_on_disk_store()
    for line in sys.stdin:
        verb, *rest = line.split()
        start = time.perf_counter()
        if verb == "list":
            done = bool(list_pending("memory"))
        else:
            done = "Approved 1 " in handle_pending_subcommand("memory", [verb, *rest], memory_store=store)
        seconds = time.perf_counter() - start
        answers.write(f"{seconds if done else -1.0}\n")
        answers.flush()


if __name__ == "__main__":
    main()
