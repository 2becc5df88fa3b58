/** A separate process for Kokoro, because a corrupt model may abort the process that loads it. */
import { createEspeak, type Espeak } from "../embedded/espeak-process";
import { serveModel } from "../model-child";
import { describeVoice, type VoiceDescription } from "./description";
import { openModel } from "./model";
import { type SpokenUtterance, speakUtterance, type UtteranceRequest } from "./speaking";

/** Requests: to speak one utterance, or to describe the voice of a recording. */
export type KokoroWork =
  | ({ kind: "speak" } & UtteranceRequest)
  | { kind: "describe"; samples: Float32Array; sampleRate: number };
export type KokoroPart = { spoken: SpokenUtterance } | { described: VoiceDescription };

/** The program's argument. */
export interface KokoroProcessOptions {
  folder: string;
  threads: number;
  /** Resident memory above which the idle process ends, and starts again with the next request. */
  maxMegabytes: number;
}

const options = JSON.parse(process.argv[2] ?? "{}") as KokoroProcessOptions;
const opened = openModel(options.folder, options.threads);

/** eSpeak's IPA by Latin word; bounded, because texts are of other people's making. */
const pronunciations = new Map<string, string>();
const maxPronunciations = 5_000;
let espeak: Espeak | undefined;

async function pronounceAll({ utterance }: UtteranceRequest): Promise<void> {
  const words = utterance.units.filter(({ kind, text }) => kind === "latin" && !pronunciations.has(text));
  if (words.length === 0) return;
  espeak ??= createEspeak();
  const texts = [...new Set(words.map(({ text }) => text))];
  const spoken = await espeak.pronounce(texts);
  if (pronunciations.size > maxPronunciations) pronunciations.clear();
  for (const [i, text] of texts.entries()) pronunciations.set(text, spoken[i] ?? "");
}

serveModel<KokoroWork, KokoroPart>({
  opened,
  maxMegabytes: options.maxMegabytes,
  async perform(work, { send, isCancelled }) {
    if (work.kind === "describe") {
      send({ described: describeVoice(work) });
      return;
    }
    const model = await opened;
    await pronounceAll(work);
    if (isCancelled()) return;
    send({ spoken: await speakUtterance(model, work, (word) => pronunciations.get(word) ?? "") });
  },
});
