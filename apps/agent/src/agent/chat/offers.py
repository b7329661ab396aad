"""The list of a turn that the user may choose from in the next message."""

from typing import NotRequired

from typing_extensions import TypedDict


class Offered(TypedDict):
    """An entry of the list: a statement and the memory or message that contains it."""

    id: str
    text: str
    disputed: NotRequired[bool]
    """Whether the user has called it wrong, so that the next message may correct it."""
    withdrawn: NotRequired[bool]
    """Whether it is forgotten already, so that it cannot be chosen; its text is then that of the user."""
