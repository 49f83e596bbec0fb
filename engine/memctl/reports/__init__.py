"""Questions that need history, answered by DuckDB: health, decay, recall, matching, growth, lift."""
