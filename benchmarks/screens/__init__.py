"""Does the visual memory know real screens again? See ``python -m benchmarks.screens --help``."""
