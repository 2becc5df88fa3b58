/** A process of the pool: handles one task at a time over the IPC channel. */
import { endWithParent } from "../../../program";
import { resample } from "../../dsp/resample";
import { SpeechError } from "../../engine";
import type { CancelMessage, ChildAnswer, TaskKind, TaskMessage, Tasks } from "./child";
import { createEspeak } from "./espeak-process";
import type { Calibration } from "./voice/calibration";

/** Between two signs of a process that works on a task. */
const signMs = 1000;

type Checkpoint = () => Promise<void>;
type Input<Kind extends TaskKind> = Tasks[Kind]["input"];

endWithParent();

const espeak = createEspeak();
/** Loaded while eSpeak starts. */
const [speaking, reading] = [import("./speaking"), import("./voice/calibration")];
let calibration: Promise<Calibration> | null = null;
let cancelled: number | null = null;
/** Running tasks that must not wait for calibration. */
let urgentTasks = 0;

async function whenIdle() {
  do await new Promise((resolve) => setTimeout(resolve, urgentTasks > 0 ? 20 : 0));
  while (urgentTasks > 0);
}

function calibrated(): Promise<Calibration> {
  calibration ??= reading
    .then(({ calibrate }) => calibrate(espeak, whenIdle))
    .catch((error: unknown) => {
      calibration = null;
      throw error;
    });
  return calibration;
}

const handlers: {
  [Kind in TaskKind]: (input: Input<Kind>, id: number, checkpoint: Checkpoint) => Promise<Tasks[Kind]["result"]>;
} = {
  async speak(request, id, checkpoint) {
    const { speak } = await speaking;
    for await (const part of speak(request, espeak, checkpoint)) send({ id, part });
    return null;
  },
  async enrol(reference, _id, checkpoint) {
    // Imported when needed, so that a process starts with what speaking needs.
    const { enrol } = await import("./voice/enrolment");
    return enrol(reference, calibrated, checkpoint);
  },
  async inspect(bytes) {
    // An uploaded recording is usually enrolled next.
    void calibrated().catch(() => {});
    return (await import("../../recording/decode")).inspectRecording(bytes);
  },
  async denoise(bytes) {
    return (await import("../../recording/denoise")).denoiseRecording(bytes);
  },
  async music(bytes) {
    return (await import("../../recording/music")).readMusic(bytes);
  },
  async describeVoice({ samples, sampleRate }) {
    const { describeSpeaker } = await import("../../proof/speaker");
    const { analyseSound, proofRate } = await import("../../proof/frames");
    const voiceprint = describeSpeaker(analyseSound(resample(samples, sampleRate, proofRate)));
    return voiceprint && [...voiceprint];
  },
  async print(bytes) {
    return (await import("../../recording/fingerprint/query")).fingerprintFile(bytes);
  },
  async hear(bytes) {
    return (await import("../../recording/fingerprint/query")).createFileQuery(bytes);
  },
  async hearAltered(excerpt) {
    return (await import("../../recording/fingerprint/query")).createAlteredQueries(excerpt);
  },
  async phrases(bytes) {
    const { decodeRecording } = await import("../../recording/decode");
    const { splitPhrases, transcriptionBounds } = await import("../../recording/phrases");
    return splitPhrases(await decodeRecording(bytes, transcriptionBounds));
  },
  async align({ text, pcm, sampleRate }, _id, checkpoint) {
    const { alignTimeline } = await import("./voice/forced-alignment");
    const { analyseReading } = await reading;
    return alignTimeline(await analyseReading(espeak, text.units, checkpoint), { pcm, sampleRate }, checkpoint);
  },
  async prove(request, _id, checkpoint) {
    const { measureProof } = await import("./proof");
    return measureProof(request, espeak, checkpoint);
  },
};

async function work<Kind extends TaskKind>({ id, kind, input }: TaskMessage<Kind>) {
  const checkpoint = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    if (cancelled === id) throw new SpeechError("cancelled", "The caller cancelled");
  };
  const isUrgent = kind !== "enrol";
  if (isUrgent) urgentTasks++;
  const signs = setInterval(() => send({ id, isAlive: true }), signMs);
  try {
    const result = await handlers[kind](input, id, checkpoint);
    send({ id, result, residentBytes: process.memoryUsage.rss() });
  } catch (error) {
    const { fault, message } = toSpeechError(error);
    send({ id, fault, message, residentBytes: process.memoryUsage.rss() });
  } finally {
    clearInterval(signs);
    if (isUrgent) urgentTasks--;
  }
}

function toSpeechError(error: unknown): SpeechError {
  if (error instanceof SpeechError) return error;
  return new SpeechError("engine", error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function send(answer: ChildAnswer) {
  if (process.connected) process.send?.(answer);
}

process.on("message", (message: TaskMessage | CancelMessage) => {
  if (message.kind === "cancel") cancelled = message.id;
  else void work(message);
});
