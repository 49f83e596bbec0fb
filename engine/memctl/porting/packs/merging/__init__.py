"""Merging: what other stores say of an app, united with what this one says."""
