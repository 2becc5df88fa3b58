/**
 * Prints how far a route reaches, how deep imports go and how long files are, and fails beyond the house's budgets.
 * Reach counts rooms, the rows of the import table: see docs/decisions/0009-reach-in-rooms.md. How deep, and why: docs/decisions/0023-depth.md.
 */
import { readFileSync } from "node:fs";
import { cruise } from "dependency-cruiser";

const budget = { reach: 20, depth: 12, p90Lines: 150, longest: 300 };

const { output } = await cruise(["app", "server"], {
  tsPreCompilationDeps: false,
  tsConfig: { fileName: "tsconfig.json" },
  doNotFollow: { path: "node_modules" },
  exclude: { path: ["node_modules", "^build/", "\\.test\\.tsx?$"] },
});
const imports = new Map(
  output.modules.map((module) => [
    module.source,
    module.dependencies.filter((one) => /^(app|server)\//.test(one.resolved)).map((one) => one.resolved),
  ]),
);

const filesFrom = (start) => {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const next of imports.get(file) ?? []) visit(next);
  };
  visit(start);
  return [...seen];
};

/** app/features/player/bar.tsx → app/features/player, server/bff/session.server.ts → server/bff, app/paths.ts → app. */
const roomOf = (file) =>
  /^app\/(features|routes)\/[^/]+/.exec(file)?.[0] ??
  /^(app|server)\/[^/]+(?=\/)/.exec(file)?.[0] ??
  file.split("/")[0];

const depths = new Map();
const depthOf = (file, path = []) => {
  if (path.includes(file)) return 0;
  if (!depths.has(file)) {
    depths.set(file, 0);
    depths.set(file, 1 + Math.max(0, ...(imports.get(file) ?? []).map((next) => depthOf(next, [...path, file]))));
  }
  return depths.get(file);
};

const files = [...imports.keys()].filter((file) => /^(app|server)\/.*\.tsx?$/.test(file));
const routes = files
  .filter((file) => /\/route\.tsx?$/.test(file))
  .map((file) => {
    const reached = filesFrom(file);
    return { file, reach: new Set(reached.map(roomOf)).size - 1, files: reached.length - 1 };
  });
const lines = files.map((file) => ({ file, count: readFileSync(file, "utf8").split("\n").length - 1 }));
lines.sort((a, b) => a.count - b.count);
const farthest = routes.reduce((most, route) => (route.reach > most.reach ? route : most), {
  file: "-",
  reach: 0,
  files: 0,
});
const deepest = Math.max(0, ...files.map((file) => depthOf(file)));
const p90 = lines[Math.floor(lines.length * 0.9)]?.count ?? 0;
const longest = lines.at(-1) ?? { file: "-", count: 0 };

const rows = [
  ["rooms a route reaches", farthest.reach, budget.reach, `${farthest.file}, ${farthest.files} files`],
  ["depth of imports", deepest, budget.depth, ""],
  ["p90 of lines in a file", p90, budget.p90Lines, `${files.length} files`],
  ["longest file", longest.count, budget.longest, longest.file],
];
for (const [what, value, most, where] of rows) {
  console.log(`  ${value <= most ? "within" : "BEYOND"}  ${what}: ${value} (at most ${most})  ${where}`);
}
if (rows.some(([, value, most]) => value > most)) process.exit(1);
