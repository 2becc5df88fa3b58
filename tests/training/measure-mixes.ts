/**
 * Speaks two sentences with each mix of styles in `mixes.json` and writes its measures there again: for another release
 * of the model, or after a change of what describes a voice: npx tsx tests/training/measure-mixes.ts <folder of Kokoro>
 */
import { writeFileSync } from "node:fs";
import { prepareText } from "../../server/speech/chinese/prepare";
import { describeVoice } from "../../server/speech/engines/kokoro/description";
import { type MixDescription, mixes, packMix } from "../../server/speech/engines/kokoro/mixes";
import { type KokoroModel, openModel } from "../../server/speech/engines/kokoro/model";
import { modelRate } from "../../server/speech/engines/kokoro/timeline";
import { toTokenIds, toTokens } from "../../server/speech/engines/kokoro/utterances";

const table = "server/speech/engines/kokoro/mixes.json";
const sentences = [
  "昨天下午我和朋友一起去公园散步，路边的桂花开得很香。",
  "请问从这里到火车站，坐地铁需要多长时间？",
].map((text) => toTokenIds(toTokens(prepareText(text).units, () => "").tokens));

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

const folder = process.argv[2];
if (!folder) throw new Error("Name the folder of the installed model");
const model = await openModel(folder, 2);
const described: MixDescription[] = [];
for (const { styles } of mixes()) described.push(await describeMix(model, styles));
writeFileSync(table, `${JSON.stringify(described.map(packMix), null, 2)}\n`);
const moves = described.map(({ medianSt }, i) => Math.abs(medianSt - (mixes()[i] as MixDescription).medianSt));
console.log(`${described.length} mixes, largest change of a median pitch ${Math.max(...moves).toFixed(2)} st`);
process.exit(0);
