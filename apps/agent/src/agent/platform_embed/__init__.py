"""The embedder for `langgraph.json`.

The platform accepts an embedder only as `⟨name⟩.py:⟨function⟩` and, without a slash, imports `⟨name⟩.py` as a module.
With a path, the image that `langgraph dockerfile` describes does not find it, because it copies the code elsewhere.
"""
