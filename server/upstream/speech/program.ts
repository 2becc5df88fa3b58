import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export interface Program {
  path: string;
  /** Node's own arguments that the file needs. */
  nodeArguments: string[];
  /** All the environment it gets: nothing of the server's. */
  env: { NODE_ENV: "production" } & Record<string, string>;
}

/** A program by name: the TypeScript file in a folder relative to this one, or the bundle beside the server's own. */
export function resolveProgram(folder: string, name: string): Program {
  const place = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  if (import.meta.url.endsWith(".ts")) {
    const loader = createRequire(import.meta.url).resolve("tsx");
    const env = { NODE_ENV: "production", TSX_TSCONFIG_PATH: place("../../../tsconfig.json") } as const;
    return { path: place(`./${folder}/${name}.ts`), nodeArguments: ["--import", loader], env };
  }
  const candidates = [place(`./${name}.js`), place(`../${name}.js`)] as const;
  return { path: candidates.find(existsSync) ?? candidates[0], nodeArguments: [], env: { NODE_ENV: "production" } };
}
