"""Background jobs: the formation queue and its worker, compaction, the sweep, the purge and re-embedding."""
