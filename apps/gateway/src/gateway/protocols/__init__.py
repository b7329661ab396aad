"""APIs of other projects, over the same agent. They do not import each other."""
