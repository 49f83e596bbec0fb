"""Questions as they are read: words with all that means the same, people, days."""
