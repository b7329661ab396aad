"""The graphs: how an answer comes to be."""
