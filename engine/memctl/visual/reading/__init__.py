"""Reading a screenshot: its pixels, boxes and texts, and the boxes that may be learned."""
