"""User accounts and their erasure."""
