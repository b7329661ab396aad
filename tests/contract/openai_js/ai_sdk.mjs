// Vercel's AI SDK as a client: prints what it received as JSON. Usage: ai_sdk.mjs BASE_URL KEY
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const [baseURL, apiKey] = process.argv.slice(2);
const compatible = createOpenAICompatible({ name: "keepsake", baseURL, apiKey, includeUsage: true });
const openai = createOpenAI({ baseURL, apiKey });

const statement = await generateText({ model: compatible("scripted"), prompt: "I live in Oslo." });

const stream = streamText({
  model: compatible("scripted"),
  system: "Be brief.",
  messages: [
    { role: "user", content: "I live in Oslo." },
    { role: "assistant", content: statement.text },
    { role: "user", content: "Count." },
  ],
});
let streamed = "";
for await (const text of stream.textStream) streamed += text;

const weather = tool({
  description: "The weather in a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});
const withTool = await generateText({
  model: openai.chat("scripted"),
  prompt: "Which weather?",
  tools: { get_weather: weather },
  stopWhen: stepCountIs(3),
});

const response = await generateText({ model: openai.responses("scripted"), prompt: "Count." });
const responseStream = streamText({ model: openai.responses("scripted"), prompt: "Count." });
let streamedResponse = "";
for await (const text of responseStream.textStream) streamedResponse += text;

const error = await generateText({ model: compatible("unknown"), prompt: "Hi", maxRetries: 0 }).catch((caught) => caught);

console.log(
  JSON.stringify({
    streamed,
    streamFinish: await stream.finishReason,
    streamTokens: (await stream.usage).outputTokens,
    withTool: withTool.text,
    toolSteps: withTool.steps.map((step) => step.finishReason),
    response: response.text,
    streamedResponse,
    isCallError: APICallError.isInstance(error),
    errorStatus: error.statusCode,
    errorMessage: error.message,
  }),
);
