"""The validation core: pure values and rules; it imports the standard library and rapidfuzz, nothing else of ours."""
