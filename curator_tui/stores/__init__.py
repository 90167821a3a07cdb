"""Stores: where documents, queue and book live. They keep, and decide nothing.

Here: the port, the safe file layer, the book, and one package per kind of store. Not here: rules (``core``), what a
surface shows. Stores import ``core`` and nothing else of ours.
"""
