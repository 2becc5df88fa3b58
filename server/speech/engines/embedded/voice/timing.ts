import { binCount, hopSeconds, speechRate } from "../../../dsp/grid";
import type { Analysis } from "./analysis";
import { byFrame, type Intonation } from "./intonation";

/** Source speech with its planned durations. */
export interface TimedSpeech {
  speech: Analysis;
  intonation: Intonation;
  toMs(sourceMs: number): number;
}

/** Repeats and drops frames, so that each source frame lasts `intonation.length` frames. */
export function applyDurations(source: Analysis, intonation: Intonation): TimedSpeech {
  const starts = new Float64Array(source.frames + 1);
  for (let f = 0; f < source.frames; f++) {
    starts[f + 1] = (starts[f] as number) + (intonation.length[f] ?? 1);
  }
  const frames = Math.round(starts[source.frames] as number);
  const origin = new Int32Array(frames);
  for (let to = 0, f = 0; to < frames; to++) {
    while (f < source.frames - 1 && (starts[f + 1] as number) <= to) f++;
    origin[to] = f;
  }
  const pick = <Values extends Float32Array | Uint8Array>(values: Values, into: Values): Values => {
    for (let to = 0; to < frames; to++) into[to] = values[origin[to] as number] ?? 0;
    return into;
  };
  const floats = (values: Float32Array) => pick(values, new Float32Array(frames));
  const envelope = new Float32Array(frames * binCount);
  for (let to = 0; to < frames; to++) {
    const from = (origin[to] as number) * binCount;
    envelope.set(source.envelope.subarray(from, from + binCount), to * binCount);
  }
  const lengthScale = (starts[source.frames] as number) / source.frames;
  return {
    speech: {
      ...source,
      samples: new Float32Array(Math.round(source.samples.length * lengthScale)),
      frames,
      envelope,
      pitch: floats(source.pitch),
      powerDb: floats(source.powerDb),
      active: pick(source.active, new Uint8Array(frames)),
    },
    intonation: byFrame((key) => floats(intonation[key])),
    toMs: (ms) => {
      const at = Math.min(source.frames, Math.max(0, ms / 1000 / hopSeconds));
      const [before, after] = [starts[Math.floor(at)] as number, starts[Math.ceil(at)] as number];
      return Math.round((before + (after - before) * (at % 1)) * hopSeconds * 1000);
    },
  };
}

/** Multiplies sound by a gain per frame. */
export function applyGain(sound: Float32Array, gainDb: Float32Array): Float32Array {
  if (gainDb.every((db) => db === 0)) return sound;
  const gains = gainDb.map((db) => 10 ** (db / 20));
  const hop = hopSeconds * speechRate;
  return sound.map((value, i) => {
    const at = Math.min(gains.length - 1, i / hop);
    const from = Math.floor(at);
    const before = gains[from] ?? 1;
    return value * (before + ((gains[Math.ceil(at)] ?? 1) - before) * (at - from));
  });
}
