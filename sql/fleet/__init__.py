"""Questions to DuckDB over the stores of a fleet."""
