"""The number of repetitions of randomised tests."""

import os

ROUNDS = int(os.environ.get("KEEPSAKE_TEST_ROUNDS", "1"))
"""Multiplies the repetitions: 1 in `make test`, more in `make faults`."""
