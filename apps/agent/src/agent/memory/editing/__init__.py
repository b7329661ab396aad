"""What users do with their memories: add, edit, forget, undo."""
