/**
 * Counts the hard inputs that are read as expected: npx tsx tests/bench/hard-inputs.ts <file of tab-separated cases>
 */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { prepareText } from "~server/speech/chinese/prepare";
import type { SpokenUnit } from "~server/speech/engine";
import type { Row } from "./row";

/**
 * A text and its expected reading. `expectation` starts with `=` (a spoken form that is read the same), `~` (the
 * whole reading in pinyin after sandhi) or `@` (single characters in order, each with its reading); `|` separates
 * alternatives.
 */
export interface HardInput {
  kind: string;
  text: string;
  expectation: string;
}

/** Reads a file of `kind, text, expectation`, one case per line. */
export async function readHardInputs(file: string): Promise<HardInput[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim());
  return lines.map((line) => {
    const [kind = "", text = "", expectation = ""] = line.split("\t");
    return { kind, text, expectation };
  });
}

export function isReadAsExpected({ text, expectation }: HardInput): boolean {
  const units = prepareText(text).units;
  return expectation
    .slice(1)
    .split(/\|[~@=]?/)
    .some((alternative) => matches(units, expectation[0] ?? "", alternative));
}

/** One row for all cases and one per kind. */
export async function benchHardInputs(file: string): Promise<Row[]> {
  const inputs = await readHardInputs(file);
  const kinds = [...new Set(inputs.map(({ kind }) => kind))];
  const toRow = (name: string, cases: readonly HardInput[], reference?: string): Row => ({
    name,
    value: (cases.filter(isReadAsExpected).length / cases.length) * 100,
    unit: `% of ${cases.length}`,
    reference,
  });
  return [
    toRow("hard inputs read right", inputs, "≥ 92 (71 before)"),
    ...kinds.map((kind) =>
      toRow(
        `hard inputs, ${kind}`,
        inputs.filter((input) => input.kind === kind),
      ),
    ),
  ];
}

function matches(units: readonly SpokenUnit[], kind: string, alternative: string): boolean {
  if (kind === "=") return toReading(units) === toReading(prepareText(alternative).units);
  if (kind === "~") return toReading(units) === alternative.trim();
  const wanted = alternative.trim().split(/\s+/);
  const seen = units.flatMap((unit) => (unit.kind === "syllable" ? [`${firstOf(unit.text)}${unit.pinyin}`] : []));
  let next = 0;
  for (const each of wanted) {
    const at = seen.findIndex((unit, index) => index >= next && firstOf(unit) === firstOf(each));
    if (at < 0 || seen[at] !== each) return false;
    next = at + 1;
  }
  return true;
}

const firstOf = (text: string) => [...text][0] ?? "";

function toReading(units: readonly SpokenUnit[]): string {
  return units
    .flatMap((unit) => {
      if (unit.kind === "pause") return [];
      return unit.kind === "latin" ? [unit.text.toLowerCase()] : [unit.pinyin ?? ""];
    })
    .join(" ");
}

async function main(file: string | undefined) {
  if (!file) throw new Error("Name the file of cases");
  for (const input of await readHardInputs(file)) {
    if (isReadAsExpected(input)) continue;
    console.log(`${input.kind}\t${input.text}\t${input.expectation}\n\t${toReading(prepareText(input.text).units)}`);
  }
  for (const { name, value, unit } of await benchHardInputs(file)) console.log(`${name}\t${value.toFixed(1)} ${unit}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv[2]);
