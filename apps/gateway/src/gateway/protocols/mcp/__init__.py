"""The Model Context Protocol: memory as tools, resources and a prompt for other applications."""
