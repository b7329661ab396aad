"""The words, quantities and parts of statements, by which statements are compared."""
