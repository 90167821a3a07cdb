"""Skills of a home: what is installed and what waits, read from whatever lies there, and never followed outside."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from curator_tui.core.skills import InstalledSkill, SkillListing, SkillWrite, Standing, effect, usable_path
from curator_tui.stores.hermes.skill_queue import parse_skill_record, standing_of, waiting_skills
from curator_tui.stores.hermes.skills import front_matter, installed_skills
from curator_tui.stores.safe_files import Folder
from tests.homes import fixture_home, picture

BODY = "---\nname: {name}\ndescription: {about}\n---\n# {name}\n\n1. Look.\n2. Run `make test`.\n"


def skill(home: Path, folder: str, text: str | None = None, **files: str) -> Path:
    """Install a skill as Hermes lays it out."""
    path = home / "skills" / folder
    path.mkdir(parents=True)
    name = folder.rpartition("/")[2]
    (path / "SKILL.md").write_text(BODY.format(name=name, about="How to look") if text is None else text)
    for file, content in files.items():
        (path / "references").mkdir(exist_ok=True)
        (path / "references" / file).write_text(content)
    return path


def listing(*homes: Path) -> SkillListing:
    with ExitStack() as opened:
        return installed_skills([(home.name, opened.enter_context(Folder.open(home))) for home in homes])


def by_name(found: SkillListing) -> dict[str, InstalledSkill]:
    return {one.name: one for one in found.skills}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "default").mkdir()
    return tmp_path / "default"


def test_equal_content_is_one_row_with_all_its_holders(home: Path, tmp_path: Path) -> None:
    skill(home, "look")
    skill(home, "tools/deploy", notes="a")
    skill(tmp_path / "work", "look")
    skill(tmp_path / "work", ".archive/deploy", notes="a")
    skill(tmp_path / "play", "deploy", notes="b")
    found = listing(home, tmp_path / "work", tmp_path / "play")
    rows = [(one.name, [(h.profile, h.folder, h.archived) for h in one.holders]) for one in found.skills]
    assert sorted(rows) == [
        ("deploy", [("default", "tools/deploy", False), ("work", ".archive/deploy", True)]),
        ("deploy", [("play", "deploy", False)]),
        ("look", [("default", "look", False), ("work", "look", False)]),
    ]
    assert not found.notes
    assert [one.archived for one in found.skills] == [False, False, False]


def test_one_that_is_put_away_everywhere_is_archived(home: Path) -> None:
    skill(home, ".archive/old")
    assert [(one.name, one.archived) for one in listing(home).skills] == [("old", True)]


def test_folders_of_a_skill_and_of_tools_are_no_skills(home: Path) -> None:
    skill(home, "look")
    for folder in ("look/references/older", "node_modules/x", ".git/x", ".hub/quarantine"):
        skill(home, folder)
    assert [one.name for one in listing(home).skills] == ["look"]


def test_time_is_what_hermes_recorded_and_never_that_of_a_file(home: Path) -> None:
    for name in ("made", "viewed", "hub", "odd"):
        skill(home, name, BODY.format(name=name, about=name))
    usage = {
        "made": {"created_by": "agent", "created_at": "2026-03-01T12:00:00+00:00"},
        "viewed": {"created_by": None, "created_at": "2026-03-02T12:00:00+00:00"},
        "odd": {"created_by": "agent", "created_at": "soon"},
    }
    (home / "skills" / ".usage.json").write_text(json.dumps(usage))
    (home / "skills" / ".hub").mkdir()
    lock = {"installed": {"hub": {"installed_at": "2026-03-03T12:00:00+00:00"}}}
    (home / "skills" / ".hub" / "lock.json").write_text(json.dumps(lock))
    found = by_name(listing(home))
    assert {name: (one.at, one.sources) for name, one in found.items()} == {
        "made": (1772366400.0, ("agent",)),
        "viewed": (None, ()),
        "hub": (1772539200.0, ("hub",)),
        "odd": (None, ("agent",)),
    }


@pytest.mark.parametrize("raw", [b"[", b"[1]", b'{"made": 7}', b"\xff"])
def test_a_broken_record_of_times_says_nothing(home: Path, raw: bytes) -> None:
    skill(home, "made")
    (home / "skills" / ".usage.json").write_bytes(raw)
    assert listing(home).skills[0].at is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\nname: look\ndescription: How\n---\nx", ("look", "How", "")),
        ("---\r\nname: 'look'\r\ndescription: >\r\n  How\r\n  to\r\n---\r\nx", ("look", "How to", "")),
        ("---\nname: 7\ndescription: [a]\n---\nx", ("7", "", "")),
        ("---\ndescription: How\n---\nx", ("", "How", "its front matter has no name")),
        ("# look", ("", "", "it has no front matter")),
        ("---\nname: [look\n---\nx", ("", "", "its front matter is not valid YAML")),
        ("---\n- a\n---\nx", ("", "", "its front matter names nothing")),
        ("---\nname: " + "[" * 7_000 + "\n---\n", ("", "", "its front matter is not valid YAML")),
        ("---\nname: !!python/object/apply:os.system [id]\n---\nx", ("", "", "its front matter has no name")),
    ],
)
def test_a_front_matter_is_read_for_two_texts_and_nothing_else(text: str, found: tuple[str, str, str]) -> None:
    assert front_matter(text) == found


def test_a_front_matter_that_multiplies_itself_takes_no_time() -> None:
    steps = ["a0: &a0 {x: 1}"] + [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 60)]
    start = time.thread_time()
    front_matter("---\nname: bomb\n" + "\n".join(steps) + "\n---\n")
    assert time.thread_time() - start < 1


def test_what_cannot_be_read_is_listed_with_its_reason_and_hides_nothing(home: Path, tmp_path: Path) -> None:
    skill(home, "good")
    outside = tmp_path / "outside"
    skill(outside, "far")
    (home / "skills" / "linked").symlink_to(outside / "skills" / "far")
    for name in ("pipe", "link", "latin", "large"):
        (home / "skills" / name).mkdir()
    os.mkfifo(home / "skills" / "pipe" / "SKILL.md")
    (home / "skills" / "link" / "SKILL.md").symlink_to(outside / "skills" / "far" / "SKILL.md")
    (home / "skills" / "latin" / "SKILL.md").write_bytes(b"---\nname: \xe9\n---\n")
    with (home / "skills" / "large" / "SKILL.md").open("wb") as file:
        file.truncate((1 << 20) + 1)
    found = by_name(listing(home))
    assert not found["good"].unreadable
    reasons = {name: one.trouble for name, one in found.items() if one.unreadable}
    assert set(reasons) == {"linked", "pipe", "link", "latin", "large"}
    for name, word in {"linked": "symbolic link", "pipe": "pipe", "latin": "UTF-8", "large": "larger"}.items():
        assert word in reasons[name]
    assert all(not one.text for one in found.values() if one.unreadable)


def test_further_files_that_are_no_files_are_counted_and_not_opened(home: Path, tmp_path: Path) -> None:
    path = skill(home, "look", note="x")
    os.mkfifo(path / "references" / "pipe")
    (path / "references" / "link").symlink_to(tmp_path / "nowhere")
    assert listing(home).skills[0].trouble == "2 of its files were not read"


def test_a_name_with_control_characters_stays_raw_in_the_value(home: Path) -> None:
    skill(home, "evil\x1b[2J")
    assert listing(home).skills[0].holders[0].folder == "evil\x1b[2J"


# -- what waits ----------------------------------------------------------------------------------------------------


@pytest.fixture
def fixture(tmp_path: Path) -> Path:
    return fixture_home(tmp_path / "fixture")


@pytest.fixture
def opened(home: Path) -> Iterator[Folder]:
    (home / "pending" / "skills").mkdir(parents=True)
    with Folder.open(home) as folder:
        yield folder


def payload(action: str, name: str = "look", **parts: Any) -> dict[str, Any]:
    return {"action": action, "name": name, "replace_all": False, **parts}


def write_of(body: Any, name: str = "a1b2c3d4.json") -> SkillWrite:
    record = {"id": "a1b2c3d4", "subsystem": "skills", "action": "x", "summary": "s", "origin": "o", "payload": body}
    return parse_skill_record(name, json.dumps({**record, "created_at": 5.0}).encode(), "work")


def test_the_records_of_a_home_hermes_wrote_are_read(fixture: Path) -> None:
    before = picture(fixture)
    with Folder.open(fixture) as folder:
        found, left_out = waiting_skills(folder, "default")
        patch = next(write for write in found if write.action == "patch")
        change = effect(patch, standing_of(folder, patch))
    assert [write.id for write in found] == ["5e4dd63c", "aae42b75", "fe52bbbd", "86020265", "ef06d598"]
    assert left_out == 0
    assert {write.profile for write in found} == {"default"}
    assert change.diff is not None
    assert [line.text for line in change.diff.lines if line.kind in {"gone", "new"}] == [
        "3. Fix, rerun, then commit.",
        "3. Fix, rerun three times, then commit.",
    ]
    assert picture(fixture) == before, "looking writes nothing"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (payload("rename"), "unknown-action"),
        ({"name": "look"}, "unknown-action"),
        ([], "payload-wrong-type"),
        (payload("create"), "content-missing"),
        (payload("patch", old_string="a"), "new_string-missing"),
        (payload("edit", name=7, content="x"), "name-missing"),
        (payload("delete", name=""), "name-missing"),
    ],
)
def test_an_odd_record_is_shown_with_its_problem(body: Any, code: str) -> None:
    found = write_of(body)
    assert found.problem is not None
    assert found.problem.code == code
    assert not found.unreadable
    assert effect(found, Standing()).diff is None


def test_files_that_are_no_records_are_unreadable_and_nothing_blocks(opened: Folder, home: Path) -> None:
    queue = home / "pending" / "skills"
    os.mkfifo(queue / "pipe.json")
    (queue / "link.json").symlink_to("/etc/passwd")
    (queue / "half.json").write_bytes(b'{"id": "half"')
    (queue / "real.json").write_bytes(json.dumps({"payload": payload("delete")}).encode())
    os.link(queue / "real.json", queue / "twin.json")
    (queue / "notes.txt").write_text("no record")
    found, _ = waiting_skills(opened, "default")
    assert {write.id: write.unreadable for write in found} == {
        "pipe": True,
        "link": True,
        "half": True,
        "real": True,
        "twin": True,
    }


def test_effects_against_the_skill_as_it_stands(opened: Folder, home: Path) -> None:
    skill(home, "look", notes="old\n")
    text = (home / "skills" / "look" / "SKILL.md").read_text()

    def found(body: dict[str, Any]) -> tuple[list[str], set[str]]:
        write = write_of(body)
        change = effect(write, standing_of(opened, write))
        lines = change.diff.lines if change.diff is not None else ()
        changed = [f"{line.kind} {line.text}" for line in lines if line.kind in {"gone", "new"}]
        return changed, {problem.code for problem in change.problems}

    assert found(payload("edit", content=text.replace("1. Look.", "1. Look twice."))) == (
        ["gone 1. Look.", "new 1. Look twice."],
        set(),
    )
    assert found(payload("edit", content=text)) == ([], {"no-change"})
    assert found(payload("write_file", file_path="references/notes", file_content="new\n")) == (
        ["gone old", "new new"],
        set(),
    )
    assert found(payload("write_file", file_path="references/other", file_content="new\n")) == (["new new"], set())
    assert found(payload("remove_file", file_path="references/notes")) == (["gone old"], set())
    assert found(payload("remove_file", file_path="references/other")) == ([], {"no-such-file"})
    assert found(payload("patch", old_string="Look", new_string="See")) == (["gone 1. Look.", "new 1. See."], set())
    assert found(payload("patch", old_string="look", new_string="see"))[1] == {"several-places"}
    assert found(payload("patch", old_string="1.  Look.", new_string="x"))[1] == {"not-exactly"}
    assert found(payload("create", content="x\n")) == (["new x"], {"installed-already"})
    assert found(payload("edit", name="gone", content="x"))[1] == {"no-such-skill"}
    gone, codes = found(payload("delete"))
    assert (len(gone), codes) == (len(text.splitlines()), {"other-files"})


@pytest.mark.parametrize(
    "path", ["../x", "references/../../x", "/etc/passwd", "notes.md", "references", "a\\b", "x/SKILL.md/y", ""]
)
def test_a_path_that_leaves_the_skill_is_never_opened(opened: Folder, home: Path, path: str) -> None:
    skill(home, "look")
    assert not usable_path(path)
    if path:
        write = write_of(payload("write_file", file_path=path, file_content="x"))
        change = effect(write, standing_of(opened, write))
        assert (change.diff, [problem.code for problem in change.problems]) == (None, ["file-path"])


def test_a_linked_file_of_a_skill_is_not_read_for_the_diff(opened: Folder, home: Path) -> None:
    path = skill(home, "look", notes="x")
    (path / "references" / "out").symlink_to("/etc/passwd")
    write = write_of(payload("write_file", file_path="references/out", file_content="x"))
    change = effect(write, standing_of(opened, write))
    assert (change.diff, [problem.code for problem in change.problems]) == (None, ["file-unreadable"])
