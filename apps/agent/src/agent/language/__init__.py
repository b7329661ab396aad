"""Pattern-based text analysis: no model and no I/O.

Every pattern is anchored or has bounded repetitions, so each function takes time linear in the length of its text.
"""
