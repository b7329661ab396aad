"""LangMem is an optional extra."""

import pytest
from langchain_core.language_models import FakeListChatModel

from agent.errors import SetupError
from agent.memory.formation.batch import ContextMessage
from agent.memory.formation.langmem import make_langmem_former
from support.missing_package import hide_package


async def no_context(*_: object) -> list[ContextMessage]:
    return []


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_package(monkeypatch, "langmem")
    with pytest.raises(SetupError, match="make install EXTRAS=langmem"):
        make_langmem_former(FakeListChatModel(responses=[]), min_confidence=0.7, max_facts=100, read_context=no_context)
