"""Marks on a screenshot: boxes, labels, a legend."""
