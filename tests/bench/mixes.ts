/**
 * Speaks two sentences with each mix of styles in `mixes.json` and writes its measures there again: for another release
 * of the model, or after a change of what describes a voice. Needs the model, in KOKORO_FOLDER or in DATA_DIR/models.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareText } from "../../server/speech/chinese/prepare";
import { describeVoice } from "../../server/speech/engines/kokoro/description";
import { type MixDescription, mixes, packMix } from "../../server/speech/engines/kokoro/mixes";
import { type KokoroModel, modelFiles, openModel } from "../../server/speech/engines/kokoro/model";
import { modelRate } from "../../server/speech/engines/kokoro/timeline";
import { toTokenIds, toTokens } from "../../server/speech/engines/kokoro/utterances";
import type { Row } from "./row";

const table = "server/speech/engines/kokoro/mixes.json";
const sentences = [
  "昨天下午我和朋友一起去公园散步，路边的桂花开得很香。",
  "请问从这里到火车站，坐地铁需要多长时间？",
].map((text) => toTokenIds(toTokens(prepareText(text).units, () => "").tokens));

/** The installed model's folder; null if there is none. */
export function findKokoro(): string | null {
  const folder = process.env.KOKORO_FOLDER ?? join(process.env.DATA_DIR ?? "data", "models", "kokoro");
  return existsSync(join(folder, modelFiles.styles)) ? folder : null;
}

export async function benchMixes(): Promise<Row[]> {
  const folder = findKokoro();
  if (!folder) {
    console.log("Skipped: Kokoro is neither in KOKORO_FOLDER nor in DATA_DIR/models.");
    return [];
  }
  const model = await openModel(folder, 2);
  const described: MixDescription[] = [];
  for (const { styles } of mixes()) described.push(await describeMix(model, styles));
  writeFileSync(table, `${JSON.stringify(described.map(packMix), null, 2)}\n`);
  const moves = described.map(({ medianSt }, i) => Math.abs(medianSt - (mixes()[i] as MixDescription).medianSt));
  return [
    { name: "mixes measured", value: described.length, unit: "" },
    { name: "largest change of a median pitch", value: Math.max(...moves), unit: "st" },
  ];
}

async function describeMix(model: KokoroModel, styles: MixDescription["styles"]): Promise<MixDescription> {
  const spoken: number[] = [];
  for (const tokenIds of sentences) {
    const { samples } = await model.run({ tokenIds, styles, speed: 1, scale: 1, range: 1 });
    for (const sample of samples) spoken.push(sample);
  }
  const { print, ...voice } = describeVoice({ samples: Float32Array.from(spoken), sampleRate: modelRate });
  if (!print) throw new Error(`${JSON.stringify(styles)} gives no print`);
  return { ...voice, styles, print };
}
