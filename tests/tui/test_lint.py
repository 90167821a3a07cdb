"""How the application is built: data reaches a widget through one module only, and nothing slow is loaded early."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import curator_tui.tui
from curator_tui.tui.working import DECIDED

ROOT = Path(curator_tui.tui.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
# ways of Textual to put a string on the screen that parse markup or do not filter
FORBIDDEN = {
    "Static",
    "Label",
    "Option",
    "Markdown",
    "RichLog",
    "Log",
    "Button",
    "Tree",
    "DataTable",
    "ListView",
    "Input",
    "TextArea",
    "notify",
}
TITLES = {"border_title", "border_subtitle", "tooltip", "title", "sub_title"}
TEMPLATES = {"own", "say"}


def calls() -> Iterator[tuple[Path, ast.Call]]:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield path, node


def name_of(call: ast.Call) -> str:
    return (
        call.func.attr
        if isinstance(call.func, ast.Attribute)
        else call.func.id
        if isinstance(call.func, ast.Name)
        else ""
    )


def test_no_widget_that_parses_markup_is_used() -> None:
    assert [(path.name, name_of(call)) for path, call in calls() if name_of(call) in FORBIDDEN] == []


def test_no_title_or_tooltip_is_set() -> None:
    found = []
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Assign):
                found += [
                    (path.name, target.attr)
                    for target in node.targets
                    if isinstance(target, ast.Attribute) and target.attr in TITLES
                ]
    assert found == []


def of_our_own(node: ast.expr) -> bool:
    """Whether a template is a string of our own: a constant, a choice between constants, a look into a table."""
    if isinstance(node, ast.IfExp):
        return of_our_own(node.body) and of_our_own(node.orelse)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    table = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else node
    name = table.value if isinstance(table, ast.Subscript) else table
    return isinstance(name, ast.Name) and name.id.isupper()


def test_no_template_names_a_key_by_itself() -> None:
    """A person may have chosen other keys: texts ask the registry, ``own("{} undoes it", key_for("undo"))``."""
    alone = re.compile(r"(?<![\w{}'\[])(?:[b-rt-wyzB-HJ-RT-Z]|pgdn|pgup|esc|ctrl\+\w)(?![\w}'])")
    spoken = re.compile(r"\bthen [a-zA-Z.]\b(?!\w)|(?:^|; )\S (?:shows|goes|does|takes)\b")
    by_name = re.compile(r"\btab\b")
    fixed = {
        "{} {}; tab leaves the text for the other keys",  # a field that takes every other key as text
        "too long, nothing was taken: tab, then {} takes it",
        "enter takes it, esc goes back",  # a field of one line: there enter and escape are no keys of the registry
        "S: . not seen  o partly  * all seen  = changed on disk  ~ skipped",  # a column
    }
    named = [
        (path.name, call.lineno, call.args[0].value)
        for path, call in calls()
        if name_of(call) in TEMPLATES
        and call.args
        and isinstance(call.args[0], ast.Constant)
        # "v {} more": an arrow that points down
        # "v {} more": an arrow that points down
        and call.args[0].value not in fixed
        and any(words.search(re.sub(r"^ *v( \{\}|$)", "", call.args[0].value)) for words in (alone, spoken, by_name))
    ]
    assert named == []


def test_our_own_words_are_written_in_the_source() -> None:
    """``own`` and ``say`` take a template of ours and fill it with values whose type the type checker knows."""
    loose = [
        (path.name, call.lineno, ast.unparse(call.args[0]))
        for path, call in calls()
        if isinstance(call.func, ast.Name)
        and call.func.id in TEMPLATES
        and path.name != "shown.py"
        and not of_our_own(call.args[0])
    ]
    assert loose == []


def test_shown_text_is_made_of_data_in_one_module_only() -> None:
    """Elsewhere ``Shown(...)`` wraps words of ours, tables of ours, or text that was shown before."""
    risky = []
    for path, call in calls():
        if name_of(call) == "Shown" and path.name != "shown.py" and call.args:
            source = ast.unparse(call.args[0])
            if any(
                word in source
                for word in (".text", ".content", ".match", ".pin", ".before", ".after", ".message", ".raw")
            ):
                risky.append((path.name, call.lineno, source))
    assert risky == []


def test_no_raw_text_is_filtered_by_hand() -> None:
    """``visible`` and ``one_line`` are called where text becomes shown text, or goes into a field that is edited."""
    users = {
        path.name
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "curator_tui.core.text"
    }
    assert users == {"shown.py", "fields.py"}


def test_the_first_frame_loads_no_dialog_and_no_input() -> None:
    """What only a key opens is loaded by that key."""
    code = (
        "import sys; import curator_tui.tui.app; "
        "print(*sorted(m for m in sys.modules if m.startswith(('curator_tui.', 'textual.widgets._'))))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    late = {"editing", "history", "planning", "help", "second", "reasons", "choosing", "moved", "reading"}
    late |= {"ledger", "learned"}
    assert not {f"curator_tui.tui.screens.{name}" for name in late} & set(found)
    assert not {"textual.widgets._text_area", "textual.widgets._data_table"} & set(found)
    assert "sqlalchemy" not in found
    assert not {"curator_tui.curator.ledger_queries", "curator_tui.core.ledger_filters"} & set(found)


def test_leaving_waits_for_every_job_that_is_not_given_up() -> None:
    """What runs to its end whatever is pressed meanwhile is what a key decided, the look at the store, or marking.

    Marks go with the run, so nothing is lost where leaving does not wait for them.
    """
    started = [
        (path.name, call.args[1])
        for path, call in calls()
        if name_of(call) == "work" and any(word.arg == "alone" for word in call.keywords)
    ]
    groups = {(name, ast.unparse(group)) for name, group in started}
    # the type checker holds what is sent to the groups of what is decided
    assert groups == {
        ("sending.py", "group"),
        ("planning.py", "'apply'"),
        ("live.py", "'poll'"),
        ("marking.py", "'marks'"),
        ("watching.py", "'poll'"),
    }
    assert "apply" in DECIDED


def test_no_job_is_started_as_a_coroutine() -> None:
    """One that is given up before it began is left over, and Python says so on the terminal."""
    given = [call.args[0] for _, call in calls() if name_of(call) in {"run_worker", "work", "beside"}]
    assert len(given) > 10
    assert [ast.unparse(job) for job in given if isinstance(job, ast.Call) and name_of(job) != "partial"] == []


def test_no_screen_is_built_of_too_many_layers() -> None:
    """From the library's screen to one of ours few classes of our own lie: a reader finds who owns what."""
    code = """
import importlib, pkgutil
from curator_tui.tui import screens
from curator_tui.tui.screens.acting import Acting
for found in pkgutil.iter_modules(screens.__path__):
    importlib.import_module(f"{screens.__name__}.{found.name}")
def layers(kind):
    own = kind.__module__.startswith("curator_tui.")
    return own + max(map(layers, kind.__bases__), default=0)
def kinds(kind):
    return {kind}.union(*map(kinds, kind.__subclasses__()))
found = {kind.__name__: layers(kind) for kind in kinds(Acting)}
assert len(found) > 20
print(*sorted(name for name, number in found.items() if number > 5))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT.parents[1])
    assert run.stdout.split() == []
