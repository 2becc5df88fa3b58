import { setTimeout as sleep } from "node:timers/promises";
import type { SoundFormat } from "~server/contract/calls/tasks";
import type { ErrorCode } from "~server/contract/codes";
import { fileIdOf } from "~server/contract/file-address";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { MediaFiles } from "../../media/files";
import type { Owner } from "../../owner";
import type { SpeechParts } from "../../voices/ports";
import type { SegmentCache } from "../../voices/segments";
import { fingerprintOfSegment } from "../request";

interface FollowParts {
  db: Db;
  files: Pick<MediaFiles, "beginStream">;
  segments: Pick<SegmentCache, "find">;
  speech: Pick<SpeechParts, "master" | "encode">;
  prints: {
    /** Gives the label of a stream the fingerprint of the file to play of the same speech. */
    rememberStream(trx: Db, stream: { produceId: string; sourceId: string }): Promise<void>;
  };
  /** Whether an owner's downloads are made without the audible mark. */
  isWaived(owner: Owner | null): Promise<boolean>;
  pollMs?: number;
}

interface FollowRequest {
  owner: Owner;
  taskId: string;
  format: string;
  /** Ends the waiting; the clone goes on. */
  signal: AbortSignal;
}

/**
 * The speech of a clone as soon as some of it is there: its bytes while the rest is made, where the clone is streamed, else
 * the address to play when it is done. Throws the failure of one that failed.
 */
export type FollowSpeech = ReturnType<typeof createFollowSpeech>;

export function createFollowSpeech(parts: FollowParts) {
  return async (request: FollowRequest): Promise<{ bytes: AsyncIterable<Uint8Array> } | { playUrl: string }> => {
    const format = request.format === "mp3" || request.format === "wav" ? request.format : null;
    const state = await waitFor(parts, request, (now) => now.is_streamed && format !== null && now.seg_done > 0);
    if (state.status === 2 || !format) return { playUrl: state.play_url ?? "" };
    // Before the response begins, so that its failure is one.
    const first = await encodeSegment(parts, { state, index: 0, format });
    return { bytes: streamBytes(parts, request, { format, first }) };
  };
}

const readState = (db: Db, { owner, taskId }: FollowRequest) =>
  db
    .selectFrom("clone")
    .leftJoin("rendition", "rendition.id", "clone.rendition_id")
    .select(["clone.id", "turn", "status", "seg_done", "seg_total", "msg", "is_streamed", "play_url"])
    .where("clone.id", "=", taskId)
    .where("clone.owner", "=", owner)
    .executeTakeFirst();

type CloneState = NonNullable<Awaited<ReturnType<typeof readState>>>;

/** The state once it suits or is done. Throws what the clone failed with. */
async function waitFor(
  { db, pollMs = 100 }: FollowParts,
  request: FollowRequest,
  suits: (state: CloneState) => boolean,
): Promise<CloneState> {
  for (;;) {
    const state = await readState(db, request);
    if (!state) throw new AppError("not-found", "deleted meanwhile", { status: 404 });
    if (state.status === 3) {
      const code = (state.msg ?? "synthesis-failed") as ErrorCode;
      throw new AppError(code, `the speech failed: ${code}`);
    }
    if (state.status === 2 || suits(state)) return state;
    await sleep(pollMs, undefined, { signal: request.signal });
  }
}

const pauseMs = 250;

interface SpokenSegment {
  state: CloneState;
  index: number;
  format: SoundFormat;
}

/** One segment at the loudness of a whole text, after a pause where its engine leaves none. */
async function encodeSegment({ segments, speech }: FollowParts, { state, index, format }: SpokenSegment) {
  const chunks = await segments.find(fingerprintOfSegment(state, index));
  if (!chunks) throw new AppError("voice-missing", "the voice was deleted meanwhile");
  const { pcm, sampleRate } = await speech.master(chunks, { volumeDb: 0 });
  const pause = index === 0 || chunks[0]?.silence ? 0 : Math.round((pauseMs / 1000) * sampleRate);
  const padded = new Int16Array(pcm.length + pause);
  padded.set(pcm, pause);
  return { bytes: await speech.encode({ pcm: padded, sampleRate, format, isPart: true }), sampleRate };
}

interface StreamStart {
  format: SoundFormat;
  first: Awaited<ReturnType<typeof encodeSegment>>;
}

/** The labelled head, the segments, the audible mark; ends when the clone is done, and throws when it fails. */
async function* streamBytes(parts: FollowParts, request: FollowRequest, { format, first }: StreamStart) {
  const { sampleRate } = first;
  const { head, produceId } = await parts.files.beginStream(format, sampleRate);
  yield Buffer.concat([head, first.bytes]);
  let state = await waitFor(parts, request, () => true);
  for (let index = 1; index < state.seg_total; index++) {
    state = await waitFor(parts, request, ({ seg_done }) => seg_done > index);
    const part = await encodeSegment(parts, { state, index, format });
    if (part.sampleRate !== sampleRate) throw new AppError("synthesis-failed", "segments of different rates");
    yield part.bytes;
  }
  if (!(await parts.isWaived(request.owner)))
    yield await parts.speech.encode({ pcm: new Int16Array(0), sampleRate, format, isPart: true, explicitMark: true });
  const done = await waitFor(parts, request, () => false);
  const sourceId = fileIdOf(done.play_url ?? "");
  if (sourceId) await parts.prints.rememberStream(parts.db, { produceId, sourceId });
}
