"""How many real interface elements the model-free proposer finds."""
