/**
 * The audible mark of GB 45438-2025: short-long, short-short (Morse code "AI") after the speech, at −24 dBFS peak, about
 * 8 dB below speech mastered to −19 LUFS.
 */
export const explicitMark = {
  leadMs: 350,
  shortMs: 90,
  longMs: 270,
  gapMs: 90,
  pairGapMs: 270,
  pitchHz: 740,
  peakDb: -24,
} as const;

const rhythm = ["short", "long", "pair", "short", "short"] as const;
const rampMs = 8;

export function appendExplicitMark(pcm: Int16Array, sampleRate: number): Int16Array<ArrayBuffer> {
  const tones = markTones(sampleRate);
  const marked = new Int16Array(pcm.length + tones.length);
  marked.set(pcm);
  marked.set(tones, pcm.length);
  return marked;
}

/** The mark, preceded by a pause. */
export function markTones(sampleRate: number): Int16Array {
  const { leadMs, shortMs, longMs, gapMs, pairGapMs } = explicitMark;
  const samples = (ms: number) => Math.round((ms * sampleRate) / 1000);
  const toneMs = { short: shortMs, long: longMs };
  const starts: Array<{ at: number; length: number }> = [];
  let at = samples(leadMs);
  for (const beat of rhythm) {
    if (beat === "pair") {
      at += samples(pairGapMs - gapMs);
      continue;
    }
    starts.push({ at, length: samples(toneMs[beat]) });
    at += samples(toneMs[beat] + gapMs);
  }
  const tones = new Int16Array(at);
  for (const start of starts) drawTone(tones.subarray(start.at, start.at + start.length), sampleRate);
  return tones;
}

/** With cosine ramps at both ends, which prevent clicks. */
function drawTone(into: Int16Array, sampleRate: number): void {
  const peak = 32767 * 10 ** (explicitMark.peakDb / 20);
  const ramp = (rampMs * sampleRate) / 1000;
  for (let i = 0; i < into.length; i++) {
    const edge = Math.min(1, i / ramp, (into.length - 1 - i) / ramp);
    const envelope = 0.5 - 0.5 * Math.cos(Math.PI * edge);
    into[i] = Math.round(peak * envelope * Math.sin((2 * Math.PI * explicitMark.pitchHz * i) / sampleRate));
  }
}
