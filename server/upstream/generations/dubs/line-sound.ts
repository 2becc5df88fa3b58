import { fileIdOf } from "~server/contract/file-address";
import type { Timeline } from "../../../speech/engine";
import type { Db } from "../../db/database";
import type { Owner } from "../../owner";
import type { Files, Mastered } from "../../voices/ports";
import { shortestMs } from "./fit";
import type { LineVoice } from "./line-voice";
import type { Placeable } from "./placement";

export interface LineSound {
  sound: Mastered;
  speed: number;
  /** Milliseconds at the requested speed, with pauses as short as they get. */
  naturalMs: number;
  /** The stored rendition it was read from; null for a new sound. */
  renditionId: string | null;
}

interface SoundRequest extends Pick<Placeable, "endMs"> {
  /** The factor by which the line may be spoken faster to end with its subtitle. */
  speedUpMax: number;
  owner: Owner;
  beginsMs: number;
  speed: number;
  voice: LineVoice;
  onProgress(done: number): Promise<void>;
}

export interface SoundParts {
  db: Db;
  files: Pick<Files, "read">;
}

const speedMax = 2;
/** Syllables may shrink less than expected: a first estimate may be too slow. */
const attemptsToFit = 3;
const safetyFactor = 1.01;

/**
 * The line's sound, read from an equal line's rendition where there is one. A line with a subtitle's place is spoken faster
 * when it would last longer even with short pauses, up to `speedUpMax`.
 */
export async function soundOf(parts: SoundParts, request: SoundRequest): Promise<LineSound> {
  const { speed, endMs, beginsMs, speedUpMax } = request;
  const availableMs = endMs === null ? Number.POSITIVE_INFINITY : endMs - beginsMs;
  const knownMs = await findNaturalMs(parts, request);
  const fastest = Math.min(speed * speedUpMax, speedMax);
  let at = knownMs === null ? speed : speedFor({ speed, lastsMs: knownMs, availableMs, fastest });
  let made = await soundAt(parts, request, at);
  const naturalMs = knownMs ?? shortestMs(made.sound);
  for (let attempt = 1; attempt < attemptsToFit && at < fastest; attempt++) {
    const lastsMs = shortestMs(made.sound);
    if (lastsMs <= availableMs) break;
    at = speedFor({ speed: at, lastsMs, availableMs, fastest });
    made = await soundAt(parts, request, at);
  }
  return { ...made, speed: at, naturalMs };
}

/** Rounded up to hundredths. */
function speedFor(pace: { speed: number; lastsMs: number; availableMs: number; fastest: number }): number {
  const { speed, lastsMs, availableMs, fastest } = pace;
  if (lastsMs <= availableMs) return speed;
  if (availableMs <= 0) return fastest;
  return Math.min(fastest, Math.ceil(((speed * lastsMs * safetyFactor) / availableMs) * 100) / 100);
}

async function soundAt(parts: SoundParts, request: SoundRequest, speed: number) {
  const stored = await findStored(parts, request, speed);
  return stored ?? { sound: await request.voice.speak(speed, request.onProgress), renditionId: null };
}

const equalLines = ({ db }: SoundParts, { owner, voice }: SoundRequest) =>
  db
    .selectFrom("dub_line")
    .innerJoin("dub", "dub.id", "dub_line.dub_id")
    .where("dub.owner", "=", owner)
    .where("sound_key", "=", voice.key)
    .where("dub_line.rendition_id", "is not", null)
    .limit(1);

async function findNaturalMs(parts: SoundParts, request: SoundRequest): Promise<number | null> {
  if (request.endMs === null) return null;
  const line = equalLines(parts, request).select("natural_ms").where("dub_line.speed", "=", request.speed);
  return (await line.executeTakeFirst())?.natural_ms ?? null;
}

async function findStored(parts: SoundParts, request: SoundRequest, speed: number) {
  const columns = ["dub_line.rendition_id", "samples", "sample_rate"] as const;
  const row = await equalLines(parts, request).select(columns).where("spoken_speed", "=", speed).executeTakeFirst();
  const { rendition_id: renditionId, samples, sample_rate: sampleRate } = row ?? {};
  if (!renditionId || samples == null || sampleRate == null) return null;
  const sound = await readLineSound(parts, { renditionId, samples, sampleRate });
  return sound && { sound, renditionId };
}

/** A line's samples without their audible mark, from its rendition; null if they cannot be read. */
export async function readLineSound(
  { db, files }: SoundParts,
  { renditionId, samples, sampleRate }: { renditionId: string; samples: number; sampleRate: number },
): Promise<Mastered | null> {
  const columns = ["downloads", "timeline_url", "spoken_by"] as const;
  const row = await db.selectFrom("rendition").select(columns).where("id", "=", renditionId).executeTakeFirst();
  const wavId = fileIdOf(row?.downloads.find(({ format }) => format === "wav")?.url ?? "");
  if (!row || !wavId) return null;
  try {
    const pcm = samplesOf(await files.read(wavId), samples);
    if (!pcm) return null;
    const timelineId = row.timeline_url && fileIdOf(row.timeline_url);
    const timeline = timelineId && (JSON.parse(Buffer.from(await files.read(timelineId)).toString()) as Timeline);
    return { pcm, sampleRate, ...(timeline && { timeline }), ...(row.spoken_by && { spokenBy: row.spoken_by }) };
  } catch {
    // The line is spoken again.
    return null;
  }
}

const riffHeaderBytes = 12;
const chunkHeaderBytes = 8;

/** The first samples of a mono 16-bit WAV file that this server wrote. */
function samplesOf(wav: Uint8Array, samples: number): Int16Array | null {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  for (let at = riffHeaderBytes; at + chunkHeaderBytes <= wav.length; ) {
    const size = view.getUint32(at + 4, true);
    const bodyAt = at + chunkHeaderBytes;
    if (Buffer.from(wav.subarray(at, at + 4)).toString("latin1") === "data") {
      const bytes = samples * 2;
      if (bytes > size || bodyAt + bytes > wav.length) return null;
      // A copy: a Buffer's slice would share the whole file.
      return new Int16Array(new Uint8Array(wav.subarray(bodyAt, bodyAt + bytes)).buffer);
    }
    at = bodyAt + size + (size % 2);
  }
  return null;
}
