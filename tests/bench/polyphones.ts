/** Measures the accuracy for ambiguous characters: npx tsx tests/bench/polyphones.ts <folder of g2pM's CPP set> */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDisambiguator } from "~server/upstream/speech/chinese/readings/disambiguate";
import { readCharacters } from "~server/upstream/speech/chinese/readings/read";
import { readSamples, type Sample, train } from "./polyphone-training";
import type { Row } from "./row";

const folds = 10;
const published = "97.31 % (g2pM on the test part)";
const names = {
  lexicon: "dev, lexicon alone",
  crossValidated: "dev, 10-fold cross-validated",
  shipped: "dev, as shipped (learnt from it)",
  test: "test, as shipped (never seen)",
};
const references: Record<string, string> = {
  [names.crossValidated]: published,
  [names.test]: published,
};

type Read = (sample: Sample) => string;

/**
 * Rows for the folder's development part and, if present, its test part. "Cross-validated" scores every sentence by
 * weights that were trained without it; "as shipped" scores the development part by weights trained on it. The word
 * lists were written with part of the development errors in view, so expect slightly less on unseen sentences.
 */
export async function benchPolyphones(folder: string): Promise<Row[]> {
  const samples = await readSamples(folder, "dev");
  const rows = [
    toRow(names.lexicon, samples, ({ guess }) => guess),
    toRow(names.crossValidated, samples, crossValidate(samples)),
    toRow(names.shipped, samples, readShipped),
  ];
  if (existsSync(join(folder, "test.sent"))) {
    rows.push(toRow(names.test, await readSamples(folder, "test"), readShipped));
  }
  return rows;
}

function toRow(name: string, samples: readonly Sample[], read: Read): Row {
  const right = samples.filter((sample) => read(sample) === sample.reading).length;
  return { name, value: (right / samples.length) * 100, unit: `% of ${samples.length}`, reference: references[name] };
}

function readShipped({ context }: Sample): string {
  return readCharacters(context.characters)[context.at] ?? "";
}

/** Assigns folds by a sentence's text, so that duplicates share a fold. */
function crossValidate(samples: readonly Sample[]): Read {
  const choose = Array.from({ length: folds }, (_, fold) =>
    createDisambiguator(train(samples.filter((sample) => foldOf(sample) !== fold))),
  );
  return (sample) => choose[foldOf(sample)]?.(sample.context, sample.guess) ?? "";
}

function foldOf({ context }: Sample): number {
  let hash = 2166136261;
  for (const character of context.characters) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return Math.floor(hash / 5) % folds;
}

async function main(folder: string | undefined) {
  if (!folder) throw new Error("Name the folder that holds dev.sent and dev.lb");
  for (const { name, value, unit } of await benchPolyphones(folder))
    console.log(`${value.toFixed(2)} ${unit}  ${name}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv[2]);
