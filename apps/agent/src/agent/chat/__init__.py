"""The chat graph."""
