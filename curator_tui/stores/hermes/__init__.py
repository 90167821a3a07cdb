"""A Hermes home as a store: its documents and its queue stay Hermes's own files.

Here: binding a home, its configuration, its documents, its waiting records, and committing a change to them. Not here:
the book (``stores.book``), the rules (``core``).
"""
