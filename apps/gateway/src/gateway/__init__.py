"""The gateway of Keepsake: identity, limits, problems and streams over HTTP."""
