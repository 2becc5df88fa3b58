/** A process of the pool: handles one task at a time over the IPC channel. */
import { endWithParent } from "../../../program";
import { resample } from "../../dsp/resample";
import { SpeechError } from "../../engine";
import type { CancelMessage, ChildAnswer, TaskKind, TaskMessage, Tasks } from "./child";
import { createEspeak } from "./espeak-process";
import type { Calibration } from "./voice/calibration";

type Checkpoint = () => Promise<void>;
type Input<Kind extends TaskKind> = Tasks[Kind]["input"];

endWithParent();

const espeak = createEspeak();
/** Loaded while eSpeak starts. */
const speaking = import("./speaking");
let calibration: Calibration | null = null;
let cancelled: number | null = null;

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
    const { calibrate } = await import("./voice/calibration");
    const { enrol } = await import("./voice/enrolment");
    const calibrated = async () => {
      calibration ??= await calibrate(espeak, checkpoint);
      return calibration;
    };
    return enrol(reference, calibrated, checkpoint);
  },
  async inspect(bytes) {
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
    const { analyseReading } = await import("./voice/calibration");
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
  try {
    const result = await handlers[kind](input, id, checkpoint);
    send({ id, result, residentBytes: process.memoryUsage.rss() });
  } catch (error) {
    const { fault, message } = toSpeechError(error);
    send({ id, fault, message, residentBytes: process.memoryUsage.rss() });
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
