"""Migrations: how the tables came to be as ``stores.sql.schema`` says; run by ``stores.sql.upgrading`` only."""
