"""Search over turns, episodes and facts: question, candidates, ranking, explanation, budget."""
