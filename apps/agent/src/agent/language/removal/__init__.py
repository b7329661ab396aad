"""Remove from a text what became untrue or is to be forgotten, and keep what remains true."""
