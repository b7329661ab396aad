"""Find the requests of a message to notify the user at a time."""

from agent.language.parsing.notification_requests import is_notification_request, is_reminder
from agent.language.parsing.sentences import plain_punctuation, sentences

MAX_CHARS = 4_000  # of a message


def asks_for_notification(message: str) -> bool:
    """Check whether a sentence of a message asks for a reminder, an alarm or a timer."""
    return any(map(is_notification_request, _sentences(message)))


def asks_for_reminder(message: str) -> bool:
    """Check whether a sentence of a message says what the user is to be reminded of."""
    return any(map(is_reminder, _sentences(message)))


def without_notifications(message: str) -> str:
    """The message without the sentences that ask for a reminder, an alarm or a timer."""
    return " ".join(one for one in _sentences(message) if one and not is_notification_request(one))


def _sentences(message: str) -> list[str]:
    plain = plain_punctuation(message[:MAX_CHARS])
    return [plain[slice(*span)].strip() for span in sentences(plain)]
