import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const pagesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
const decisions = pagesIn("docs/decisions");
const pages = ["README.md", ...pagesIn("docs"), ...decisions];
const source = /^(app|server|tests|docs|public)\/[\w./$[\]-]+\.(tsx?|mjs|cjs|md|yaml|json)$/;

/** Link targets and source paths in back quotes, without examples that contain a placeholder. */
function citedPaths(page: string): string[] {
  const text = readFileSync(page, "utf8");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = ""]) => join(dirname(page), target));
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = ""]) => path).filter((path) => source.test(path));
  return [...links, ...quoted];
}

describe.each(pages)("%s", (page) => {
  it("cites only files that exist", () => {
    expect(citedPaths(page).filter((path) => !existsSync(path))).toEqual([]);
  });

  it("has lines of at most 120 characters", () => {
    const long = readFileSync(page, "utf8")
      .split("\n")
      .filter((line) => line.length > 120);
    expect(long).toEqual([]);
  });
});

const longest = [
  { page: "README.md", lines: 120 },
  { page: "docs/bench.md", lines: 80 },
  ...decisions.map((page) => ({ page, lines: 60 })),
];
it.each(longest)("$page has at most $lines lines", ({ page, lines }) => {
  expect(readFileSync(page, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(lines);
});

it("there are at most 40 decisions, and code cites only those that exist", () => {
  expect(decisions.length).toBeLessThanOrEqual(40);
  const code = ["app", "server", "tests/api", "tests/bench", "tests/config", "tests/journeys"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tsx?|mjs|cjs)$/.test(name))
      .map((name) => readFileSync(join(folder, name), "utf8")),
  );
  const cited = code.flatMap((text) => text.match(/docs\/decisions\/[\w-]+\.md/g) ?? []);
  expect(cited.length).toBeGreaterThan(0);
  expect(cited.filter((path) => !existsSync(path))).toEqual([]);
});

it("gives every decision a status and a date", () => {
  for (const page of decisions) {
    expect(readFileSync(page, "utf8"), page).toMatch(/^# \d+\. .+\n\n- Status: .+\n- Date: \d{4}-\d\d-\d\d\n/);
  }
});

const topLevel = [
  ...[".ci", ".dockerignore", ".env.example", ".gitignore", "Dockerfile", "LICENSE", "NOTICE", "README.md", "app"],
  ...["biome.json", "compose.yaml", "docs", "package-lock.json", "package.json", "postcss.config.js", "public"],
  ...["remix.config.js", "server", "tailwind.config.ts", "tests", "tsconfig.json", "vite.config.ts", "vite.patches.ts"],
];
const listing = spawnSync("git", ["ls-files"], { encoding: "utf8" });
it.runIf(listing.status === 0)("the top level holds nothing that was left behind", () => {
  const folders = listing.stdout
    .trim()
    .split("\n")
    .map((path) => path.split("/")[0]);
  expect([...new Set(folders)].sort()).toEqual(topLevel.sort());
});
