"""Questions for what the user told the assistant, and when, in several languages."""
