"""The terminal application: screens, widgets and keys. It holds no rules, no SQL and reads no file of a store."""
