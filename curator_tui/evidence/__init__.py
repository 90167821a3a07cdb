"""Evidence: the messages behind a claim, looked up where an agent keeps its sessions.

Here: the port and the sources. Not here: judging what was found, keeping any of it. Evidence imports ``core`` and
nothing else of ours; it looks, advises, and never raises for what it finds.
"""
