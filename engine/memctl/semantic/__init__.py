"""What is true: facts with their categories, scopes, validity and history."""
