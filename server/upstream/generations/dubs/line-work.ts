import type { Db } from "../../db/database";
import type { Mastered, Owner } from "../../voices/ports";
import type { Run } from "../paid-task";
import { beginOf, overrunOf, type Placeable, type PlacedLine } from "./assembly";
import { readKept } from "./kept-sound";
import { type LineSound, soundOf } from "./line-sound";
import { createLineVoices, type LineRow, type LineVoice } from "./line-voice";
import { accountIdOf, type DubParts } from "./parts";

interface Work {
  payload: Run;
  owner: Owner;
  signal: AbortSignal;
}

/** Everything about the lines of one run. */
export async function createLineWork(parts: DubParts, { payload, owner, signal }: Work) {
  const { db, task } = parts;
  const lines = await db
    .selectFrom("dub_line")
    .selectAll()
    .where("dub_id", "=", payload.id)
    .orderBy("number")
    .execute();
  const segments = lines.map((line) => line.segments);
  const seg_total = sum(segments);
  const dictionary = await parts.dictionaryOf(accountIdOf(owner));
  const voiceOf = createLineVoices(parts, { dictionary, signal });
  let told = -1;

  const tell = async (trx: Db, seg_done: number) => {
    // Made a second time to be quicker, a line would count backwards.
    if (seg_done <= told) return;
    told = seg_done;
    if (await task.changeRunning(trx, payload, { seg_done, seg_total })) await task.tell(trx, payload.id);
  };
  const doneBefore = (number: number) => sum(segments.slice(0, number));
  const undone = lines.findIndex(({ status }) => status !== 2);
  await tell(db, doneBefore(undone < 0 ? lines.length : undone));

  /** In one transaction with what tells of it; false when nobody wants it any more. */
  const keep = async (line: LineRow, { placed, made, voice }: Made): Promise<boolean> => {
    const rendition = made.renditionId
      ? null
      : await parts.renditions.make(placed.sound, { owner, exports: true, signal });
    const isKept = db.transaction().execute(async (trx) => {
      if (!(await task.findRunning(trx, payload, { lock: true }))) return false;
      const rendition_id = rendition ? await parts.renditions.insert(trx, rendition) : made.renditionId;
      const change = { ...toChange(placed, made), rendition_id, sound_key: voice.key, status: 2 } as const;
      await lineRow(trx, payload.id, line.number).set(change).execute();
      await tell(trx, doneBefore(line.number + 1));
      return true;
    });
    const discard = async () => rendition && parts.renditions.discard(rendition);
    const wanted = await isKept.catch(async (error) => {
      await discard();
      throw error;
    });
    if (!wanted) await discard();
    return wanted;
  };

  const make = async (line: LineRow, placeable: Placeable, beginsMs: number): Promise<PlacedLine> => {
    const voice = await voiceOf(line);
    const onProgress = (done: number) => tell(db, doneBefore(line.number) + done);
    const wanted = { owner, voice, beginsMs, endMs: line.end_ms, speed: line.speed, onProgress };
    const made = await soundOf(parts, wanted);
    const placed = { ...placeable, beginsMs, sound: made.sound };
    const isKept = await keep(line, { placed, made, voice }).catch((error) => {
      // The sound that was to be shared went with its dub in this moment.
      if (made.renditionId && isForeignKey(error))
        return keep(line, { placed, made: { ...made, renditionId: null }, voice });
      throw error;
    });
    if (!isKept) throw new Error("the dub was stopped");
    return placed;
  };

  return {
    lines,
    /** Speaks a line, or takes it as it was kept, and finds its place behind the one before it. */
    async place(line: LineRow, before: PlacedLine | undefined): Promise<PlacedLine> {
      const placeable = toPlaceable(line);
      const beginsMs = beginOf(placeable, before);
      const sound = line.status === 2 ? await findDone(parts, line) : null;
      if (!sound) return make(line, placeable, beginsMs);
      const placed = { ...placeable, beginsMs, sound };
      await lineRow(db, payload.id, line.number)
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
const lineRow = (db: Db, id: string, number: number) =>
  db.updateTable("dub_line").where("dub_id", "=", id).where("number", "=", number);

const toPlaceable = ({ role_id: roleId, pause_after: pauseAfter, start_ms: startMs, end_ms: endMs }: LineRow) => ({
  roleId,
  pauseAfter,
  startMs,
  endMs,
});

const toChange = (placed: PlacedLine, { sound, speed, naturalMs }: LineSound) => ({
  spoken_speed: speed,
  natural_ms: Math.round(naturalMs),
  samples: sound.pcm.length,
  sample_rate: sound.sampleRate,
  begins_ms: placed.beginsMs,
  overrun_ms: overrunOf(placed),
});

async function findDone(parts: DubParts, line: LineRow): Promise<Mastered | null> {
  const { rendition_id: renditionId, samples, sample_rate: sampleRate } = line;
  if (!renditionId || samples === null || sampleRate === null) return null;
  return readKept(parts, { renditionId, samples, sampleRate });
}
