"""How memory is stored: namespaces, documents and the changes made to them."""
