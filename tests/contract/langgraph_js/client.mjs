// Uses @langchain/langgraph-sdk against the API at API_URL with the key API_KEY, and prints what it received as JSON.
import { Client } from "@langchain/langgraph-sdk";

const client = new Client({ apiUrl: process.env.API_URL, apiKey: process.env.API_KEY, callerOptions: { maxRetries: 0 } });
const said = (content) => ({ messages: [{ type: "human", content }] });
const texts = (values) => values.messages.map((message) => message.content);

async function collect(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

async function refused(promise) {
  try {
    await promise;
    return null;
  } catch (error) {
    return error.status;
  }
}

const assistants = await client.assistants.search({ graphId: "chat" });
const { thread_id: thread } = await client.threads.create({ metadata: { project: "bees" } });
const created = [];
const parts = await collect(
  client.runs.stream(thread, "chat", {
    input: said("I live in Oslo."),
    streamMode: ["values", "messages-tuple", "updates", "custom"],
    onRunCreated: (run) => created.push(run.run_id),
  }),
);
const chunks = parts.filter((part) => part.event === "messages").map((part) => part.data[0].content);
const rejoined = await collect(
  client.runs.joinStream(thread, created[0], { lastEventId: parts.at(-2).id, streamMode: ["values", "custom"] }),
);
const waited = await client.runs.wait(thread, "chat", { input: said("Where do I live?") });
const history = await client.threads.getHistory(thread);
await client.threads.updateState(thread, { values: { messages: [{ type: "ai", content: "Anything else?" }] } });
const state = await client.threads.getState(thread);
const background = await client.runs.create(thread, "chat", { input: said("No.") });
await client.runs.join(thread, background.run_id);
await client.store.putItem(["notes"], "1", { text: "Bees" });
const items = await client.store.searchItems(["notes"]);

console.log(
  JSON.stringify({
    assistants: assistants.map((assistant) => assistant.graph_id),
    events: parts.map((part) => part.event),
    text: chunks.join(""),
    rejoined: rejoined.map((part) => part.event),
    waited: texts(waited),
    history: history.map((one) => one.values.messages.length),
    state: texts(state.values),
    runs: (await client.runs.list(thread)).map((run) => run.status),
    found: (await client.threads.search({ metadata: { project: "bees" } })).map((one) => one.thread_id === thread),
    items: items.items.map((item) => item.value.text),
    namespaces: (await client.store.listNamespaces()).namespaces,
    copied: await refused(client.threads.copy(thread)),
    missing: await refused(client.threads.get("00000000-0000-4000-8000-000000000000")),
    deleted: (await client.threads.delete(thread)) ?? null,
  }),
);
