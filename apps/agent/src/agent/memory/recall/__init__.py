"""Recall of memories and the tip that shows them to the model."""
