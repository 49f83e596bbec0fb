"""Damaged stores: every command answers rightly or says damaged; what recover brings back."""
