"""Formation: turns inbox items into memories."""
