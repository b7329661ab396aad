"""Only opaque user ids are accepted in namespaces, so that no namespace contains another user's."""

import pytest

from agent.errors import InvalidIdError
from agent.memory.records import namespaces
from agent.types import UserId


@pytest.mark.parametrize("name", ["", "a.b", "A", "%", "a/b", "a b", "ä", "a" * 65, "a\n", "a\0"])
def test_unsafe_user_ids_are_rejected(name: str) -> None:
    for namespace in (namespaces.inbox, namespaces.retired, namespaces.all_memories):
        with pytest.raises(InvalidIdError):
            namespace(UserId(name))


def test_each_kind_has_its_own_namespace() -> None:
    user = UserId("abc_-1")
    assert namespaces.memories(user, "user") == ("users", "abc_-1", "memories", "user")
    assert namespaces.inbox(user) == ("users", "abc_-1", "inbox")
