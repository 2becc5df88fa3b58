/** A separate process for Kokoro, because a corrupt model may abort the process that loads it. */
import { createEspeak, type Espeak } from "../embedded/espeak-process";
import type { ModelAnswer, ModelRequest } from "../model-process";
import { openModel } from "./model";
import { type SpokenUtterance, speakUtterance, type UtteranceRequest } from "./speaking";

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

const send = (answer: ModelAnswer<SpokenUtterance>) => {
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
  texts.forEach((text, i) => pronunciations.set(text, spoken[i] ?? ""));
}

async function perform(id: number, request: UtteranceRequest): Promise<void> {
  const model = await opened;
  await pronounceAll(request);
  if (cancelled.has(id)) return;
  const part = await speakUtterance(model, request, (word) => pronunciations.get(word) ?? "");
  if (!cancelled.has(id)) send({ kind: "part", id, part });
}

process.on("message", ({ id, work }: ModelRequest<UtteranceRequest>) => {
  if (work === "cancel") {
    cancelled.add(id);
    return;
  }
  runningCount++;
  perform(id, work)
    .then(
      () => send({ kind: "end", id }),
      (error: unknown) => send({ kind: "fault", id, message: error instanceof Error ? error.message : String(error) }),
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
