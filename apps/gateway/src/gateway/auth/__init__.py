"""Authentication: token validation, local sign-in and OpenID Connect."""
