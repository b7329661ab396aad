"""The complete analysis of a user's message, so that each message is analysed once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from agent.language.authorship.private_messages import announces_private_message
from agent.language.facts.extraction import extract_from_user, own_statements
from agent.language.facts.standing import standing_topics
from agent.language.facts.statements import mask_unusable, statement_spans, without_masked
from agent.language.parsing.openers import blank_openers
from agent.language.parsing.sentences import is_small_talk
from agent.language.requests.list_choices import chosen_numbers
from agent.language.requests.memory_requests import MemoryRequest, memory_requests, remaining_text
from agent.language.requests.named_choices import NamedChoice
from agent.language.requests.value_requests import with_statements
from agent.language.safety.credentials import contains_credentials
from agent.language.safety.prompt_injection import contains_injection


@dataclass(frozen=True, slots=True)
class MessageContent:
    """What a message contains for the memory of its author."""

    recallable: bool
    """Whether it states something that other threads may recall before it is processed."""
    standing: bool
    """Whether it states something that matters for every message."""

    @classmethod
    def of(cls, text: str) -> Self:
        """Analyse a message."""
        if contains_credentials(text) or contains_injection(text) or is_small_talk(text):
            return cls(recallable=False, standing=False)
        facts = extract_from_user(text)
        has_preference = any(fact.kind == "procedural" for fact in facts)
        return cls(bool(facts) or _states(text), has_preference or bool(standing_topics(text)))


def _states(text: str) -> bool:
    """Check whether a message contains a statement in the author's own words, also in a request or question."""
    masked = mask_unusable(blank_openers(text))
    return any(without_masked(text, masked, span) for span in statement_spans(masked))


@dataclass(frozen=True, slots=True)
class MessageAnalysis:
    """The requests to remember and to forget in a message, and what remains of it."""

    requests: Sequence[MemoryRequest]
    chosen: Sequence[int] | None
    """The numbers that it chooses from a list of the previous turn."""
    rest: str
    """The message without its requests, except those to change a value, as statements; empty if nothing remains."""
    content: MessageContent
    """The analysis of the remaining text."""

    @classmethod
    def of(cls, text: str, offered: Sequence[str]) -> Self:
        """Analyse a message that follows a list of statements; empty if there is none."""
        nothing = MessageContent(recallable=False, standing=False)
        if offered and (numbers := chosen_numbers(text, len(offered))) is not None:
            return cls((), numbers, "", nothing)
        if offered and (named := NamedChoice.read(text)):
            if (numbers := named.numbers(offered)) is not None:
                return cls((), numbers, "", nothing)
            if named.names_another(offered):
                request = MemoryRequest("forget", "subject", named.meant, (0, len(text)))
                return cls((request,), None, "", nothing)
        if announces_private_message(text) and len(own_statements(text)) <= 1:
            return cls((), None, "", nothing)
        requests = memory_requests(text)
        rest = with_statements(remaining_text(text, requests))
        return cls(tuple(requests), None, rest, MessageContent.of(rest))
