"""Care for a store: status and doctor."""
