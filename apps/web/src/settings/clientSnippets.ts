export type ClientSnippet = { readonly client: string; readonly code: string };

/**
 * The setup of other apps for a gateway at `origin` with a chat model (see `docs/clients.md`); `KEY` stands for a personal
 * key.
 */
export function clientSnippets(origin: string, model: string): readonly ClientSnippet[] {
  const server = { url: `${origin}/mcp`, headers: { Authorization: "Bearer KEY" } };
  return [
    {
      client: "Claude Code",
      code: `claude mcp add --transport http keepsake ${origin}/mcp --header "Authorization: Bearer KEY"`,
    },
    { client: "Cursor", code: formatJson({ mcpServers: { keepsake: server } }) },
    { client: "VS Code", code: formatJson({ servers: { keepsake: { type: "http", ...server } } }) },
    {
      client: "Codex",
      code: `export KEEPSAKE_KEY=KEY

# ~/.codex/config.toml
[mcp_servers.keepsake]
url = "${origin}/mcp"
bearer_token_env_var = "KEEPSAKE_KEY"`,
    },
    {
      client: "OpenAI SDK",
      code: `from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key="KEY")`,
    },
    {
      client: "Open WebUI",
      code: `# Settings → Connections → OpenAI
URL: ${origin}/v1
Key: KEY`,
    },
    {
      client: "LibreChat",
      code: `# librechat.yaml
endpoints:
  custom:
    - name: "Keepsake"
      apiKey: "KEY"
      baseURL: "${origin}/v1"
      models: { fetch: true }
      titleConvo: false`,
    },
    {
      client: "Continue",
      code: `# config.yaml
models:
  - name: Keepsake
    provider: openai
    model: ${model}
    apiBase: ${origin}/v1
    apiKey: KEY`,
    },
    {
      client: "LangGraph",
      code: `from langgraph_sdk import get_client

client = get_client(url="${origin}/langgraph", api_key="KEY")`,
    },
    {
      client: "curl",
      code: `curl ${origin}/memories -H "authorization: Bearer KEY"`,
    },
  ];
}

function formatJson(value: object): string {
  return JSON.stringify(value, null, 2);
}
