"""Recognise changes of something that they do not name: "the doctor switched me to apixaban", "I accepted it".

What they concern is known only if there is one such thing: the user takes one medicine, has one offer, or dislikes one
thing.
"""

from agent.language.dates.notes import split_date_note
from agent.language.parsing.sentences import plain_punctuation, with_apostrophes
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user

MAX_CHARS = 200
SEVERAL = 2
_CHANGES = "_changes"
_PATTERNS = load_patterns("revision/sole_things.toml")
_KINDS = tuple(name.removesuffix(_CHANGES) for name in _PATTERNS if name.endswith(_CHANGES))


@cache_per_user(maxsize=4096)
def changed_kind(text: str) -> str:
    """The kind of thing that a text changes without its name; empty if there is none."""
    plain = _plain(text)
    if not plain or plain.endswith("?") or _PATTERNS["past"].search(plain):
        return ""
    return next((kind for kind in _KINDS if _PATTERNS[kind + _CHANGES].search(plain)), "")


def count_things(kind: str, text: str) -> int:
    """How many things of a kind a statement says that the user has; `SEVERAL` if more than one."""
    plain = _plain(split_date_note(text)[0])
    if kind not in _PATTERNS or not _PATTERNS[kind].search(plain):
        return 0
    return SEVERAL if kind == "medicine" and _PATTERNS["list"].search(plain) else 1


def _plain(text: str) -> str:
    """A text with plain punctuation; empty if it is long."""
    plain = with_apostrophes(plain_punctuation(text)).strip()
    return plain if len(plain) <= MAX_CHARS else ""
