"""Operations that users perform on their memories: add, edit, undo, forget."""
