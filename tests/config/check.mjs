/**
 * `npm run check`: types, lint, the import table with its budgets, dead code, unit and API tests. With `--all` also that
 * each half stands alone, the build, and the topologies made of it.
 */
import { spawn } from "node:child_process";
import { install, root } from "../../server/prepare.mjs";

install();

const vitest = ["vitest/vitest.mjs", "run", "--config", "tests/config/vitest.config.ts", "--silent", "passed-only"];
const steps = {
  types: ["typescript/bin/tsc"],
  lint: ["@biomejs/biome/bin/biome", "ci", "--error-on-warnings", "."],
  imports: ["dependency-cruiser/bin/dependency-cruise.mjs", "--config", "tests/config/imports.cjs", "app", "server"],
  budgets: ["../tests/config/budgets.mjs"],
  "dead code": ["knip/bin/knip.js", "--config", "tests/config/knip.json"],
  tests: [...vitest, "--exclude", "tests/torture/**"],
  halves: ["../tests/config/halves.mjs"],
  build: ["../server/start.mjs", "--prepare-only"],
  topologies: [...vitest, "--maxWorkers", "1", "tests/torture"],
};

/** What is worth reading of a step that passed. */
const lastLines = { budgets: 4, tests: 4, topologies: 4, halves: 2 };

function runStep(name) {
  const [script, ...args] = steps[name];
  const started = performance.now();
  return new Promise((resolve) => {
    // Worth its time where all the tests run.
    const env = { ...process.env, NO_COLOR: "1", ...(name === "tests" && { BUNDLED_PROGRAMS: "1" }) };
    const child = spawn(process.execPath, [`${root}node_modules/${script}`, ...args], { cwd: root, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("close", (status) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${status === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
      const summary = output.trimEnd().split("\n").slice(-lastLines[name]);
      if (status !== 0) console.log(output.trim());
      else if (name in lastLines) console.log(summary.join("\n"));
      resolve(status === 0);
    });
  });
}

// Two lanes for two cores: the tests, which often wait, beside all the rest.
const inOrder = async (names) => {
  const results = [];
  for (const name of names) results.push(await runStep(name));
  return results;
};
const whole = process.argv.includes("--all") ? ["build", "topologies", "halves"] : [];
const lanes = await Promise.all([
  inOrder(["types", "lint", "imports", "budgets", "dead code", ...whole]),
  inOrder(["tests"]),
]);
if (lanes.flat().includes(false)) process.exit(1);
