"""Mining: planted habits found among acts of chance, and what is found where there are none."""
