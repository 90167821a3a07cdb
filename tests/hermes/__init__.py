"""The core against a real Hermes Agent 0.19.0, which runs in an environment of its own."""
