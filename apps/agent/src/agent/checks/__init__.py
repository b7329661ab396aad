"""What `keepsake doctor` looks at, a small function each. They only read."""
