"""Ranking: candidates, their scores, newer above older, and how sure an answer is."""
