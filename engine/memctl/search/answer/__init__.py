"""Answers: rows with their explanations, packed into a budget."""
