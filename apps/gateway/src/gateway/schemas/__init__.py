"""Typed requests and responses: the source of `openapi.json` and of the page's types."""
