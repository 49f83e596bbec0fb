"""In and out: foreign formats, packs, other stores."""
