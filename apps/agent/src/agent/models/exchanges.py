"""The exchanges of a thread, for questions that depend on the ones before them."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from agent.language.parsing.sentences import QUESTION_MARKS
from agent.language.requests.question_context import Exchange


def exchanges(messages: Sequence[BaseMessage]) -> list[Exchange]:
    """Each message of the user with the answer to it; what precedes the first one is left out."""
    found: list[Exchange] = []
    for message in messages:
        if isinstance(message, HumanMessage):
            found.append(Exchange(message.text))
        elif isinstance(message, AIMessage) and found and message.text:
            found[-1] = Exchange(found[-1].message, message.text)
    return found


def answering(messages: Sequence[BaseMessage]) -> set[int]:
    """The indices, among the user's messages, of those after an answer that ends with a question."""
    answers = [one.answer.rstrip() for one in exchanges(messages)]
    return {n + 1 for n, answer in enumerate(answers) if answer.endswith(QUESTION_MARKS)}
