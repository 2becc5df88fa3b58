import type { Sound } from "./samples";

/** −48 dBFS. */
const floor = 130;
const padSeconds = 0.025;
/** Shorter pieces wait for more. */
const leastSeconds = 0.2;

const isLoud = (value: number) => Math.abs(value) > floor;

/** The same sound without the silence at its two ends, in pieces of a fifth of a second or more. */
export async function* withoutSlack(pieces: AsyncIterable<Sound>): AsyncGenerator<Sound> {
  let held = new Int16Array(0);
  let sampleRate = 0;
  let hasBegun = false;
  for await (const piece of pieces) {
    sampleRate = piece.sampleRate;
    const pad = Math.round(padSeconds * sampleRate);
    held = joined(held, piece.pcm);
    if (!hasBegun) {
      const first = held.findIndex(isLoud);
      hasBegun = first >= 0;
      // Silence so far: only the end of it may be wanted.
      held = held.slice(hasBegun ? Math.max(0, first - pad) : -pad);
    }
    // What is silent now may be the end.
    const sounding = hasBegun ? held.findLastIndex(isLoud) + 1 : 0;
    if (sounding < leastSeconds * sampleRate) continue;
    yield { pcm: held.slice(0, sounding), sampleRate };
    held = held.slice(sounding);
  }
  if (!hasBegun) return;
  const end = Math.min(held.length, held.findLastIndex(isLoud) + 1 + Math.round(padSeconds * sampleRate));
  if (end > 0) yield { pcm: held.slice(0, end), sampleRate };
}

function joined(a: Int16Array, b: Int16Array): Int16Array<ArrayBuffer> {
  const both = new Int16Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
