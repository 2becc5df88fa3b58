import type { Timeline, TimelinePhoneme, TimelineUnit } from "../../engine";
import { visemeOf } from "./phones";
import type { UtteranceTokens } from "./utterances";

/** The model's frames: 600 samples at 24 kHz. */
export const modelRate = 24_000;
const frameSamples = 600;
export const frameMs = (frameSamples / modelRate) * 1000;

/** Frames that are quieter than the loudest by this are silence. */
const silentDb = -45;
/** Spaces and commas that last longer close the mouth. */
const silentFromMs = 75;
/** Measured on plosives: the sound of a token begins a frame before the token does. */
const soundLeadFrames = 1;

export interface TimedTokens extends UtteranceTokens {
  /** When each token begins in ms from the model's first sample; the last entry is the end of the last token. */
  starts: number[];
}

const isPause = (token: string | undefined) => token === undefined || /^[,.?!]$/.test(token);
const isGap = (token: string) => token === " " || isPause(token);

/** Times the tokens of an utterance by the model's durations of them and of the pads around them. */
export function timeTokens(written: UtteranceTokens, frames: readonly number[], samples: Float32Array): TimedTokens {
  const starts = [0];
  for (const count of frames) starts.push((starts.at(-1) as number) + count);
  // The first entry is the pad's.
  const ofTokens = starts.slice(1, -1);
  movePauses(ofTokens, written.tokens, levelsOf(samples, starts.at(-1) as number));
  return { ...written, starts: ofTokens.map((frame) => Math.max(0, frame - soundLeadFrames) * frameMs) };
}

/** The model often lengthens a sound over the pause after it: the pause begins where the sound ends. */
function movePauses(starts: number[], tokens: readonly string[], levels: readonly number[]): void {
  const floor = levels.reduce((most, level) => Math.max(most, level), 0) * 10 ** (silentDb / 10);
  let after = starts[0] ?? 0;
  for (let i = 1; i < starts.length; i++) {
    if (!isPause(tokens[i])) continue;
    const end = starts[i] as number;
    let from = end;
    while (from > after && (levels[from - 1] as number) < floor) from--;
    for (let earlier = i; (starts[earlier] as number) > from; earlier--) starts[earlier] = from;
    after = end;
  }
}

function levelsOf(samples: Float32Array, frameCount: number): number[] {
  return Array.from({ length: frameCount }, (_, f) =>
    samples.subarray(f * frameSamples, (f + 1) * frameSamples).reduce((sum, value) => sum + value * value, 0),
  );
}

/** When the first unit begins and the last one ends, in ms. */
export function spokenRange({ spans, starts }: TimedTokens): { startMs: number; endMs: number } {
  return { startMs: starts[0] ?? 0, endMs: starts[spans.at(-1)?.to ?? 0] ?? 0 };
}

/** The timeline of an utterance of which the first `leadMs` were cut. */
export function toTimeline(
  timed: TimedTokens,
  { leadMs, durationMs }: { leadMs: number; durationMs: number },
): Timeline {
  const at = (token: number) =>
    Math.round(Math.min(durationMs, Math.max(0, (timed.starts[token] ?? durationMs) - leadMs)));
  const units = timed.spans.map(({ from, to, unit: { text, offset, pinyin, tone } }): TimelineUnit => {
    const reading = { ...(pinyin !== undefined && { pinyin }), ...(tone !== undefined && { tone }) };
    return { text, offset, ...reading, start: at(from), end: at(to) };
  });
  return { sampleRate: modelRate, durationMs, units, phonemes: toPhonemes(timed.tokens, at, durationMs) };
}

/** A phoneme for every token with a mouth shape; tones and aspiration lengthen it, and long gaps are silence. */
function toPhonemes(tokens: readonly string[], at: (token: number) => number, durationMs: number): TimelinePhoneme[] {
  const phonemes: TimelinePhoneme[] = [];
  const append = (phoneme: TimelinePhoneme) => {
    const last = phonemes.at(-1);
    if (phoneme.end <= phoneme.start) return;
    if (last?.viseme === "sil" && phoneme.viseme === "sil") last.end = phoneme.end;
    else phonemes.push(phoneme);
  };
  append({ ph: "", start: 0, end: at(0), viseme: "sil" });
  for (const [i, token] of tokens.entries()) {
    const [start, end] = [at(i), at(i + 1)];
    const viseme = visemeOf(token);
    const last = phonemes.at(-1);
    if (viseme) append({ ph: token, start, end, viseme });
    else if (isGap(token) && (end - start >= silentFromMs || !last)) append({ ph: "", start, end, viseme: "sil" });
    else if (last) last.end = Math.max(last.end, end);
  }
  append({ ph: "", start: at(tokens.length), end: durationMs, viseme: "sil" });
  return phonemes;
}
