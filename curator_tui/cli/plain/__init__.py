"""The review line by line: the whole job in printed sentences and typed answers, for whoever reads no screen.

Nothing here moves a cursor, colours, redraws or asks the terminal anything; every sign has its word. It holds no rule:
what may be approved is decided where the screens ask it too (``core.review``), and what is written is bound to what was
printed.
"""
