"""Requests to remember and to forget, and questions about the user."""
