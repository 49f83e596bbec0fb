"""Finding remembered templates on a screenshot: arrays in, answers out; no files, no store."""
