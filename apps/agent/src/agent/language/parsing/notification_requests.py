"""Recognise sentences that ask to notify the user at a time, which Keepsake cannot do."""

from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("parsing/notification_requests.toml")


def is_notification_request(sentence: str) -> bool:
    """Check whether a sentence asks for a reminder, an alarm or a timer."""
    return is_reminder(sentence) or _PATTERNS["alarm"].search(sentence) is not None


def is_reminder(request: str) -> bool:
    """Check whether a request says what its author has to do ("Remind me to call the plumber on Monday")."""
    return _PATTERNS["reminder"].search(request) is not None


def is_alarm(request: str) -> bool:
    """Check whether a request for an alarm or a timer says no more than a time ("Wake me up at 6")."""
    alarm = _PATTERNS["alarm"].search(request)
    return alarm is not None and _PATTERNS["time_words"].fullmatch(request[alarm.end() :].strip()) is not None
