"""The door: what every surface uses to look, decide, take back and check. It holds no rule and no storage of its own."""
