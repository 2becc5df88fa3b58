/**
 * Trains the polyphone weights and the probability of a wrong reading from a folder in the form of g2pM's CPP set:
 * npx tsx tests/training/train-polyphones.ts <folder>
 * With complete.json of the npm package @pinyin-pro/data as a second argument it writes the words of the dictionary
 * instead, which the training then reads.
 */
import { writeFile } from "node:fs/promises";
import type { PolyphoneWeights } from "~server/speech/chinese/readings/disambiguate";
import { readDictionary } from "./dictionary-words";
import { trainDoubt } from "./doubt-training";
import { readSamples, train } from "./polyphone-training";
import { findEverydayOutcomes, findOutcomes } from "./unseen-outcomes";

const readings = new URL("../../server/speech/chinese/readings/", import.meta.url);
const write = (file: string, value: unknown) =>
  writeFile(new URL(file, readings), `${JSON.stringify(value, null, 2)}\n`);

async function main(folder: string | undefined, dictionary: string | undefined) {
  if (!folder) throw new Error("Name the folder that holds dev.sent and dev.lb");
  const samples = await readSamples(folder, "dev");
  const weights: PolyphoneWeights = train(samples);
  if (dictionary) {
    await write("dictionary-words.json", await readDictionary(dictionary, weights));
    console.log("Dictionary written; now train without it");
    return;
  }
  await write("weights.json", weights);
  await write("doubt.json", trainDoubt(findOutcomes(samples), findEverydayOutcomes(samples, weights)));
  console.log(`${samples.length} sentences learnt`);
}

await main(process.argv[2], process.argv[3]);
