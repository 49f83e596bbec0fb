"""Views of the long-term memory, and the schedule of the dream, as text."""
