"""What is on a screenshot: pixels, boxes, texts, and which of them may be learned."""
