"""The graph of an app: components, states, transitions. Needs no image library."""
