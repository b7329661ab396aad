"""A cache of text analysis per user, so that timing does not show what another user has said."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

from agent.log_context import current_user

P = ParamSpec("P")
R = TypeVar("R", bound=Hashable)


def cache_per_user(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache the latest results of a pure function by its arguments and the user of the current task.

    Tasks without a user share a cache: they serve no requests.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize)
        def cached(user: str, *args: P.args, **kwargs: P.kwargs) -> R:  # noqa: ARG001 - part of the key
            return function(*args, **kwargs)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return cached(current_user(), *args, **kwargs)  # type: ignore[arg-type] # all arguments are texts

        return call

    return decorate
