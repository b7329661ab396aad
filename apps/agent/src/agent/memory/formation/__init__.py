"""Formation: from inbox items to memories."""
