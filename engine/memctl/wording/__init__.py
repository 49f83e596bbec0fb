"""How texts become words, whatever tier holds them: splitting, aliases, repair of typos."""
