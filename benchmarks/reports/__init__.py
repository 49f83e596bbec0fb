"""Makes a store with a long history, and times every report on it."""
