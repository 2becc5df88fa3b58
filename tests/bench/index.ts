/**
 * `npm run bench -- [--voices DIR] [--polyphones DIR] [--hard-inputs FILE] [--only speech,queue,…] [--write FILE]
 * [--into FILE]` measures on this machine, each section next to a baseline of the same run, and prints Markdown
 * tables. `--write` creates the file, `--into` replaces the measured sections of an existing one.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { build } from "../../server/prepare.mjs";
import { benchBff } from "./bff";
import { benchBlocklist } from "./blocklist";
import { benchCapacity } from "./capacity";
import { benchCloning } from "./cloning";
import { benchEars } from "./ears";
import { benchFace } from "./face";
import { benchFilm } from "./film";
import { benchHardInputs } from "./hard-inputs";
import { benchLighthouse } from "./lighthouse";
import { benchLists } from "./lists";
import { benchMemory } from "./memory";
import { benchMix } from "./mix";
import { benchMixes } from "./mixes";
import { benchPages } from "./pages";
import { benchPolyphones } from "./polyphones";
import { benchProof } from "./proof";
import { benchProsody } from "./prosody";
import { benchQueue } from "./queue";
import { benchRecognition } from "./recognition";
import { type Row, toTable } from "./row";
import { benchScaling } from "./scaling";
import { benchSelfCheck } from "./self-check";
import { benchSpeech } from "./speech";
import { benchStreams } from "./streams";
import { benchVerdict } from "./verdict";
import { benchWeight } from "./weight";
import { benchWork } from "./work";

const { values } = parseArgs({
  options: {
    voices: { type: "string" },
    polyphones: { type: "string" },
    "hard-inputs": { type: "string" },
    only: { type: "string" },
    write: { type: "string" },
    into: { type: "string" },
  },
});

type PathOption = "voices" | "polyphones" | "hard-inputs";

const needsPath = (option: PathOption, measure: (path: string) => Promise<Row[]>) => async () => {
  const path = values[option];
  if (path && existsSync(path)) return measure(path);
  console.log(`Skipped: give a path with --${option}.`);
  return [];
};

const sections: Record<string, { title: string; measure: () => Promise<Row[]> }> = {
  speech: { title: "Speech", measure: benchSpeech },
  cloning: { title: "Cloning, held out", measure: needsPath("voices", benchCloning) },
  prosody: { title: "Prosody beside the recordings", measure: needsPath("voices", benchProsody) },
  polyphones: { title: "Polyphonic characters", measure: needsPath("polyphones", benchPolyphones) },
  reading: { title: "Hard inputs for reading", measure: needsPath("hard-inputs", benchHardInputs) },
  recognition: { title: "Recognition of own speech", measure: () => benchRecognition(values.voices) },
  "self-check": { title: "Self-check of synthesised speech", measure: benchSelfCheck },
  verdict: { title: "Verdict on a recording", measure: needsPath("voices", benchVerdict) },
  proof: { title: "Proof of a voice", measure: needsPath("voices", benchProof) },
  blocklist: { title: "Blocked voices", measure: needsPath("voices", benchBlocklist) },
  voices: { title: "Voices as others hear them", measure: needsPath("voices", benchEars) },
  mixes: { title: "Mixes of styles, measured again", measure: benchMixes },
  face: { title: "Talking faces", measure: benchFace },
  film: { title: "Films", measure: benchFilm },
  queue: { title: "Queue", measure: benchQueue },
  scaling: { title: "Workers on one queue (PostgreSQL, engine elsewhere)", measure: benchScaling },
  lists: { title: "Lists at 1,000,000 clones, 200,000 roles and 100,000 orders (PostgreSQL)", measure: benchLists },
  streams: { title: "2,000 event streams on one web process (PostgreSQL)", measure: benchStreams },
  bff: { title: "BFF over a direct call", measure: benchBff },
  capacity: { title: "What one core does", measure: benchCapacity },
  mix: { title: "Home page while dubs are made", measure: benchMix },
  memory: { title: "Memory", measure: benchMemory },
  pages: { title: "Rates of pages", measure: benchPages },
  weight: { title: "First load", measure: benchWeight },
  work: { title: "At work in the browser, at a quarter of the speed", measure: benchWork },
  lighthouse: { title: "Lighthouse, mobile, simulated throttling", measure: benchLighthouse },
};

const only = values.only?.split(",");
const unknown = only?.filter((name) => !(name in sections)) ?? [];
if (unknown.length > 0) {
  console.error(`No section ${unknown.join(", ")}; there are ${Object.keys(sections).join(", ")}.`);
  process.exit(1);
}

/** Replaces one section of the file, or appends it. */
function putInto(file: string, table: string): string {
  const heading = table.slice(0, table.indexOf("\n"));
  const parts = file.trimEnd().split(/\n+(?=## )/);
  const at = parts.findIndex((part) => part.startsWith(heading));
  parts.splice(at < 0 ? parts.length : at, at < 0 ? 0 : 1, table.trimEnd());
  return `${parts.join("\n\n")}\n`;
}

build();
const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, Node ${process.versions.node}`;
const tables = [`# Figures\n\nMeasured by \`npm run bench\` on ${machine}.\n`];
for (const [name, { title, measure }] of Object.entries(sections)) {
  if (only && !only.includes(name)) continue;
  const rows = await measure();
  if (rows.length === 0) continue;
  tables.push(toTable(title, rows));
  console.log(tables.at(-1));
}
if (values.write) writeFileSync(values.write, tables.join("\n"));
if (values.into) writeFileSync(values.into, tables.slice(1).reduce(putInto, readFileSync(values.into, "utf8")));
process.exit(0);
