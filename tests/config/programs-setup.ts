import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const embedded = "server/speech/engines/embedded";
const input = {
  "speech-child": `${embedded}/speech-child.ts`,
  "speech-thread": "server/speech/threads/speech-thread.ts",
  espeak: `${embedded}/espeak.ts`,
  "database-thread": "server/upstream/db/database-thread.ts",
  "film-child": "server/upstream/film/film-child.ts",
  "wasm-child": "server/upstream/film/encoders/wasm-child.ts",
  "conversion-child": "server/speech/recording/conversion-child.ts",
  "faulty-film-child": "tests/support/faulty-film-child.ts",
  "worker-process": "tests/support/worker-process.ts",
};

/** Bundles the child programs that tests start if BUNDLED_PROGRAMS is set: from TypeScript each start takes seconds. */
export async function setup(): Promise<(() => void) | undefined> {
  if (!process.env.BUNDLED_PROGRAMS) return undefined;
  const cache = join(root, "node_modules/.cache/test-programs");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "run-"));
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: "error",
    resolve: { alias: { "~server": `${root}server` } },
    build: { ssr: true, outDir: folder, target: "node20", rollupOptions: { input } },
  });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  process.env.TEST_PROGRAMS = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
