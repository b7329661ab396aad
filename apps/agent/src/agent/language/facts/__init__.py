"""Facts and lasting statements in messages and tool results."""
