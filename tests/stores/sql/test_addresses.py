"""What ``--db`` may name, and that nothing ever shows its password."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curator_tui.core.errors import UsageError
from curator_tui.stores.sql.addresses import address_of


def test_a_file_is_named_by_a_whole_or_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert address_of("sqlite:////var/memory.db").file == "/var/memory.db"
    assert address_of("sqlite:///memory.db").file == os.path.join(tmp_path, "memory.db")
    assert address_of("sqlite:///a%20b.db").label == f"{tmp_path}/a b.db"


@pytest.mark.parametrize(
    "text",
    ["", "sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///x?mode=ro", "mysql://x", "x", "postgresql",
     "sqlite:///a%00b", "postgresql://[::1/x"],
)  # fmt: skip
def test_what_names_no_database_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        address_of(text)
    assert "sqlite:///FILE" in caught.value.way_out


@pytest.mark.parametrize(
    "url",
    ["postgresql://ada:s3cret@db:5432/memory", "postgres://ada:s3cret@db/memory?sslmode=require",
     "postgresql://ada@db/memory?password=s3cret", "postgresql://ada:s3c%40ret@db/memory#s3cret"],
)  # fmt: skip
def test_a_password_is_in_no_words(url: str) -> None:
    found = address_of(url)
    assert found.dialect == "postgresql"
    assert "s3c" not in found.label
    assert found.label.startswith("postgresql://ada@db")
    assert found.url.startswith("postgresql://")
    assert "s3c" in found.url
