"""Runs: one answer each, their events and their leases."""
