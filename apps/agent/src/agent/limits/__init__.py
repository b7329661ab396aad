"""Limits per user: meters, and numbers of runs, streams, threads and memories (ADR 17)."""
