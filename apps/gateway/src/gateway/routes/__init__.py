"""The HTTP routes, one file per subject. They do not import each other."""
