"""Search in turns and episodes: question, candidates, ranking, explanation, budget."""
