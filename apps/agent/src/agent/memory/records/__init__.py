"""Storage of memory: namespaces, documents, and the changes made to them."""
