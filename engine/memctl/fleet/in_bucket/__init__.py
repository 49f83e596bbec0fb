"""Stores in a bucket: packed, leased, pushed, pulled."""
