import { existsSync } from "node:fs";
import { join } from "node:path";
import { prepareText } from "../../server/speech/chinese/prepare";
import { createKokoroEngine, type KokoroEngine } from "../../server/speech/engines/kokoro/engine";
import { modelFiles } from "../../server/speech/engines/kokoro/model";
import { residentMb } from "./memory";
import { median } from "./quantile";
import type { Row } from "./row";

const rounds = 5;
const signal = new AbortController().signal;
const design = { pitchHz: 205, pitchSpreadSt: 3, tract: 1.15, breath: 0.2, tilt: -1, rate: 1 };
const texts = [
  "昨天下午我和朋友一起去公园散步，路边的桂花开得很香。",
  "请问从这里到火车站，坐地铁需要多长时间？我想在八点以前到。",
].map((text) => prepareText(text));

/** What is installed: its name, and what is asked of these weights. */
const models = [
  { name: "kokoro", weights: "8-bit", factor: 0.5, firstSeconds: 1.3 },
  { name: "kokoro-full", weights: "32-bit", factor: 0.28, firstSeconds: 0.8 },
];

/** The natural voice on this machine, with each of the installed weights in DATA_DIR/models. */
export async function benchNatural(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const model of models) {
    const folder = join(process.env.DATA_DIR ?? "data", "models", model.name);
    if (existsSync(join(folder, modelFiles.styles))) rows.push(...(await measureModel(folder, model)));
    else console.log(`Skipped: no ${folder}; npm run voices -- install ${model.name}`);
  }
  return rows;
}

async function measureModel(
  folder: string,
  { weights, factor, firstSeconds }: (typeof models)[number],
): Promise<Row[]> {
  const engine = createKokoroEngine({ folder });
  // The engine's process does not keep this one alive.
  const awake = setInterval(() => {}, 1000);
  try {
    const voice = engine.design(design);
    await speak(engine, texts[0] as (typeof texts)[number], voice);
    const spoken = [];
    for (let round = 0; round < rounds; round++)
      for (const text of texts) spoken.push(await speak(engine, text, voice));
    const title = `natural speech, ${weights} weights`;
    return [
      {
        name: `${title}: time per second of sound`,
        value: median(spoken.map((one) => one.factor)),
        unit: "s",
        budget: `≤ ${factor} s`,
      },
      {
        name: `${title}: first sound, warm`,
        value: median(spoken.map((one) => one.firstSeconds)),
        unit: "s",
        budget: `≤ ${firstSeconds} s`,
      },
      {
        name: `${title}: memory of its process`,
        value: residentMb(engine.processId() as number),
        unit: "MB",
        budget: "≤ 1 GB with the server",
      },
    ];
  } finally {
    clearInterval(awake);
    await engine.close?.();
  }
}

async function speak(engine: KokoroEngine, text: (typeof texts)[number], voice: ReturnType<KokoroEngine["design"]>) {
  const startedAt = performance.now();
  let [firstSeconds, soundSeconds] = [0, 0];
  for await (const { pcm, sampleRate } of engine.synthesize({ text, voice, speed: 1 }, signal)) {
    firstSeconds ||= (performance.now() - startedAt) / 1000;
    soundSeconds += pcm.length / sampleRate;
  }
  return { firstSeconds, factor: (performance.now() - startedAt) / 1000 / soundSeconds };
}
