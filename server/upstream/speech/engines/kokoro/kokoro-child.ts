/** A separate process for Kokoro, because a corrupt model may abort the process that loads it. */
import { SpeechError } from "../../engine";
import { createEspeak, type Espeak } from "../embedded/espeak-process";
import type { ModelAnswer, ModelRequest } from "../model-process";
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
const cancelled = new Set<number>();
let runningCount = 0;

const send = (answer: ModelAnswer<KokoroPart>) => {
  if (process.connected) process.send?.(answer);
};

const opened = openModel(options.folder, options.threads);
opened.then(
  () => send({ kind: "ready" }),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);

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

async function perform(id: number, work: KokoroWork): Promise<void> {
  if (work.kind === "describe") {
    send({ kind: "part", id, part: { described: describeVoice(work) } });
    return;
  }
  const model = await opened;
  await pronounceAll(work);
  if (cancelled.has(id)) return;
  const spoken = await speakUtterance(model, work, (word) => pronunciations.get(word) ?? "");
  if (!cancelled.has(id)) send({ kind: "part", id, part: { spoken } });
}

function describeFault(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  return { fault: error instanceof SpeechError ? error.fault : ("engine" as const), message };
}

process.on("message", ({ id, work }: ModelRequest<KokoroWork>) => {
  if (work === "cancel") {
    cancelled.add(id);
    return;
  }
  runningCount++;
  perform(id, work)
    .then(
      () => send({ kind: "end", id }),
      (error: unknown) => send({ kind: "fault", id, ...describeFault(error) }),
    )
    .finally(() => {
      runningCount--;
      cancelled.delete(id);
    });
});
process.on("disconnect", () => process.exit(0));

const memoryCheckMs = 1_000;
const megabyte = 2 ** 20;
/** A request in progress may go half above the limit before it fails. */
setInterval(() => {
  const megabytes = process.memoryUsage.rss() / megabyte;
  if (megabytes > options.maxMegabytes * (runningCount > 0 ? 1.5 : 1)) process.exit(0);
}, memoryCheckMs).unref();
