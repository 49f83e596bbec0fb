"""Facts with their categories, scopes, validity and history."""
