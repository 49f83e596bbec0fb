"""Endpoint: a language model on a server that its user names. Off until then."""
