"""Checks for `keepsake doctor`. They only read."""
