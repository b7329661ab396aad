"""Messages that are not yet processed into memories."""

from fastapi import APIRouter

from gateway.dependencies import MESSAGE_ERRORS, SIGNED_IN, CurrentAgent, CurrentUser, MessageInPath
from gateway.problems import user_responses
from gateway.schemas.memories import PendingMessage, PendingMessagePage

router = APIRouter(tags=["memories"], dependencies=[SIGNED_IN])


@router.get("/memories/inbox", responses=user_responses())
async def list_inbox(user: CurrentUser, agent: CurrentAgent) -> PendingMessagePage:
    """List the user's messages that are not yet processed into memories, the oldest first."""
    items = [PendingMessage.model_validate(message) for message in await agent.pending.list_messages(user)]
    return PendingMessagePage(items=items, next_cursor=None)


@router.delete("/memories/inbox/{message_id}", status_code=204, responses=user_responses(*MESSAGE_ERRORS))
async def withdraw_message(message: MessageInPath, user: CurrentUser, agent: CurrentAgent) -> None:
    """Withdraw a message: nothing of it becomes a memory. It stays in its thread."""
    await agent.pending.withdraw(user, message)
