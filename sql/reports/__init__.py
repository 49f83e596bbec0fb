"""Questions to DuckDB over loaded stores."""
