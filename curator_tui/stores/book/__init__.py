"""The book: everything we keep beside the documents, as plain SQL over a small protocol.

Here: schema, connections, and what is read from and written to our own tables. Not here: where documents and queue
live, the order of a commit (``stores.hermes``), what a change means (``core``).

Words live only in the column ``memory_texts.body``; every other table refers to a text by its id.
"""
