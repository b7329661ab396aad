"""Questions for what the user said about a person or an animal, and the statements that answer them."""
