"""Settings that all tests share: how hard hypothesis tries, and how long a frame of the application takes."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Textual reads it when it is imported. A test waits for frames to be painted; at sixty a second that is half its time.
os.environ.setdefault("TEXTUAL_FPS", "200")

settings.register_profile("fast", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
