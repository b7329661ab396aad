"""What a newer statement makes untrue: ended states, other values of an attribute, and reversed attitudes."""
