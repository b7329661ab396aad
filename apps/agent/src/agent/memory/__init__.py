"""Long-term memory, per user: what is known, how it comes to be known, and how it is found again."""
