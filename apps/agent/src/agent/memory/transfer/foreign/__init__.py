"""Exports of other applications."""
