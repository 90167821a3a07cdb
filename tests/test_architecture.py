"""The shape of the package: which way imports point, how long files and functions are, what every module says first."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import curator_tui

ROOT = Path(curator_tui.__file__).parent
NAME = "curator_tui"
LONGEST_FILE = 400
LONGEST_FUNCTION = 40

# Which packages of ours each package may import, itself aside.
ARROWS: dict[str, frozenset[str]] = {
    "core": frozenset(),
    "stores": frozenset({"core"}),
    "evidence": frozenset({"core"}),
    "curator": frozenset({"core", "stores", "evidence"}),
    "cli": frozenset({"core", "curator", "tui", "demo", "web"}),
    "tui": frozenset({"core", "curator"}),
    "demo": frozenset({"core", "curator"}),
    "web": frozenset(),
}
# Surfaces show and ask; they hold no SQL and know no store. What they open is listed here: files that a person named,
# and places of the operating system. No file of a store is among them.
OPENERS: dict[str, str] = {
    "cli/line.py": "nowhere, for what nobody reads any more",
    "cli/output.py": "nowhere, for what nobody reads any more",
    "cli/root.py": "nowhere, in the place of closed streams",
    "cli/scan.py": "texts to be scanned, in files that a person named",
    "cli/session.py": "a text or checkpoint in a file that a person named",
    "cli/start.py": "the temporary folder of a demo, when it is removed",
    "tui/crash.py": "a new file for the report of a crash",
    "tui/hangup.py": "nowhere, in the place of a terminal that is gone",
    "tui/remembered.py": "how a person set the screens up, outside every home",
    "tui/key_file.py": "the keys that a person chose",
    "web/page.py": "our own page, and the parts of textual-serve it draws with",
}
OPENING = frozenset({"open", "fdopen", "mkstemp", "NamedTemporaryFile", "read_bytes", "read_text", "write_bytes",
                     "write_text", "unlink", "rename", "rmtree"})  # fmt: skip
SURFACES = ("cli", "tui", "web")
FORBIDDEN_IN_SURFACES = frozenset({"sqlite3", "sqlalchemy", "fcntl"})
USES_RAPIDFUZZ = frozenset(
    {"core/diffs.py", "core/word_diffs.py", "core/likeness.py", "core/line_diffs.py", "core/losses.py"}
)


def modules(package: str = "") -> list[Path]:
    """Return the Python files of a package, or of all of them."""
    return sorted((ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    """Return the path of a module inside the package."""
    return path.relative_to(ROOT).as_posix()


def tree_of(path: Path) -> ast.Module:
    """Parse a module."""
    return ast.parse(path.read_text("utf-8"), str(path))


@cache
def imports(path: Path) -> tuple[tuple[str, bool], ...]:
    """Return every module a file imports, wherever the statement stands, and whether it only serves type checking."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[str, bool]]:
    tree = tree_of(path)
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        only = id(node) in typing_only
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, only
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} imports relatively"
            assert node.module is not None
            yield node.module, only
            if node.module == NAME or node.module.count(".") == 1:
                for alias in node.names:
                    yield f"{node.module}.{alias.name}", only


def ours(path: Path) -> set[str]:
    """Return the packages of ours that a file needs when it runs (what only serves type checking is no arrow)."""
    needed = [name for name, typing_only in imports(path) if not typing_only]
    return {name.split(".")[1] for name in needed if name.startswith(f"{NAME}.")}


def test_every_package_has_its_arrows() -> None:
    """A package that is added gets a rule with it, and no rule stands for one that is not there."""
    assert {name_of(path).split("/")[0] for path in modules() if path.parent != ROOT} == set(ARROWS)


@pytest.mark.parametrize("package", sorted(ARROWS))
def test_imports_point_the_allowed_way(package: str) -> None:
    """Surfaces to curator to core, stores, evidence; these to core; core to nothing of ours."""
    allowed = ARROWS[package] | {package}
    known = {path.name for path in ROOT.iterdir() if path.is_dir()}
    wrong = {name_of(path): sorted((ours(path) & known) - allowed) for path in modules(package)}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_the_core_imports_the_standard_library_and_two_packages_only() -> None:
    """msgspec makes the values; rapidfuzz is confined to the modules that compare texts."""
    outside: dict[str, set[str]] = {}
    for path in modules("core"):
        found = {name.split(".")[0] for name, _ in imports(path)} - {NAME, "msgspec", *sys.stdlib_module_names}
        if found:
            outside[name_of(path)] = found
    assert set(outside) <= USES_RAPIDFUZZ
    assert set().union(*outside.values()) <= {"rapidfuzz"}


@pytest.mark.parametrize("banned", ["os", "io", "pathlib", "subprocess", "socket", "sqlite3", "threading", "time"])
def test_the_core_is_pure(banned: str) -> None:
    """No file, no clock, no network, no thread: what it needs arrives as a value."""
    assert [
        name_of(path) for path in modules("core") if banned in {name.split(".")[0] for name, _ in imports(path)}
    ] == []


@pytest.mark.parametrize("package", SURFACES)
def test_surfaces_hold_no_sql_and_open_no_store(package: str) -> None:
    """What a surface needs it asks of the door."""
    for path in modules(package):
        names = {name for name, _ in imports(path)}
        assert not {name.split(".")[0] for name in names} & FORBIDDEN_IN_SURFACES, name_of(path)
        behind = tuple(f"{NAME}.{package}" for package in ARROWS["curator"] - {"core"})
        assert not {name for name in names if name.startswith(behind)}, f"{name_of(path)}: see curator.values"


# The desk knows stores by their port. These know Hermes's own as well, each for the reason said here.
KNOWING_HERMES: dict[str, str] = {
    "curator/opening.py": "makes the store that a desk is opened on",
    "curator/profiles.py": "lists the profiles of a home, and looks at them without opening a desk",
    "curator/quick.py": "looks at a home without opening a desk, in the time a prompt has",
    "curator/skills.py": "the name of the profile that Hermes's own commands leave out",
}


def test_the_desk_knows_stores_by_their_port() -> None:
    """A second kind of store has to be made somewhere, and is asked everywhere else as the first one is."""
    knowing = {
        name_of(path)
        for path in modules("curator")
        if any(name.startswith(f"{NAME}.stores.hermes") for name, _ in imports(path))
    }
    assert knowing == set(KNOWING_HERMES)


# The command line knows the application where it starts it, and where it tells and checks the keys it is started with.
STARTERS = frozenset({"cli/start.py", "cli/serve.py", "cli/keys.py"})


def test_the_command_line_knows_the_application_only_where_it_starts_it() -> None:
    """What both surfaces need stands behind the door; the job line by line needs nothing of the screens."""
    knowing = {name_of(path) for path in modules("cli") if any(n.startswith(f"{NAME}.tui") for n, _ in imports(path))}
    assert knowing == STARTERS


@pytest.mark.parametrize("package", SURFACES)
def test_surfaces_do_not_reach_through_the_door(package: str) -> None:
    """What stands behind a desk is the desk's own business; what a surface misses is a method of it."""
    for path in modules(package):
        reached = [node.lineno for node in ast.walk(tree_of(path)) if _reaches_a_store(node)]
        assert reached == [], name_of(path)


def _reaches_a_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"store", "_store", "book"}


def test_surfaces_open_only_what_is_said_here() -> None:
    """Each file that opens something stands in the list above, with what it opens; the list names no other."""
    opening = {
        name_of(path)
        for package in SURFACES
        for path in modules(package)
        if any(isinstance(node, ast.Call) and _called(node) in OPENING for node in ast.walk(tree_of(path)))
    }
    callers_of_read_text = {"cli/approve.py", "cli/ledger.py"}  # our own function of that name in cli/session.py
    assert opening - callers_of_read_text == set(OPENERS)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


@pytest.mark.parametrize("package", SURFACES)
def test_surfaces_write_no_sql(package: str) -> None:
    """Not even inside a string."""
    for path in modules(package):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                begun = node.value.lstrip().upper()
                assert not begun.startswith(("SELECT ", "INSERT ", "UPDATE ", "DELETE FROM", "PRAGMA ")), name_of(path)


def test_every_module_says_first_what_lives_there() -> None:
    """A docstring of at least a sentence; the first thing a reader sees."""
    silent = [name_of(path) for path in modules() if len(ast.get_docstring(tree_of(path)) or "") < 20]
    assert silent == []


def test_no_file_is_too_long() -> None:
    """A reader holds one room in mind at a time."""
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in modules()}
    assert {name: count for name, count in lengths.items() if count > LONGEST_FILE} == {}


def test_no_function_is_too_long() -> None:
    """Longer ones are split by what they do."""
    long: dict[str, int] = {}
    for path in modules():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                count = (node.end_lineno or node.lineno) - node.lineno + 1
                if count > LONGEST_FUNCTION:
                    long[f"{name_of(path)}:{node.name}"] = count
    assert long == {}


def test_what_a_checker_is_told_to_leave_alone_says_why() -> None:
    """A reader cannot see from the code alone what it knows better."""
    unsaid = re.compile(r"# (type: ignore(\[[^\]]*\])?|noqa(: *[A-Z]+[0-9]+(, *[A-Z]+[0-9]+)*)?)\s*$")
    assert all(map(unsaid.search, ("x  # noqa", "x  # noqa: A1, B22 ", "x  # type: ignore[y]")))
    silent = [
        f"{name_of(path)}:{number}"
        for path in modules()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if unsaid.search(line)
    ]
    assert silent == []


def _loaded(statement: str) -> set[str]:
    """Run a statement in a fresh interpreter and return the top-level packages it loaded."""
    code = f"{statement}\nimport sys\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT.parent)
    return set(run.stdout.split())


def test_the_core_pulls_in_no_surface_and_no_database() -> None:
    """Every module of the core, imported in a fresh interpreter, leaves Textual, Rich, SQLAlchemy and YAML alone."""
    names = [name_of(path).removesuffix(".py").replace("/", ".") for path in modules("core")]
    statement = "\n".join(f"import {NAME}.{name.removesuffix('.__init__')}" for name in names)
    assert not _loaded(statement) & {"textual", "rich", "sqlalchemy", "yaml", "click", "sqlite3"}
    assert "rapidfuzz" not in _loaded(statement)


def test_the_package_itself_pulls_in_nothing() -> None:
    """``import curator_tui`` costs no start-up time."""
    assert not _loaded(f"import {NAME}") & {"textual", "rich", "sqlalchemy", "yaml", "rapidfuzz", "sqlite3"}


def test_the_import_reader_sees_what_it_must(tmp_path: Path) -> None:
    """Imports inside functions count, those for type checking are told apart, names of packages are resolved."""
    source = tmp_path / "sample.py"
    source.write_text(
        "from typing import TYPE_CHECKING\n"
        "from curator_tui import stores\n"
        "if TYPE_CHECKING:\n    import sqlite3\n"
        "def late():\n    from curator_tui.tui import app\n"
    )
    found = dict(imports(source))
    assert found["curator_tui.stores"] is False
    assert found["curator_tui.tui"] is False
    assert found["sqlite3"] is True


# Modules whose whole purpose is to hand on: the way to the values of stores, and the face of a package.
HANDING_ON = frozenset({"curator/values.py", "curator/profiles.py", "curator/quick.py", "core/scanning/__init__.py"})


def test_a_name_is_imported_from_where_it_lives() -> None:
    """A reader who follows an import arrives at the thing; only what stands above is a way through."""
    by_module = {f"{NAME}.{name_of(path).removesuffix('.py').replace('/', '.')}": path for path in modules()}
    bodies = {module: tree_of(path).body for module, path in by_module.items()}
    brought = {
        module: {one.asname or one.name for node in body if isinstance(node, ast.ImportFrom) for one in node.names}
        for module, body in bodies.items()
    }
    wrong = [
        f"{name_of(path)} takes {alias.name} from {node.module}"
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom)
        and node.module in brought
        and name_of(by_module[node.module]) not in HANDING_ON
        for alias in node.names
        if alias.name in brought[node.module]
    ]
    assert wrong == []
