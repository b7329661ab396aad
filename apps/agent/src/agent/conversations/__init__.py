"""Short-term memory, per thread."""
