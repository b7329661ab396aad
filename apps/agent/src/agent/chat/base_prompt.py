"""The base prompt: what the model is, the date and the user's time, and how to use its memory."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from typing_extensions import TypedDict

from agent.language.requests.control_requests import may_concern_data
from agent.language.requests.notifications import asks_for_notification
from agent.language.said.conversation import conversation_question
from agent.models.offline import MEMORY_OFF, NOT_SAVED
from agent.timestamps import zone as zone_of

DEFAULT = """You are Keepsake, an assistant with long-term memory of this user. Today is {date}; the conversation \
continued at {time} ({time_zone}). What they say is saved by itself. Call remember or forget when asked to, and \
find_memories to know more about them than you see here. Use what you know where it matters, without saying where it \
comes from."""
PRIVATE = f"""You are Keepsake, an assistant with long-term memory of this user. Today is {{date}}; the conversation \
continued at {{time}} ({{time_zone}}). {NOT_SAVED}, as they asked. Call forget when asked to, and find_memories to \
know more about them than you see here. Use what you know where it matters, without saying where it comes from."""
WITHOUT_MEMORY = f"""You are Keepsake, an assistant. Today is {{date}}; the conversation continued at {{time}} \
({{time_zone}}). {MEMORY_OFF}: you know nothing about this user beyond this conversation, and nothing of it is saved."""

NO_NOTIFICATIONS = "Keepsake cannot notify the user at a time. Say so if they ask for a reminder or an alarm."
"""Precedes a message that asks for one."""
DATA_PLACES = """If the user asks to see, edit, export, import or delete their data here, you cannot do so. Tell them \
that the memory page shows and edits memories, and exports and imports them under "More actions" (GET \
/memories/export, POST /memories/import), and that the settings delete the account (DELETE /me)."""
"""Precedes a message that may ask for it."""
EARLIER_ANSWERS = """Of earlier conversations, you remember what the user said, but not what you answered. If they ask \
for an answer that is not in this conversation, say that they find it in their earlier conversations."""
"""Precedes a message that asks for what the assistant said."""


def notices(message: str) -> str:
    """What the model must know that Keepsake cannot do, if a message may ask for it."""
    about = conversation_question(message)
    asked = (
        (NO_NOTIFICATIONS, asks_for_notification(message)),
        (DATA_PLACES, may_concern_data(message)),
        (EARLIER_ANSWERS, about is not None and about.kind in {"answer", "about"}),
    )
    return "\n".join(notice for notice, is_asked in asked if is_asked)


class BasePrompt(TypedDict):
    """The base prompt of a thread, as saved in its state."""

    text: str
    key: list[str]
    """What it depends on; as long as it is the same, the text is repeated byte for byte."""


@dataclass(frozen=True, slots=True)
class BasePromptWriter:
    """Writes the base prompt of a thread, at most once a day.

    Args:
        template: replaces the default; `{date}`, `{time}` and `{time_zone}` in it are filled in.
        clock: the current time in a zone.
    """

    template: str | None = None
    clock: Callable[[tzinfo], datetime] = datetime.now

    def write(
        self,
        previous: BasePrompt | None,
        time_zone: str | None,
        *,
        memory: bool,
        is_private: bool = False,
        with_minutes: bool = True,
    ) -> BasePrompt:
        """The previous base prompt, or a new one on another day or with another zone or setting.

        A private thread has memory, but nothing of it is saved. Without minutes, the prompt remains the same for an
        hour, also if the previous one is unknown.
        """
        zone = zone_of(time_zone)
        now = self.clock(zone)
        if not with_minutes:
            now = now.replace(minute=0)
        name = time_zone if time_zone and zone is not UTC else "UTC; the user's time zone is unknown"
        template = self.template or (WITHOUT_MEMORY if not memory else PRIVATE if is_private else DEFAULT)
        key = [now.date().isoformat(), name, template]
        if previous and previous["key"] == key:
            return previous
        values = {"date": f"{now:%A, {now.day} %B %Y}", "time": f"{now:%H:%M}", "time_zone": name}
        for field, value in values.items():
            template = template.replace(f"{{{field}}}", value)
        return BasePrompt(text=template, key=key)
