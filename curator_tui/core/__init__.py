"""The validation core: pure values and rules. It imports the standard library and rapidfuzz, and nothing of ours above it."""
