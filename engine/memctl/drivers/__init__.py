"""Drivers take pictures of a live screen: of a page in a browser, or of the desktop."""
