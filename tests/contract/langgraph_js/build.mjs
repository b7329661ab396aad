// Bundles the page into the file named by the argument.
import { build } from "esbuild";

await build({
  entryPoints: ["page.jsx"],
  outfile: process.argv[2],
  bundle: true,
  format: "esm",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"development"' },
  logLevel: "warning",
});
