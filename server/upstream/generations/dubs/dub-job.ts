import { rm } from "node:fs/promises";
import { speedUp } from "~server/contract/limits";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { JobHandler } from "../../jobs/handler";
import { idOfOwner, type Owner } from "../../owner";
import type { DictionaryOf, Mastered, SpeechParts } from "../../voices/ports";
import type { Renditions } from "../../voices/renditions";
import { createGenerationJob, type JobParts } from "../job";
import type { Run, TaskRuns } from "../task-runs";
import { fitSound } from "./fit";
import { type LineSound, readLineSound, type SoundParts, soundOf } from "./line-sound";
import { createLineVoices, type LineRow, type LineVoice, type VoiceParts } from "./line-voice";
import { createMix, type Mix } from "./mix";
import { withMusic } from "./music";
import { beginOf, overrunOf, type Placeable, type PlacedLine } from "./placement";

interface DubJobParts extends LineParts, Pick<JobParts, "roles"> {
  speech: LineParts["speech"] & Pick<SpeechParts, "mixMusic">;
  /** Names a new temporary file in an existing folder. */
  temporaryPath(): string;
}

/** Speaks line by line, stores each finished line for later attempts, and mixes them with the dub's music. */
export function createDubJob(parts: DubJobParts): JobHandler<Run> {
  const { db, renditions, tasks } = parts;
  return createGenerationJob(parts, {
    async make(run, signal) {
      const running = await tasks.findRunning(db, run);
      if (!running) return undefined;
      const { owner } = running;
      const { lines, place } = await createLineSynthesis(parts, { run, owner, signal });
      const rendition = await withMix(parts.temporaryPath(), async (mix) => {
        let before: PlacedLine | undefined;
        for (const line of lines) {
          signal.throwIfAborted();
          before = await withLineNumber(line.number, place(line, before));
          await mix.add(before);
        }
        const speech = { dubId: run.id, sound: await mix.end(), signal };
        return withMusic(parts, speech, (sound) => renditions.make(sound, { owner, exports: true, signal }));
      });
      const contents = lines.map(({ content }) => content);
      return { rendition, contents, roleIds: lines.map(({ role_id }) => role_id) };
    },
    async changeFor(trx, run, error) {
      const failed_at = lineOf(error) ?? (await firstUndone(trx, run.id));
      const isRunning = await tasks.findRunning(trx, run, { lock: true });
      if (isRunning && failed_at !== null) {
        const line = trx.updateTable("dub_line").where("dub_id", "=", run.id).where("number", "=", failed_at);
        await line.set({ status: 3 }).where("status", "=", 1).execute();
      }
      return { failed_at };
    },
  });
}

/** Calls `use` with a mix and removes its file afterwards. */
async function withMix<T>(path: string, use: (mix: Mix) => Promise<T>): Promise<T> {
  const mix = await createMix(path);
  try {
    return await use(mix);
  } finally {
    await mix.close();
    await rm(path, { force: true });
  }
}

/** Adds the line's number to an AppError. */
async function withLineNumber<T>(line: number, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError(cause.code, `line ${line + 1}: ${cause.message}`, { cause, data: { ...cause.data, line } });
  });
}

function lineOf(error: unknown): number | null {
  const line = error instanceof AppError ? error.data?.line : undefined;
  return typeof line === "number" ? line : null;
}

async function firstUndone(trx: Db, id: string): Promise<number | null> {
  const waiting = trx.selectFrom("dub_line").select("number").where("dub_id", "=", id).where("status", "=", 1);
  return (await waiting.orderBy("number").limit(1).executeTakeFirst())?.number ?? null;
}

interface LineParts extends SoundParts, VoiceParts {
  renditions: Renditions;
  dictionaryOf: DictionaryOf;
  tasks: TaskRuns;
}

interface LineRun {
  run: Run;
  owner: Owner;
  signal: AbortSignal;
}

/** The lines of one run, and how to speak and place each. */
async function createLineSynthesis(parts: LineParts, { run, owner, signal }: LineRun) {
  const { db, tasks, renditions } = parts;
  const rows = db.selectFrom("dub_line").selectAll().where("dub_id", "=", run.id);
  const lines = await rows.orderBy("number").execute();
  const segments = lines.map((line) => line.segments);
  const seg_total = sum(segments);
  const dictionary = await parts.dictionaryOf(idOfOwner(owner));
  const voiceOf = createLineVoices(parts, { dictionary, signal });
  let published = -1;

  /** Progress never decreases when a line is spoken again. */
  const changeProgress = async (trx: Db, seg_done: number) => {
    if (seg_done <= published) return;
    published = seg_done;
    await tasks.changeProgress(trx, run, { seg_done, seg_total });
  };
  const segmentsBefore = (number: number) => sum(segments.slice(0, number));
  const undone = lines.findIndex(({ status }) => status !== 2);
  await changeProgress(db, segmentsBefore(undone < 0 ? lines.length : undone));

  /** Writes the line and publishes its progress in one transaction; false when the run has ended. */
  const save = async (line: LineRow, { placed, made, voice }: DubbedLine): Promise<boolean> => {
    const rendition = made.renditionId ? null : await renditions.make(made.sound, { owner, exports: true, signal });
    const saved = db.transaction().execute(async (trx) => {
      if (!(await tasks.findRunning(trx, run, { lock: true }))) return false;
      const rendition_id = rendition ? await renditions.insert(trx, rendition) : made.renditionId;
      const change = { ...toColumns(placed, made), rendition_id, sound_key: voice.key, status: 2 } as const;
      await lineRow(trx, line).set(change).execute();
      await changeProgress(trx, segmentsBefore(line.number + 1));
      return true;
    });
    const discard = async () => rendition && renditions.discard(rendition);
    const isSaved = await saved.catch(async (error) => {
      await discard();
      throw error;
    });
    if (!isSaved) await discard();
    return isSaved;
  };

  const make = async (line: LineRow, beginsMs: number): Promise<PlacedLine> => {
    const voice = await voiceOf(line);
    const onProgress = (done: number) => changeProgress(db, segmentsBefore(line.number) + done);
    const { end_ms: endMs, speed, speed_up_max } = line;
    const speedUpMax = speed_up_max ?? speedUp.preset;
    const made = await soundOf(parts, { owner, voice, beginsMs, endMs, speed, speedUpMax, onProgress });
    const placed = placeSound(toPlaceable(line), beginsMs, made.sound);
    const isSaved = await save(line, { placed, made, voice }).catch((error) => {
      // The rendition to share was deleted with its dub in this moment.
      if (!made.renditionId || !isForeignKey(error)) throw error;
      return save(line, { placed, made: { ...made, renditionId: null }, voice });
    });
    if (!isSaved) throw new Error("the dub was stopped");
    return placed;
  };

  return {
    lines,
    /** Speaks a line, or reads its stored sound, and places it after the line before it. */
    async place(line: LineRow, before: PlacedLine | undefined): Promise<PlacedLine> {
      const placeable = toPlaceable(line);
      const beginsMs = beginOf(placeable, before);
      const sound = line.status === 2 ? await findDone(parts, line) : null;
      if (!sound) return make(line, beginsMs);
      const placed = placeSound(placeable, beginsMs, sound);
      await lineRow(db, line)
        .set({ begins_ms: beginsMs, overrun_ms: overrunOf(placed) })
        .execute();
      return placed;
    },
  };
}

interface DubbedLine {
  placed: PlacedLine;
  made: LineSound;
  voice: LineVoice;
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const isForeignKey = (error: unknown) => (error as { code?: string } | null)?.code === "23503";
const lineRow = (db: Db, { dub_id, number }: LineRow) =>
  db.updateTable("dub_line").where("dub_id", "=", dub_id).where("number", "=", number);

const toPlaceable = ({ role_id: roleId, pause_after: pauseAfter, start_ms: startMs, end_ms: endMs }: LineRow) => ({
  roleId,
  pauseAfter,
  startMs,
  endMs,
});

/** A subtitle's line is cut to its place; its stored sound stays whole, for other places. */
function placeSound(line: Placeable, beginsMs: number, sound: Mastered): PlacedLine {
  const { startMs, endMs } = line;
  const isTimed = startMs !== null || endMs !== null;
  const availableMs = endMs === null ? Number.POSITIVE_INFINITY : endMs - beginsMs;
  return { ...line, beginsMs, sound: isTimed ? fitSound(sound, availableMs) : sound };
}

const toColumns = (placed: PlacedLine, { sound, speed, naturalMs }: LineSound) => ({
  spoken_speed: speed,
  natural_ms: Math.round(naturalMs),
  samples: sound.pcm.length,
  sample_rate: sound.sampleRate,
  begins_ms: placed.beginsMs,
  overrun_ms: overrunOf(placed),
});

async function findDone(parts: SoundParts, line: LineRow): Promise<Mastered | null> {
  const { rendition_id: renditionId, samples, sample_rate: sampleRate } = line;
  if (!renditionId || samples === null || sampleRate === null) return null;
  return readLineSound(parts, { renditionId, samples, sampleRate });
}
