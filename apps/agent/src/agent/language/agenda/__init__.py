"""What the user plans: the days that statements are about, and questions for a period, in several languages."""
