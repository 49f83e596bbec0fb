"""Questions that a store answers in Datasette, and in docs/sql.md."""
