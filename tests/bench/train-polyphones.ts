/**
 * Trains the polyphone weights and the probability of a wrong reading from a folder in the form of g2pM's CPP set: npx tsx tests/bench/train-polyphones.ts
 * <folder>
 */
import { writeFile } from "node:fs/promises";
import { trainDoubt } from "./doubt-training";
import { readSamples, train } from "./polyphone-training";
import { findOutcomes } from "./polyphones";

const readings = new URL("../../server/upstream/speech/chinese/readings/", import.meta.url);

async function main(folder: string | undefined) {
  if (!folder) throw new Error("Name the folder that holds dev.sent and dev.lb");
  const samples = await readSamples(folder, "dev");
  const written = `${JSON.stringify(train(samples), null, 2)}\n`;
  await writeFile(new URL("weights.json", readings), written);
  await writeFile(new URL("doubt.json", readings), `${JSON.stringify(trainDoubt(findOutcomes(samples)), null, 2)}\n`);
  console.log(`${samples.length} sentences, ${Math.round(written.length / 1024)} k characters written`);
}

await main(process.argv[2]);
