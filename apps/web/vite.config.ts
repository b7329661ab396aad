import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compress } from "./compress.ts";

const PRIMITIVES = /^@assistant-ui\/react\/primitives\/(\w+)$/;
const gateway = process.env["KEEPSAKE_URL"] ?? "http://127.0.0.1:8080";
const paths = ["/config", "/dev", "/me", "/memories", "/profile", "/session", "/threads"];

export default defineConfig({
  plugins: [react(), compress()],
  resolve: {
    // The package exports its primitives only as objects, of which the bundler keeps the unused members too.
    alias: [
      {
        find: PRIMITIVES,
        replacement: resolve("node_modules/@assistant-ui/react/dist/primitives/$1.js"),
      },
    ],
  },
  server: {
    proxy: Object.fromEntries(paths.map((path) => [`^${path}(/|\\?|$)`, gateway])),
  },
  build: {
    target: "es2022",
    // The content security policy forbids data: fonts. Supported browsers need no polyfill.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1600, // kB; the reference at /docs is one chunk, which the chat page does not load
    rolldownOptions: { input: ["index.html", "docs/index.html"], checks: { pluginTimings: false } },
  },
  test: {
    environment: "node",
    include: ["src/**/*.test.ts"],
  },
});
