"""The visual memory of an app: its components, screens, and the ways between them."""
