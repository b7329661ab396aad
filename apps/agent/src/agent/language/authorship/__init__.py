"""Which part of a message its author states themselves."""
