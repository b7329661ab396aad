"""The commands of `keepsake`."""
