"""The door: what every surface uses to look, decide, take back and check; it holds no rule and no storage."""
