"""Settings that all tests share: how hard hypothesis tries, how long a frame takes, how often garbage is looked for."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings

# Textual reads it when it is imported. A test waits for frames to be painted; at sixty a second that is half its time.
os.environ.setdefault("TEXTUAL_FPS", "500")

# what the application remembers between runs, and a person's own keys, are not those of whoever runs the tests
_OWN = Path(tempfile.mkdtemp(prefix="curator-tui-tests-"))
os.environ["XDG_STATE_HOME"], os.environ["XDG_CONFIG_HOME"] = str(_OWN / "state"), str(_OWN / "config")
os.environ.pop("CURATOR_TUI_KEYS", None)
(_OWN / "state" / "curator-tui").mkdir(parents=True)
(_OWN / "state" / "curator-tui" / "screens.json").write_text('{"hinted": true}')  # no test is a first run
atexit.register(shutil.rmtree, _OWN, ignore_errors=True)

# Thousands of tests and their modules live until the end: looking through all of them for garbage again and again took
# a sixth of the time. What was made while collecting is never looked at, and the rest less often.
gc.disable()
gc.set_threshold(20_000, 20, 20)


def pytest_collection_finish() -> None:
    """Begin to look for garbage, but not in what was collected."""
    gc.freeze()
    gc.enable()


settings.register_profile("fast", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
