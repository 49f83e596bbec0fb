"""Plots of a report's answers, as SVG."""
