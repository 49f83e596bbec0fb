"""Plain sentences, read as statements and claims."""
