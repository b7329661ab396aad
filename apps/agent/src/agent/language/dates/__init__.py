"""Dates in texts of several languages."""
