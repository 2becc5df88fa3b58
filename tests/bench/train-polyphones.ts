/**
 * Trains the polyphone weights from a folder in the form of g2pM's CPP set: npx tsx tests/bench/train-polyphones.ts
 * <folder>
 */
import { writeFile } from "node:fs/promises";
import { readSamples, train } from "./polyphone-training";

const target = new URL("../../server/upstream/speech/chinese/readings/weights.json", import.meta.url);

async function main(folder: string | undefined) {
  if (!folder) throw new Error("Name the folder that holds dev.sent and dev.lb");
  const samples = await readSamples(folder, "dev");
  const written = `${JSON.stringify(train(samples), null, 2)}\n`;
  await writeFile(target, written);
  console.log(`${samples.length} sentences, ${Math.round(written.length / 1024)} k characters written`);
}

await main(process.argv[2]);
