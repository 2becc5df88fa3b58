/**
 * `npm run bench -- [--only speech,pages,…] [--into docs/bench.md]` measures on this machine and prints Markdown tables.
 * `--into` writes the figures that have a budget into the page, in place of earlier ones.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { build } from "../../server/prepare.mjs";
import { benchCapacity } from "./capacity";
import { benchLighthouse } from "./lighthouse";
import { benchLists } from "./lists";
import { benchMemory } from "./memory";
import { benchMix } from "./mix";
import { benchNatural } from "./natural";
import { benchPages } from "./page-rates";
import { type Row, toPage, toTable } from "./row";
import { benchScaling } from "./scaling";
import { benchSpeech } from "./speech";
import { benchStreams } from "./streams";
import { benchVoices } from "./voices";
import { benchWeight } from "./weight";
import { benchWork } from "./work";

const { values } = parseArgs({ options: { only: { type: "string" }, into: { type: "string" } } });

const sections: Record<string, { title: string; measure: () => Promise<Row[]> }> = {
  lighthouse: { title: "Lighthouse, mobile, simulated throttling", measure: benchLighthouse },
  weight: { title: "Scripts at first load", measure: benchWeight },
  pages: { title: "Rates of pages", measure: benchPages },
  mix: { title: "Pages and calls at a fixed rate", measure: benchMix },
  natural: { title: "Natural speech", measure: benchNatural },
  speech: { title: "Built-in speech", measure: benchSpeech },
  voices: { title: "Voices, as a recogniser, a speaker model and DNSMOS judge them", measure: benchVoices },
  work: { title: "At work in the browser, at a quarter of the speed", measure: benchWork },
  lists: { title: "Lists at 1,000,000 clones, 200,000 roles and 100,000 orders (PostgreSQL)", measure: benchLists },
  memory: { title: "Memory", measure: benchMemory },
  capacity: { title: "What one core does", measure: benchCapacity },
  scaling: { title: "Workers on one queue (PostgreSQL, engine elsewhere)", measure: benchScaling },
  streams: { title: "2,000 event streams on one web process (PostgreSQL)", measure: benchStreams },
};

const only = values.only?.split(",");
const unknown = only?.filter((name) => !(name in sections)) ?? [];
if (unknown.length > 0) {
  console.error(`No section ${unknown.join(", ")}; there are ${Object.keys(sections).join(", ")}.`);
  process.exit(1);
}

build();
const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, Node ${process.versions.node}`;
console.log(`# Figures of ${machine}\n`);
for (const [name, { title, measure }] of Object.entries(sections)) {
  if (only && !only.includes(name)) continue;
  const rows = await measure();
  if (rows.length > 0) console.log(toTable(title, rows));
  if (values.into) writeFileSync(values.into, toPage(readFileSync(values.into, "utf8"), rows, machine));
}
process.exit(0);
