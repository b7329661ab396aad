"""What people would use instead of Keepsake, each behind the same small server; see README.md."""
