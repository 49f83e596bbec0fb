"""The keyword classifier on labelled sentences, beside substring hits."""
