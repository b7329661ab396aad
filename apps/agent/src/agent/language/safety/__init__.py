"""Detection of credentials and of prompt injection."""
