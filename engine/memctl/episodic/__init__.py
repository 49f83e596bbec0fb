"""Episodic memory: raw turns and episodes, their recall and their retention."""
