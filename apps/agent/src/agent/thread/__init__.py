"""Short-term memory, per thread: the transcript, the list, and the runs that hold a thread."""
