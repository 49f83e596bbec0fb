"""Changes: which earlier statement a new one replaces or contradicts; nothing is read or written."""
