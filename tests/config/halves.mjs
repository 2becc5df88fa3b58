/** Type-checks and builds each half alone: the site without server/upstream, the upstream without app. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run } from "../../server/prepare.mjs";

const files = [
  "app",
  "server",
  "public",
  "package.json",
  "package-lock.json",
  "remix.config.js",
  "vite.config.ts",
  "vite.patches.ts",
];
const looks = ["tailwind.config.ts", "postcss.config.js"];
const halves = [
  { name: "the site alone", left: "server/upstream", entries: [...files, ...looks] },
  { name: "the upstream alone", left: "app", entries: files },
];

for (const { name, left, entries } of halves) {
  const dir = mkdtempSync(join(tmpdir(), "half-"));
  try {
    const isKept = (path) => !path.startsWith(join(root, left)) && !/\.test\.tsx?$/.test(path);
    for (const entry of entries) {
      cpSync(join(root, entry), join(dir, entry), { recursive: true, filter: isKept });
    }
    const tsconfig = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    delete tsconfig.compilerOptions.tsBuildInfoFile;
    tsconfig.compilerOptions.incremental = false;
    writeFileSync(join(dir, "tsconfig.json"), JSON.stringify(tsconfig));
    symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
    run(process.execPath, ["node_modules/typescript/bin/tsc"], { cwd: dir });
    run(process.execPath, ["server/start.mjs", "--prepare-only"], { cwd: dir });
    console.log(`✓ ${name} type-checks and builds`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
