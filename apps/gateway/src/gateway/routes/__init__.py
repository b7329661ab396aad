"""The routes, a file per thing; none knows another."""
