"""Statements that are not about the user: general knowledge, remarks about a text or a program, retellings."""
