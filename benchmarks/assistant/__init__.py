"""What hooks bring at each prompt of a working life, and which facts they keep of it."""
