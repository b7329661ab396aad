"""Find the earlier statement that a message refers to, corrects or most likely changes."""
