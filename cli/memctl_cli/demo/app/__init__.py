"""A page to try memctl on, and a skill for it."""
