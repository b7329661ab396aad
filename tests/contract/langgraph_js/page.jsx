// A chat with useStream. The address names the API (api), the key (key) and how the stream is read (mode).
//
// `values` submits as Agent Chat UI does: with history, optimistic values and resumable streams.
import { useStream } from "@langchain/langgraph-sdk/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const parameters = new URLSearchParams(location.search);
const likeAgentChat = parameters.get("mode") === "values";

function textOf(content) {
  return typeof content === "string" ? content : content.map((block) => block.text).join("");
}

function Chat() {
  const [thread, setThread] = useState(() => location.hash.slice(1) || null);
  const [text, setText] = useState("");
  const [recalled, setRecalled] = useState([]);
  const chat = useStream({
    apiUrl: parameters.get("api"),
    apiKey: parameters.get("key"),
    assistantId: "chat",
    threadId: thread,
    fetchStateHistory: likeAgentChat,
    reconnectOnMount: !likeAgentChat,
    onThreadId: (id) => {
      history.replaceState(null, "", `#${id}`);
      setThread(id);
    },
    onCustomEvent: (event) => {
      if (event.type === "memory.recalled") setRecalled(event.memories.map((memory) => memory.text));
    },
  });

  function submit(event) {
    event.preventDefault();
    const message = { id: crypto.randomUUID(), type: "human", content: [{ type: "text", text }] };
    const options = {
      streamMode: ["values"],
      streamSubgraphs: true,
      streamResumable: true,
      optimisticValues: (previous) => ({ ...previous, messages: [...(previous.messages ?? []), message] }),
    };
    chat.submit({ messages: [message] }, likeAgentChat ? options : undefined);
    setText("");
  }

  return (
    <main>
      <ol>
        {chat.messages.map((message) => (
          <li key={message.id} data-type={message.type}>
            {textOf(message.content)}
          </li>
        ))}
      </ol>
      <ul aria-label="recalled">
        {recalled.map((memory) => (
          <li key={memory}>{memory}</li>
        ))}
      </ul>
      <output>{chat.isLoading ? "answering" : "ready"}</output>
      <p role="alert">{chat.error?.message}</p>
      <form onSubmit={submit}>
        <input aria-label="message" value={text} onChange={(event) => setText(event.target.value)} />
      </form>
      <button onClick={() => chat.stop()}>Stop</button>
    </main>
  );
}

createRoot(document.getElementById("root")).render(<Chat />);
