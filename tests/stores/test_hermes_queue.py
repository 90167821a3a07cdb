"""Reading a home: documents in all their states, the queue between two looks, and files that are none."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import socket
import time
from pathlib import Path

import pytest

from curator_tui.core.documents import Presence, Target
from curator_tui.core.errors import Unreadable
from curator_tui.stores.hermes import queue as queue_module
from curator_tui.stores.hermes import reading
from curator_tui.stores.hermes.names import RECORD_LIMIT
from curator_tui.stores.hermes.queue import Queue, find_record
from curator_tui.stores.hermes.reading import locate, read_document, read_documents, read_record, resolve_document
from curator_tui.stores.safe_files import Folder
from tests.homes import fixture_home, home_for_case, make_home, picture, record, stage


@pytest.fixture
def opened():
    folders: list[Folder] = []

    def opening(path: Path) -> Folder:
        folders.append(Folder.open(path))
        return folders[-1]

    yield opening
    for folder in folders:
        folder.close()


def queue_of(home: Folder) -> Queue:
    queue = Queue(home)
    queue.refresh()
    return queue


def reason(queue: Queue, item: str) -> str:
    waiting = queue.get(item)
    assert waiting is not None
    assert waiting.proposal.unreadable
    assert waiting.proposal.problem is not None
    return waiting.proposal.problem.message


# -- documents -----------------------------------------------------------------------------------------------------


def test_the_four_readable_and_unreadable_states_differ(tmp_path: Path, opened):
    home = opened(make_home(tmp_path / "h", memory=b"", user=b"a\xff"))
    found = read_documents(home)
    assert list(found) == [Target.MEMORY, Target.USER]
    assert found[Target.MEMORY].presence is Presence.EMPTY
    assert found[Target.USER].presence is Presence.UNDECODABLE
    bare = opened(make_home(tmp_path / "bare"))
    assert read_document(bare, Target.MEMORY).presence is Presence.MISSING
    (tmp_path / "nothing").mkdir()
    assert read_document(opened(tmp_path / "nothing"), Target.USER).presence is Presence.MISSING


def test_a_document_that_is_no_regular_file_is_unreadable_and_never_blocks(tmp_path: Path, opened):
    path = make_home(tmp_path / "h")
    os.mkfifo(path / "memories" / "MEMORY.md")
    (path / "memories" / "USER.md").mkdir()
    found = read_documents(opened(path))
    assert [document.presence for document in found.values()] == [Presence.UNREADABLE] * 2
    assert "a named pipe" in found[Target.MEMORY].trouble
    assert "a folder" in found[Target.USER].trouble


def test_a_memories_folder_that_is_a_link_or_a_file_is_not_an_empty_memory(tmp_path: Path, opened):
    path = make_home(tmp_path / "h")
    (tmp_path / "elsewhere").mkdir()
    (path / "memories").rmdir()
    (path / "memories").symlink_to(tmp_path / "elsewhere")
    found = read_document(opened(path), Target.MEMORY)
    assert (found.presence, "a symbolic link" in found.trouble) == (Presence.UNREADABLE, True)


def test_case_t25_a_linked_document_is_read_behind_its_link(tmp_path: Path, opened):
    home = opened(home_for_case(tmp_path / "h", "T25"))
    found = read_document(home, Target.MEMORY)
    assert (found.presence, found.entries) == (Presence.PRESENT, ("Uses zsh",))
    place = resolve_document(home, Target.MEMORY)
    assert place is not None
    with place:
        assert (Path(place.folder.path).name, place.name, place.steps) == ("vault", "MEMORY.md", ("vault",))
        assert place.folder.stat(place.name).st_mode & 0o777 == 0o660


def test_a_link_out_of_the_home_is_refused_with_its_reason(tmp_path: Path, opened):
    path = make_home(tmp_path / "h")
    (tmp_path / "outside.md").write_text("secret")
    for name, target in (("MEMORY.md", "../../outside.md"), ("USER.md", str(tmp_path / "outside.md"))):
        (path / "memories" / name).symlink_to(target)
    for document in read_documents(opened(path)).values():
        assert document.presence is Presence.UNREADABLE
        assert "leads out of the home" in document.trouble
        assert "secret" not in document.trouble


def test_links_that_lead_nowhere_inside_the_home(tmp_path: Path, opened):
    path = make_home(tmp_path / "h")
    (path / "memories" / "MEMORY.md").symlink_to("NOT-YET.md")
    (path / "memories" / "USER.md").symlink_to("../vault/USER.md")
    home = opened(path)
    assert read_document(home, Target.MEMORY).presence is Presence.MISSING
    assert "a folder that does not exist" in read_document(home, Target.USER).trouble
    (path / "memories" / "LOOP").symlink_to("LOOP")
    with pytest.raises(Unreadable), locate(home, "memories", "LOOP") as place:
        place.folder.read_file(place.name)


def test_a_home_reached_through_a_link_is_still_one_home(tmp_path: Path, opened):
    home_for_case(tmp_path / "h", "T25")
    (tmp_path / "link").symlink_to("h")
    assert read_document(opened(tmp_path / "link"), Target.MEMORY).entries == ("Uses zsh",)


def test_without_a_memories_folder_there_is_no_place_for_a_document(tmp_path: Path, opened):
    (tmp_path / "h").mkdir()
    assert resolve_document(opened(tmp_path / "h"), Target.USER) is None


# -- the queue -----------------------------------------------------------------------------------------------------


def test_the_order_is_by_claimed_time_then_id_and_a_record_without_time_counts_as_oldest(tmp_path: Path, opened):
    times = {"c1": 5, "a1": 5, "b1": 1, "d1": None, "e1": "2"}
    records = [record(item, "add", item, created_at=at) for item, at in times.items()]
    queue = queue_of(opened(make_home(tmp_path / "h", pending=records, raw_files={"bad.json": b"{"})))
    assert queue.ids() == ("bad", "d1", "b1", "e1", "a1", "c1")
    assert len(queue) == 6


def test_a_missing_queue_folder_is_an_empty_queue_and_one_that_is_a_link_is_an_error(tmp_path: Path, opened):
    (tmp_path / "h").mkdir()
    home = opened(tmp_path / "h")
    queue = Queue(home)
    assert queue.refresh() is False
    assert (queue.proposals(), queue.skills_waiting(), queue.get("a1"), find_record(home, "a1")) == ((), 0, None, None)
    (tmp_path / "h" / "pending").symlink_to(tmp_path)
    with pytest.raises(Unreadable, match="symbolic link"):
        queue.refresh()


def test_what_came_went_and_changed_between_two_looks(tmp_path: Path, opened):
    path = make_home(tmp_path / "h", pending=[record("a1", "add", "one"), record("b1", "add", "two")])
    queue = queue_of(opened(path))
    before = queue.proposals()
    assert queue.refresh() is False
    stage(path, record("c1", "add", "three"))
    assert queue.refresh() is True
    assert queue.ids() == ("a1", "b1", "c1")
    assert [queue.proposals()[0] is before[0], queue.proposals()[1] is before[1]] == [True, True]
    (path / "pending" / "memory" / "a1.json").unlink()
    replacement = path / "pending" / "memory" / "b1.tmp"
    replacement.write_text(json.dumps(record("b1", "add", "another text")))
    replacement.rename(path / "pending" / "memory" / "b1.json")
    assert queue.refresh() is True
    assert [found.operations[0].content for found in queue.proposals()] == ["another text", "three"]
    assert queue.file_name("a1") is None
    assert queue.file_name("b1") == "b1.json"


def test_a_folder_whose_time_did_not_change_is_not_listed_again(tmp_path: Path, opened, monkeypatch):
    path = make_home(tmp_path / "h", pending=[record("a1", "add", "one")])
    folder = path / "pending" / "memory"
    past = time.time_ns() - 10_000_000_000
    os.utime(folder, ns=(past, past))
    queue = queue_of(opened(path))
    monkeypatch.setattr(queue_module.os, "scandir", lambda _fd: pytest.fail("listed"))
    assert queue.refresh() is False


def test_a_folder_changed_just_now_is_listed_again_because_its_time_is_coarse(tmp_path: Path, opened):
    path = make_home(tmp_path / "h", pending=[record("a1", "add", "one")])
    folder = path / "pending" / "memory"
    queue = queue_of(opened(path))
    stamp = folder.stat().st_mtime_ns
    stage(path, record("b1", "add", "two"))
    os.utime(folder, ns=(stamp, stamp))
    assert queue.refresh() is True
    assert queue.ids() == ("a1", "b1")


@pytest.mark.parametrize("looked", [False, True])
def test_an_edit_in_place_under_the_same_size_and_time_cannot_slip_through_get(tmp_path: Path, opened, looked: bool):
    path = make_home(tmp_path / "h", pending=[record("a1", "add", "harmless")])
    file = path / "pending" / "memory" / "a1.json"
    queue = queue_of(opened(path))
    status = file.stat()
    raw = file.read_bytes().replace(b"harmless", b"poisoned")
    with file.open("r+b") as handle:
        handle.write(raw)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    if looked:
        queue.refresh()
    waiting = queue.get("a1")
    assert waiting is not None
    assert (waiting.raw, waiting.proposal.operations[0].content) == (raw, "poisoned")
    assert waiting.proposal.digest == hashlib.sha256(raw).hexdigest()
    assert queue.proposals()[0].operations[0].content == "poisoned"


def test_get_notices_that_a_record_is_gone_and_finds_one_that_came(tmp_path: Path, opened):
    path = make_home(tmp_path / "h", pending=[record("a1", "add", "one")])
    queue = queue_of(opened(path))
    (path / "pending" / "memory" / "a1.json").unlink()
    stage(path, record("b1", "add", "two"))
    assert queue.get("a1") is None
    assert queue.ids() == ()
    assert queue.get("b1").proposal.id == "b1"


@pytest.mark.parametrize("item", ["../config", "a/b", "", ".", "..", "a" * 65, "a\0b", "x-000000000000", "%2e%2e"])
def test_no_id_ever_becomes_a_path(tmp_path: Path, opened, item: str):
    path = make_home(tmp_path / "h")
    (path / "pending" / "config.json").write_text("{}")
    home = opened(path)
    assert find_record(home, item) is None
    assert queue_of(home).get(item) is None


def test_the_id_comes_from_the_file_name_and_the_one_inside_is_tolerated(tmp_path: Path, opened):
    raw = json.dumps(record("../../etc", "add", "x")).encode()
    queue = queue_of(opened(make_home(tmp_path / "h", raw_files={"real.json": raw})))
    assert (queue.ids(), queue.proposals()[0].problem) == (("real",), None)


def test_odd_names_are_records_too_and_get_hashed_ids(tmp_path: Path, opened):
    raw = json.dumps(record("a", "add", "x")).encode()
    names = {".hidden.json": raw, "a b.json": raw, "a1.json.tmp": raw, "notes.txt": raw, ".json": raw}
    home = opened(make_home(tmp_path / "h", raw_files=names))
    queue = queue_of(home)
    assert {queue.file_name(item) for item in queue.ids()} == {".hidden.json", "a b.json", ".json"}
    for item in queue.ids():
        assert item.startswith("x-")
        assert queue.get(item).proposal.id == item
        assert find_record(home, item).raw == raw


def test_a_file_that_takes_the_hashed_id_of_another_does_not_hide_it(tmp_path: Path, opened):
    mine = "x-" + hashlib.sha256(b"a b.json").hexdigest()[:12]
    names = {
        "a b.json": json.dumps(record("a", "add", "odd")).encode(),
        f"{mine}.json": json.dumps(record("a", "add", "plain")).encode(),
    }
    home = opened(make_home(tmp_path / "h", raw_files=names))
    queue = queue_of(home)
    assert len(set(queue.ids())) == 2
    assert queue.get(mine).proposal.operations[0].content == "plain"
    other = next(item for item in queue.ids() if item != mine)
    assert queue.get(other).proposal.operations[0].content == "odd"
    assert find_record(home, other).proposal.operations[0].content == "odd"


def test_files_that_are_no_records_are_shown_with_their_reason_and_never_block(
    tmp_path: Path, opened, monkeypatch: pytest.MonkeyPatch
):
    path = make_home(tmp_path / "h", pending=[record("good", "add", "x")])
    folder = path / "pending" / "memory"
    os.mkfifo(folder / "pipe.json")
    (folder / "folder.json").mkdir()
    (folder / "link.json").symlink_to("good.json")
    (folder / "away.json").symlink_to("/etc/passwd")
    (folder / "large.json").write_bytes(b" " * (RECORD_LIMIT + 1))
    (folder / "first.json").write_text("{}")
    os.link(folder / "first.json", folder / "second.json")
    listener = socket.socket(socket.AF_UNIX)
    with monkeypatch.context() as here:
        here.chdir(folder)  # the address of a socket holds about a hundred bytes, a temporary folder may need more
        listener.bind("socket.json")
    home = opened(path)
    queue = queue_of(home)
    listener.close()
    assert len(queue) == 9
    words = {item: reason(queue, item) for item in queue.ids() if item != "good"}
    assert words == {
        "pipe": "it is a named pipe, not a regular file",
        "folder": "it is a folder, not a regular file",
        "link": "it is a symbolic link, not a regular file",
        "away": "it is a symbolic link, not a regular file",
        "socket": "it is a socket, not a regular file",
        "large": "larger than 1,048,576 bytes",
        "first": "the file has another name (hard link)",
        "second": "the file has another name (hard link)",
    }
    assert queue.get("good").proposal.problem is None
    assert all(queue.get(item).raw is None for item in words)
    assert len({found.digest for found in queue.proposals()}) == 9 - 1  # both names of one file share its digest


def test_the_digest_of_a_file_that_is_no_record_stands_until_another_takes_its_place(tmp_path: Path, opened):
    path = make_home(tmp_path / "h")
    pipe = path / "pending" / "memory" / "pipe.json"
    os.mkfifo(pipe)
    folder = opened(pipe.parent)
    first = read_record(folder.fd, "pipe.json")
    assert read_record(folder.fd, "pipe.json") == first
    pipe.unlink()
    pipe.symlink_to("elsewhere")
    assert read_record(folder.fd, "pipe.json").proposal.digest != first.proposal.digest


@pytest.mark.parametrize("call", ["open", "fstat", "read"])
@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO])
def test_a_record_that_cannot_be_read_is_shown_with_the_cause(tmp_path: Path, opened, monkeypatch, call, number):
    home = opened(make_home(tmp_path / "h", pending=[record("a1", "add", "x"), record("b1", "add", "y")]))
    queue = queue_of(home)
    real = getattr(os, call)

    def failing(first, *rest, **more):
        if first == "a1.json" or (call != "open" and os.readlink(f"/proc/self/fd/{first}").endswith("a1.json")):
            raise OSError(number, "")
        return real(first, *rest, **more)

    monkeypatch.setattr(reading.os, call, failing)
    assert reason(queue, "a1") == f"it cannot be opened or read: {os.strerror(number)}"
    assert queue.get("b1").proposal.problem is None
    assert reason(queue_of(home), "a1") == f"it cannot be opened or read: {os.strerror(number)}"


def test_a_record_removed_while_it_is_read_is_gone_and_no_error(tmp_path: Path, opened, monkeypatch):
    path = make_home(tmp_path / "h", pending=[record("a1", "add", "x"), record("b1", "add", "y")])
    real = os.open

    def removing(name, *rest, **more):
        fd = real(name, *rest, **more)
        if name == "a1.json":
            (path / "pending" / "memory" / "a1.json").unlink()
        return fd

    monkeypatch.setattr(reading.os, "open", removing)
    assert queue_of(opened(path)).ids() == ("b1",)


def test_a_record_replaced_while_it_is_read_is_its_successor(tmp_path: Path, opened, monkeypatch):
    path = make_home(tmp_path / "h", pending=[record("a1", "add", "old")])
    folder = path / "pending" / "memory"
    (folder / "new.tmp").write_text(json.dumps(record("a1", "add", "new")))
    real = os.open

    def replacing(name, *rest, **more):
        fd = real(name, *rest, **more)
        if name == "a1.json" and (folder / "new.tmp").exists():
            (folder / "new.tmp").rename(folder / "a1.json")
        return fd

    monkeypatch.setattr(reading.os, "open", replacing)
    assert find_record(opened(path), "a1").proposal.operations[0].content == "new"


def test_a_record_that_grows_while_it_is_read_is_read_to_its_end(tmp_path: Path, opened, monkeypatch):
    path = make_home(tmp_path / "h", pending=[record("a1", "add", "x")])
    file = path / "pending" / "memory" / "a1.json"
    whole = json.dumps(record("a1", "add", "x" * 300_000)).encode()
    real = os.fstat

    def growing(fd):
        status = real(fd)
        if os.readlink(f"/proc/self/fd/{fd}").endswith("a1.json"):
            file.write_bytes(whole)
        return status

    monkeypatch.setattr(reading.os, "fstat", growing)
    assert find_record(opened(path), "a1").raw == whole


def test_one_bad_record_hides_no_other(tmp_path: Path, opened):
    home = opened(home_for_case(tmp_path / "h", "T13"))
    queue = queue_of(home)
    assert queue.ids() == ("ad000004", "ad000001", "ad000002", "ad000003")
    assert [found.problem is None for found in queue.proposals()] == [False, False, True, False]


def test_the_home_hermes_wrote_is_read_whole_and_left_as_it_was(tmp_path: Path, opened):
    path = fixture_home(tmp_path / "h")
    before = picture(path)
    home = opened(path)
    queue = queue_of(home)
    documents = read_documents(home)
    assert (len(queue), queue.skills_waiting()) == (28, 5)
    assert [len(document.entries) for document in documents.values()] == [17, 9]
    assert [document.canonical for document in documents.values()] == [True, True]
    assert all(not found.unreadable for found in queue.proposals())
    invalid = [found.problem.code for found in queue.proposals() if found.problem is not None]
    assert invalid == ["delimiter-line"]
    for item in queue.ids():
        assert queue.get(item).proposal.id == item
    work = queue_of(opened(path / "profiles" / "work"))
    assert len(work) == 10
    assert picture(path) == before


# -- a glance ------------------------------------------------------------------------------------------------------


def aged(path: Path, count: int) -> list[str]:
    """Stage records in the order of their names, each file a minute younger than the one before it."""
    names = [f"item{number:04d}" for number in range(count)]
    for number, name in enumerate(names):
        file = stage(path, record(name, "add", f"fact {number}", created_at=1_790_000_000 + number))
        os.utime(file, (1_790_000_000 + 60 * number,) * 2)
    return names


def test_a_glance_at_a_long_queue_reads_the_oldest_and_counts_the_rest(tmp_path: Path, opened, monkeypatch):
    path = make_home(tmp_path / "h")
    names = aged(path, 50)
    queue = Queue(opened(path))
    read: list[str] = []
    whole = queue_module.read_bytes
    monkeypatch.setattr(queue_module, "read_bytes", lambda fd, name: read.append(name) or whole(fd, name))
    first, waiting = queue.peek(7)
    assert [proposal.id for proposal in first] == names[:7]
    assert waiting == 50
    assert len(read) == 7
    assert queue.proposals() == (), "the queue itself is still to be read"
    assert queue.refresh()
    assert queue.ids() == tuple(names)


def test_a_glance_at_a_short_queue_is_the_whole_queue(tmp_path: Path, opened):
    path = make_home(tmp_path / "h")
    names = aged(path, 5)
    (path / "pending" / "memory" / "odd.json").mkdir()
    queue = Queue(opened(path))
    first, waiting = queue.peek(6)
    assert [proposal.id for proposal in first] == [proposal.id for proposal in queue.proposals()]
    assert (waiting, {*names, "odd"}) == (6, {proposal.id for proposal in first})


def test_what_is_no_regular_file_comes_last_in_a_glance(tmp_path: Path, opened):
    """It has no time that could be trusted, and looking at it must not keep a record from being seen."""
    path = make_home(tmp_path / "h")
    names = aged(path, 3)
    os.mkfifo(path / "pending" / "memory" / "aaaa.json")
    first, waiting = Queue(opened(path)).peek(3)
    assert [proposal.id for proposal in first] == names
    assert waiting == 4


def test_a_glance_at_no_queue_sees_nothing(tmp_path: Path, opened):
    path = make_home(tmp_path / "h")
    (path / "pending" / "memory").rmdir() if (path / "pending" / "memory").exists() else None
    assert Queue(opened(path)).peek(5) == ((), 0)


def test_a_record_written_again_in_its_place_is_seen_by_a_thorough_look(tmp_path: Path, opened):
    path = make_home(tmp_path / "h", pending=[record("a1", "add", "first words"), record("b1", "add", "other")])
    folder = path / "pending" / "memory"
    os.utime(folder, (1_790_000_000,) * 2)
    queue = queue_of(opened(path))
    file = folder / "a1.json"
    file.write_text(file.read_text().replace("first", "other"))
    os.utime(folder, (1_790_000_000,) * 2)
    assert not queue.refresh(), "the folder looks as it did"
    assert queue.refresh(thorough=True)
    assert [found.operations[0].content for found in queue.proposals()] == ["other words", "other"]
    assert not queue.refresh(thorough=True)


def odd_records(folder: Path) -> None:
    """Put every kind of file that is refused as a record into a queue."""
    os.mkfifo(folder / "pipe.json")
    (folder / "folder.json").mkdir()
    (folder / "link.json").symlink_to("good.json")
    (folder / "large.json").write_bytes(b" " * (RECORD_LIMIT + 1))
    (folder / "first.json").write_text("{}")
    os.link(folder / "first.json", folder / "second.json")


def test_odd_files_that_stand_as_they_stood_are_no_change_however_thorough_the_look(tmp_path: Path, opened):
    path = make_home(tmp_path / "h", pending=[record("good", "add", "x")])
    folder = path / "pending" / "memory"
    odd_records(folder)
    queue = queue_of(opened(path))
    before = queue.proposals()
    assert len(before) == 7
    assert [queue.refresh(thorough=True) for _ in range(3)] == [False] * 3
    assert all(was is now for was, now in zip(before, queue.proposals(), strict=True))
    os.utime(folder / "good.json")
    assert not queue.refresh(thorough=True), "touched, and not a byte of it is another"


def test_an_odd_file_that_became_a_record_is_seen_by_a_thorough_look(tmp_path: Path, opened):
    """Neither a hard link that went nor a mode changes size or time of a file."""
    path = make_home(tmp_path / "h")
    folder = path / "pending" / "memory"
    odd_records(folder)
    (folder / "first.json").write_text(json.dumps(record("first", "add", "x")))
    queue = queue_of(opened(path))
    (folder / "second.json").rename(tmp_path / "second")
    queue.refresh()
    assert reason(queue, "first").endswith("(hard link)")
    (tmp_path / "second").unlink()
    assert queue.refresh(thorough=True)
    assert queue.get("first").proposal.problem is None
    (folder / "large.json").write_text(json.dumps(record("large", "add", "y")))
    assert queue.refresh(thorough=True)
    assert queue.get("large").proposal.problem is None


def test_a_record_that_could_not_be_read_is_tried_again_and_is_no_change_until_it_can(
    tmp_path: Path, opened, monkeypatch
):
    home = opened(make_home(tmp_path / "h", pending=[record("a1", "add", "x"), record("b1", "add", "y")]))
    real = os.open

    def failing(first, *rest, **more):
        if first == "a1.json":
            raise OSError(errno.EMFILE, "")
        return real(first, *rest, **more)

    with monkeypatch.context() as here:
        here.setattr(reading.os, "open", failing)
        queue = queue_of(home)
        assert [queue.refresh(thorough=True) for _ in range(2)] == [False] * 2
        assert reason(queue, "a1") == "it cannot be opened or read: Too many open files"
    assert queue.refresh(thorough=True)
    assert {found.id: found.problem for found in queue.proposals()} == {"a1": None, "b1": None}


@pytest.mark.parametrize("link", ["MEMORY.md", "USER.md"])
def test_two_documents_in_one_file_are_not_read(tmp_path: Path, opened, link: str):
    """What is approved for one would stand in the other."""
    path = make_home(tmp_path / "h", memory="one", user="two")
    other = "USER.md" if link == "MEMORY.md" else "MEMORY.md"
    (path / "memories" / link).unlink()
    (path / "memories" / link).symlink_to(other)
    found = read_documents(opened(path))
    assert [document.presence for document in found.values()] == [Presence.UNREADABLE] * 2
    assert "lead to one and the same file" in found[Target.MEMORY].trouble


def test_a_listing_keeps_of_each_record_what_a_row_needs(tmp_path: Path, opened):
    """The agent's own words are read again for the one that is looked at, and kept where a row has nothing else."""
    skill = record("b1", "patch", "x", summary="patches a skill")
    home = opened(make_home(tmp_path / "h", pending=[record("a1", "add", "x", summary="adds an x"), skill]))
    queue = queue_of(home)
    assert [proposal.agent_says for proposal in queue.proposals()] == ["", "patches a skill"]
    assert queue.get("a1").proposal.agent_says == "adds an x"
    assert not queue.refresh(thorough=True), "what was read again is no other record"


def test_equal_words_of_many_records_are_one_object(tmp_path: Path, opened):
    pending = [record(f"a{number}", "add", f"x {number}", origin="background_review") for number in range(2)]
    one, other = queue_of(opened(make_home(tmp_path / "h", pending=pending))).proposals()
    assert one.origin is other.origin
    assert one.actions is other.actions
    assert one.target_name is other.target_name


@pytest.mark.parametrize("seconds", [-86_400, 12_000_000_000])
def test_a_record_dated_before_1970_or_centuries_ahead_is_listed(tmp_path: Path, opened, seconds: int):
    path = make_home(tmp_path / "h", pending=[record("a1", "add", "x")])
    os.utime(path / "pending" / "memory" / "a1.json", (seconds, seconds))
    queue = queue_of(opened(path))
    assert queue.ids() == ("a1",)
    assert not queue.refresh(thorough=True)
