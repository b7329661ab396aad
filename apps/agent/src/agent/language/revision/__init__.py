"""What a newer statement makes untrue, and how it is removed from older texts."""
