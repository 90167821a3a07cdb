"""The benchmark: floors and the product side by side, as ratios of one run. Start it with ``python -m tests.bench``."""
