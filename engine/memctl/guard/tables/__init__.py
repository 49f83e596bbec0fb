"""The tables of the rules: formats, carriers, nouns, words."""
