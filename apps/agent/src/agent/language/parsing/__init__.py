"""Sentences, clauses and words of a text, and the folding of its characters."""
