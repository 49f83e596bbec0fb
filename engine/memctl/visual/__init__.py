"""What an app looks like and where its screens lead."""
