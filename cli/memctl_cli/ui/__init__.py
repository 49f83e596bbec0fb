"""``memctl ui``: pages to see, correct and forget what is remembered."""
