"""Pattern-based text analysis: no model and no I/O."""
