"""Recall and the tip."""
