"""Background jobs: the formation queue and its worker, compaction, the sweep and re-embedding."""
