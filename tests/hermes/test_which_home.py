"""Which folder is the default home: our rule against Hermes's own, for every way in which ``HOME`` can be set."""

from __future__ import annotations

import json
import os
import pwd
import subprocess
from pathlib import Path

import pytest

from curator_tui.stores.hermes.names import HERMES_FOLDER, folder_of_person
from tests.hermes.client import PYTHON_VARIABLE

_ASK = "import json, hermes_constants; print(json.dumps(str(hermes_constants.get_hermes_home().absolute())))"


@pytest.mark.parametrize("home", [None, "", "/", "{}/person", "{}/person//", "a/relative one"])
def test_the_default_home_is_the_one_hermes_takes(home: str | None, tmp_path: Path) -> None:
    python = os.environ.get(PYTHON_VARIABLE)
    if not python:
        pytest.skip(f"REAL HERMES NOT TESTED: set {PYTHON_VARIABLE}")
    environ = {"PATH": os.defpath} | ({} if home is None else {"HOME": home.format(tmp_path)})
    run = subprocess.run([python, "-c", _ASK], env=environ, cwd=tmp_path, capture_output=True, text=True, check=True)
    ours = folder_of_person(environ, pwd.getpwuid(os.getuid()).pw_dir)
    assert os.path.normpath(tmp_path / ours / HERMES_FOLDER) == os.path.normpath(json.loads(run.stdout))
