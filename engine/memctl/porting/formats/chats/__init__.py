"""Conversations with assistants: exports of services, and transcripts on disk."""
