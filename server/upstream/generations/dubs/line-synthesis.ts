import type { Db } from "../../db/database";
import { idOfOwner, type Owner } from "../../owner";
import type { DictionaryOf, Mastered } from "../../voices/ports";
import type { Renditions } from "../../voices/renditions";
import type { Run, TaskRuns } from "../task-runs";
import { type LineSound, readLineSound, type SoundParts, soundOf } from "./line-sound";
import { createLineVoices, type LineRow, type LineVoice, type VoiceParts } from "./line-voice";
import { beginOf, overrunOf, type PlacedLine } from "./placement";

export interface LineParts extends SoundParts, VoiceParts {
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
export async function createLineSynthesis(parts: LineParts, { run, owner, signal }: LineRun) {
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
  const save = async (line: LineRow, { placed, made, voice }: Made): Promise<boolean> => {
    const rendition = made.renditionId ? null : await renditions.make(placed.sound, { owner, exports: true, signal });
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
    const made = await soundOf(parts, { owner, voice, beginsMs, endMs: line.end_ms, speed: line.speed, onProgress });
    const placed = { ...toPlaceable(line), beginsMs, sound: made.sound };
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
      const placed = { ...placeable, beginsMs, sound };
      await lineRow(db, line)
        .set({ begins_ms: beginsMs, overrun_ms: overrunOf(placed) })
        .execute();
      return placed;
    },
  };
}

interface Made {
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
