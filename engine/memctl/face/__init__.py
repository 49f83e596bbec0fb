"""What `Memory` does, by what it is about."""
