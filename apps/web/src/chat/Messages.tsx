import { Messages as PrimitiveMessages } from "@assistant-ui/react/primitives/thread";
import { AssistantMessage } from "./AssistantMessage";
import { UserMessage } from "./UserMessage";

/** The messages of a thread; loaded with the first message. */
export default function Messages() {
  return (
    <PrimitiveMessages>
      {({ message }) => (message.role === "user" ? <UserMessage /> : <AssistantMessage />)}
    </PrimitiveMessages>
  );
}
