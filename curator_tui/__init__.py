"""The desk where a person decides what an AI agent may remember.

Only the version lives here: importing the package must stay cheap and must not pull in a surface or a store.
"""

__version__ = "0.1.0"
