"""Questions that are answered by measuring; one folder each."""
