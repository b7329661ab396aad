import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(?:css|html|js|json|svg|webmanifest)$/;
/** Bytes; the headers of smaller files are as large as what compression saves. */
const MIN_SIZE = 512;

/** Writes each text file of the build also as `.br` and `.gz`, which the gateway serves to browsers that accept them. */
export function compress(): Plugin {
  return {
    name: "compress",
    apply: "build",
    writeBundle({ dir }) {
      for (const file of readdirSync(dir!, { recursive: true, encoding: "utf8" })) {
        const path = join(dir!, file);
        if (!COMPRESSIBLE.test(file) || statSync(path).size < MIN_SIZE) continue;
        const content = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
