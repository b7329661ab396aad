"""Patterns are compiled before the messages arrive that need them."""

from agent.language.pattern_files import compile_lazily, compile_remaining
from agent.language.warm_up import BATCH, compile_other_patterns


def test_patterns_that_were_not_used_yet_are_compiled_in_batches() -> None:
    lazy = [compile_lazily(f"word{n}") for n in range(BATCH + 1)]
    assert not any("compiled" in vars(one) for one in lazy)
    sizes = list(compile_other_patterns())
    assert sum(sizes) >= len(lazy)
    assert max(sizes) <= BATCH
    assert all("compiled" in vars(one) for one in lazy)
    assert list(compile_remaining()) == []
