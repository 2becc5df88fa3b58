/** A separate process for sherpa-onnx, because corrupt models abort the process that loads them. */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { findModel } from "./models";
import type { SherpaAnswer, SherpaRequest } from "./process";

interface Audio {
  samples: Float32Array;
  sampleRate: number;
}

/** The used part of the optional addon, which has no usable types. */
interface Addon {
  OfflineTts: {
    createAsync(config: unknown): Promise<{
      sampleRate: number;
      generateAsync(request: {
        text: string;
        generationConfig: unknown;
        enableExternalBuffer: boolean;
        onProgress(progress: { samples: Float32Array }): 0 | 1;
      }): Promise<Audio>;
    }>;
  };
  GenerationConfig: new (settings: Record<string, unknown>) => unknown;
}

const steps = 4;
const [folder = ""] = process.argv.slice(2);
let cancelled: number | null = null;

const send = (answer: SherpaAnswer) => {
  if (process.connected) process.send?.(answer);
};

async function open() {
  const addon = findAddon();
  const model = findModel(folder);
  if (!model) throw new Error(`${folder} contains no known model`);
  const tts = await addon.OfflineTts.createAsync(model.config);
  return { addon, tts, model };
}

/** Installed by the operator, beside the models or with the product. */
function findAddon(): Addon {
  const name = "sherpa-onnx-node";
  try {
    return createRequire(resolve(folder, "models"))(name) as Addon;
  } catch {
    return createRequire(import.meta.url)(name) as Addon;
  }
}

const opened = open();
opened.then(
  ({ tts }) => send({ kind: "ready", sampleRate: tts.sampleRate }),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);

async function speak({ id, text, speed, voice }: Extract<SherpaRequest, { kind: "speak" }>) {
  const { addon, tts } = await opened;
  const reference = voice && {
    referenceAudio: voice.samples,
    referenceSampleRate: voice.sampleRate,
    referenceText: voice.text,
    numSteps: steps,
  };
  let sent = 0;
  const { samples, sampleRate } = await tts.generateAsync({
    text,
    generationConfig: new addon.GenerationConfig({ speed, sid: 0, silenceScale: 0.2, ...reference }),
    enableExternalBuffer: false,
    onProgress: ({ samples: part }) => {
      if (cancelled === id) return 0;
      send({ kind: "part", id, samples: Float32Array.from(part), sampleRate: tts.sampleRate });
      sent += part.length;
      return 1;
    },
  });
  // Some models never call back for a single sentence.
  if (sent === 0 && samples.length > 0) send({ kind: "part", id, samples: Float32Array.from(samples), sampleRate });
}

process.on("message", (ask: SherpaRequest) => {
  if (ask.kind === "cancel") {
    cancelled = ask.id;
    return;
  }
  speak(ask).then(
    () => send({ kind: "end", id: ask.id }),
    (error: unknown) => send({ kind: "fault", id: ask.id, message: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
