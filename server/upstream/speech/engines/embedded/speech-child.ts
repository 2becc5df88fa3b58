/** A process of the pool: one task at a time, asked and answered over the channel its parent forked it with. */
import { SpeechError } from "../../engine";
import { createEspeak } from "./espeak-process";
import { speak } from "./speaking";
import type { Answer, CancelMessage, TaskKind, TaskMessage, Tasks } from "./tasks";
import { type Calibration, calibrate, readWhole } from "./voice/calibration";
import { enrol } from "./voice/enrolment";

type Breathe = () => Promise<void>;
type Ask<Kind extends TaskKind> = Tasks[Kind]["ask"];

const espeak = createEspeak();
let calibration: Promise<Calibration> | null = null;
let cancelled: number | null = null;

function calibrated(): Promise<Calibration> {
  calibration ??= calibrate(espeak).catch((error: unknown) => {
    calibration = null;
    throw error;
  });
  return calibration;
}

const handlers: {
  [Kind in TaskKind]: (ask: Ask<Kind>, id: number, breathe: Breathe) => Promise<Tasks[Kind]["result"]>;
} = {
  async speak(request, id, breathe) {
    for await (const part of speak(request, espeak, breathe)) send({ id, part });
    return null;
  },
  async enrol({ samples, sampleRate, transcript }, _id, breathe) {
    const known = await calibrated();
    await breathe();
    const reading = transcript && (await readWhole(espeak, transcript.units));
    await breathe();
    return enrol({ samples, sampleRate, ...(reading ? { reading } : {}) }, known, breathe);
  },
  async inspect(bytes) {
    const [{ decodeRecording }, { assessRecording }] = await Promise.all([
      import("../../recording/decode"),
      import("../../recording/quality"),
    ]);
    const { samples, sampleRate, format } = await decodeRecording(bytes);
    return { samples, sampleRate, format, quality: assessRecording({ samples, sampleRate }) };
  },
  async encode({ pcm, sampleRate, format, explicitMark }) {
    const { withExplicitMark } = await import("../../encoding/explicit-mark");
    const marked = explicitMark ? withExplicitMark(pcm, sampleRate) : pcm;
    if (format === "wav") return (await import("../../encoding/wav")).encodeWav(marked, sampleRate);
    return (await import("../../encoding/mp3")).encodeMp3(marked, sampleRate);
  },
  async warm() {
    await calibrated();
    return null;
  },
};

async function work<Kind extends TaskKind>({ id, kind, ask }: TaskMessage<Kind>) {
  const breathe = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    if (cancelled === id) throw new SpeechError("cancelled", "Nobody listens any more");
  };
  try {
    const result = await handlers[kind](ask, id, breathe);
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

function send(answer: Answer) {
  if (process.connected) process.send?.(answer);
}

process.on("message", (message: TaskMessage | CancelMessage) => {
  if (message.kind === "cancel") cancelled = message.id;
  else void work(message);
});
process.on("disconnect", () => process.exit(0));
