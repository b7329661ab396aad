// The openai package as a client: prints what it received as JSON. Usage: openai_sdk.mjs BASE_URL KEY
import OpenAI from "openai";

const [baseURL, apiKey] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const model = "scripted";
const tools = [
  {
    type: "function",
    function: {
      name: "get_weather",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
];

const models = [];
for await (const one of client.models.list()) models.push(one.id);

const completion = await client.chat.completions.create({ model, messages: [{ role: "user", content: "I live in Oslo." }] });

const stream = client.chat.completions.stream({
  model,
  messages: [{ role: "user", content: "Count." }],
  stream_options: { include_usage: true },
});
const streamed = await stream.finalChatCompletion();

const messages = [{ role: "user", content: "Which weather?" }];
const runner = client.chat.completions.runTools({
  model,
  messages,
  tools: [
    {
      type: "function",
      function: { ...tools[0].function, parse: JSON.parse, function: ({ city }) => `sunny in ${city}` },
    },
  ],
});
const withTool = await runner.finalContent();

const response = await client.responses.create({ model, input: "Count." });
const responseStream = client.responses.stream({ model, input: "Count." });
const streamedResponse = await responseStream.finalResponse();

const codes = [];
for (const request of [
  () => client.chat.completions.create({ model: "unknown", messages }),
  () => new OpenAI({ baseURL, apiKey: "ks_wrong" }).models.list(),
  () => client.chat.completions.create({ model, messages: [] }),
]) {
  const error = await request().catch((caught) => caught);
  codes.push([error.constructor.name, error.code]);
}

console.log(
  JSON.stringify({
    models,
    text: completion.choices[0].message.content,
    streamed: streamed.choices[0].message.content,
    streamedTokens: streamed.usage.completion_tokens,
    withTool,
    response: response.output_text,
    streamedResponse: streamedResponse.output_text,
    codes,
  }),
);
