/**
 * `npm run check`: types, lint, the import table with its budgets, dead code, unit and API tests. `--all` adds the proof
 * that each half stands alone, the build, and the topologies. The steps are the scripts of tests/package.json.
 */
import "./install.mjs";
import { spawn } from "node:child_process";
import { root } from "../../server/prepare.mjs";

/** Lines of a passed step's output that are worth reading; a failed step prints everything. */
const summaryLines = { budgets: 6, unit: 5, topologies: 5, halves: 2 };

function runStep(name) {
  const started = performance.now();
  return new Promise((resolve) => {
    // Bundled child programs pay only where all tests run.
    const env = { ...process.env, NO_COLOR: "1", ...(name === "unit" && { BUNDLED_PROGRAMS: "1" }) };
    const child = spawn("npm", ["--prefix", "tests", "run", "--silent", name], { cwd: root, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("close", (status) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${status === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
      const lines = output.trimEnd().split("\n");
      const isNoted = (line) => /^(RETRIED|SLOWEST) /.test(line);
      const summary = lines.filter((line) => !isNoted(line) && line.trim()).slice(-summaryLines[name]);
      if (status !== 0) console.log(output.trim());
      else if (name in summaryLines) console.log([...lines.filter(isNoted), ...summary].join("\n"));
      resolve(status === 0);
    });
  });
}

async function runInOrder(names) {
  const results = [];
  for (const name of names) results.push(await runStep(name));
  return results;
}

// Two lanes for two cores.
const further = process.argv.includes("--all") ? ["build", "topologies", "halves"] : [];
console.log(`Checking ${["types, lint, imports, dead code, unit tests", ...further].join(", ")} …`);
const lanes = await Promise.all([
  runInOrder(["types", "lint", "imports", "budgets", "dead-code", ...further]),
  runInOrder(["unit"]),
]);
if (lanes.flat().includes(false)) process.exit(1);
