"""The systems that Keepsake is compared with, each behind the same small HTTP server; see README.md."""
