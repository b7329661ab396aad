"""No name but an opaque one reaches a namespace, so that none can be part of another."""

import pytest

from agent.errors import InvalidIdError
from agent.memory.records import namespaces
from agent.types import UserId


@pytest.mark.parametrize("name", ["", "a.b", "A", "%", "a/b", "a b", "ä", "a" * 65, "a\n", "a\0"])
def test_what_could_escape_a_namespace_is_refused(name: str) -> None:
    for place in (namespaces.inbox, namespaces.retired, namespaces.all_memories):
        with pytest.raises(InvalidIdError):
            place(UserId(name))


def test_each_kind_has_a_place_of_its_own() -> None:
    user = UserId("abc_-1")
    assert namespaces.memories(user, "user") == ("users", "abc_-1", "memories", "user")
    assert namespaces.inbox(user) == ("users", "abc_-1", "inbox")
