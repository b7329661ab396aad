"""Export and import of memories as JSON lines."""
