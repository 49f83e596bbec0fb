"""Packs: what is known of an app, without anything personal; and stores merged with each other."""
