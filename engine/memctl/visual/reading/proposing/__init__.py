"""Finding what could be a component, from pixels alone: edges, runs of ink, rectangles."""
