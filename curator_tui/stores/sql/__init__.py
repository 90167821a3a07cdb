"""The SQL store: the memory of many people in one database, SQLite or PostgreSQL, one scope at a time.

Nothing in here is loaded before ``--db`` names a database, and SQLAlchemy only for PostgreSQL and for making tables.
"""
