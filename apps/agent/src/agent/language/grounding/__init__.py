"""Whether the words of a user support a memory."""
