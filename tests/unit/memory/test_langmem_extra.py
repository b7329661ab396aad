"""LangMem is an optional extra."""

import subprocess
import sys


def test_without_the_extra_the_error_names_it() -> None:
    without = (
        "import sys; sys.modules['langmem'] = None; from agent.memory.formation.langmem import make_langmem_former as f"
    )
    call = "f(None, min_confidence=0.7, max_facts=100, read_context=None)"
    run = subprocess.run([sys.executable, "-c", f"{without}; {call}"], capture_output=True, text=True, check=False)
    assert "SetupError" in run.stderr
    assert "make install EXTRAS=langmem" in run.stderr
