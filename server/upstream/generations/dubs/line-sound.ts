import type { Mastered, Owner } from "../../voices/ports";
import { type Placeable, soundingMs } from "./assembly";
import { readKept } from "./kept-sound";
import type { LineVoice } from "./line-voice";
import type { DubParts } from "./parts";

export interface LineSound {
  sound: Mastered;
  speed: number;
  /** How long it sounds at the speed asked for. */
  naturalMs: number;
  /** Of a line that sounds the same and was made before. */
  renditionId: string | null;
}

interface Wanted extends Pick<Placeable, "endMs"> {
  owner: Owner;
  beginsMs: number;
  /** As asked for. */
  speed: number;
  voice: LineVoice;
  onProgress(done: number): Promise<void>;
}

type SoundParts = Pick<DubParts, "db" | "files">;

/** How much faster than asked a line may be spoken to end with its subtitle. */
const hurryMax = 1.6;
const speedMax = 2;
/** Pauses do not shrink as syllables do: a first guess may be too slow. */
const triesToFit = 3;
const spareShare = 1.01;

/**
 * The line's sound, copied where one like it was made before. One with a subtitle's place is spoken faster when it would
 * last longer, as far as that goes.
 */
export async function soundOf(parts: SoundParts, wanted: Wanted): Promise<LineSound> {
  const { speed, endMs, beginsMs } = wanted;
  const roomMs = endMs === null ? Number.POSITIVE_INFINITY : endMs - beginsMs;
  const natural = await findNatural(parts, wanted);
  const fastest = Math.min(speed * hurryMax, speedMax);
  let at = natural === null ? speed : speedFor({ speed, lastsMs: natural, roomMs, fastest });
  let made = await soundAt(parts, wanted, at);
  const naturalMs = natural ?? soundingMs(made.sound);
  for (let tries = 1; tries < triesToFit && at < fastest; tries++) {
    const lastsMs = soundingMs(made.sound);
    if (lastsMs <= roomMs) break;
    at = speedFor({ speed: at, lastsMs, roomMs, fastest });
    made = await soundAt(parts, wanted, at);
  }
  return { ...made, speed: at, naturalMs };
}

/** In hundredths, upwards. */
function speedFor(pace: { speed: number; lastsMs: number; roomMs: number; fastest: number }): number {
  const { speed, lastsMs, roomMs, fastest } = pace;
  if (lastsMs <= roomMs) return speed;
  if (roomMs <= 0) return fastest;
  return Math.min(fastest, Math.ceil(((speed * lastsMs * spareShare) / roomMs) * 100) / 100);
}

async function soundAt(parts: SoundParts, wanted: Wanted, speed: number) {
  const kept = await findKept(parts, wanted, speed);
  if (kept) return kept;
  return { sound: await wanted.voice.speak(speed, wanted.onProgress), renditionId: null };
}

const alike = ({ db }: SoundParts, { owner, voice }: Wanted) =>
  db
    .selectFrom("dub_line")
    .innerJoin("dub", "dub.id", "dub_line.dub_id")
    .where("dub.owner", "=", owner)
    .where("sound_key", "=", voice.key)
    .where("dub_line.rendition_id", "is not", null);

async function findNatural(parts: SoundParts, wanted: Wanted): Promise<number | null> {
  if (wanted.endMs === null) return null;
  const row = await alike(parts, wanted)
    .select("natural_ms")
    .where("dub_line.speed", "=", wanted.speed)
    .limit(1)
    .executeTakeFirst();
  return row?.natural_ms ?? null;
}

async function findKept(parts: SoundParts, wanted: Wanted, speed: number) {
  const row = await alike(parts, wanted)
    .select(["dub_line.rendition_id", "samples", "sample_rate"])
    .where("spoken_speed", "=", speed)
    .limit(1)
    .executeTakeFirst();
  const { rendition_id: renditionId, samples, sample_rate: sampleRate } = row ?? {};
  if (!renditionId || samples == null || sampleRate == null) return null;
  const sound = await readKept(parts, { renditionId, samples, sampleRate });
  return sound && { sound, renditionId };
}
