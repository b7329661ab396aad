"""Read-only checks for `keepsake doctor`."""
