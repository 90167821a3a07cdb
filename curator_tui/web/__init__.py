"""The application in a browser: a small server that lets in who holds its token, and runs one application a session.

``access`` says who is let in, ``page`` what a browser is given, ``child`` runs one application, ``server`` joins them.
Nothing here knows a store: a session is a process of its own, started with the arguments of a command line.
"""
