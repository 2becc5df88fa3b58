/**
 * Prints the size of the source tree and how far each page reaches, and fails beyond the budgets. Reach is the number of
 * other files that a page loads, statically or lazily, without type imports. See docs/decisions/0113-budgets-in-files.md.
 */
import { readFileSync } from "node:fs";
import { cruise } from "dependency-cruiser";
import { root } from "../../server/prepare.mjs";

process.chdir(root);

const budget = { sources: 690, lines: 74_000, reachOfHome: 70, reachOfPages: 110, depth: 10, longest: 220 };
/** Lines of each area, printed alone: what grows is paid for where it grows. */
const areas = [
  ["app/", 28_500],
  ["server/contract/", 3_300],
  ["server/web/", 1_000],
  ["server/bff/", 2_200],
  ["server/speech/", 12_500],
  ["server/upstream/", 24_500],
];
/** Highest value for a budget that is not met yet; the tree may not grow beyond it. */
const highest = {
  "source lines": 102_600,
  "source files": 943,
  "files the home page reaches": 76,
  "files another page reaches": 140,
};

const { output } = await cruise(["app", "server"], {
  tsPreCompilationDeps: false,
  tsConfig: { fileName: "tsconfig.json" },
  doNotFollow: { path: "node_modules" },
  exclude: { path: ["node_modules", "^build/", "\\.test\\.tsx?$"] },
});
const isSource = (file) => /^(app|server)\/.*\.(tsx?|mjs)$/.test(file);
const imports = new Map(
  output.modules.map(({ source, dependencies }) => [
    source,
    dependencies.map(({ resolved }) => resolved).filter(isSource),
  ]),
);

function filesReachedFrom(start) {
  const reached = new Set();
  const visit = (file) => {
    for (const next of imports.get(file) ?? []) {
      if (reached.has(next) || next === start) continue;
      reached.add(next);
      visit(next);
    }
  };
  visit(start);
  return reached.size;
}

const depths = new Map();
function depthOf(file) {
  if (!depths.has(file)) {
    depths.set(file, 1); // ends a cycle, which the import table reports
    depths.set(file, 1 + Math.max(0, ...(imports.get(file) ?? []).map(depthOf)));
  }
  return depths.get(file);
}

const byValue = (a, b) => b.value - a.value;
const sources = [...imports.keys()].filter(isSource);
const lengths = sources
  .map((file) => ({ file, value: readFileSync(file, "utf8").split("\n").length - 1 }))
  .sort(byValue);
const reaches = sources
  .filter((file) => /\/route\.tsx$/.test(file))
  .map((file) => ({ file, value: filesReachedFrom(file) }))
  .sort(byValue);
const home = "app/routes/_index/route.tsx";
const farthest = reaches.find(({ file }) => file !== home) ?? { file: "-", value: 0 };
const deepest = sources.map((file) => ({ file, value: depthOf(file) })).sort(byValue)[0];
const longest = lengths[0];

if (process.argv.includes("--pages")) {
  for (const { file, value } of reaches) console.log(`${String(value).padStart(4)}  ${file}`);
}
const rows = [
  ["source files", sources.length, budget.sources, `median ${lengths[lengths.length >> 1]?.value} lines`],
  ["source lines", lengths.reduce((sum, { value }) => sum + value, 0), budget.lines, ""],
  ["files the home page reaches", reaches.find(({ file }) => file === home)?.value ?? 0, budget.reachOfHome, ""],
  ["files another page reaches", farthest.value, budget.reachOfPages, farthest.file],
  ["depth of imports", deepest.value, budget.depth, deepest.file],
  ["lines of the longest file", longest.value, budget.longest, longest.file],
];
for (const [area, limit] of areas) {
  const value = lengths.filter(({ file }) => file.startsWith(area)).reduce((sum, one) => sum + one.value, 0);
  console.log(`  ${value <= limit ? "within" : "BEYOND"}  lines of ${area}: ${value} (at most ${limit})`);
}
for (const [subject, value, limit, detail] of rows) {
  console.log(`  ${value <= limit ? "within" : "BEYOND"}  ${subject}: ${value} (at most ${limit})  ${detail}`);
}
const isTooMuch = ([subject, value, limit]) => value > (highest[subject] ?? limit);
if (rows.some(isTooMuch)) process.exit(1);
