"""The ``memctl`` command."""
