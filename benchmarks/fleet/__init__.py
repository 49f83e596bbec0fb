"""Many stores at once: ``python -m benchmarks.fleet``."""
