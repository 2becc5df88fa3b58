import type { SpeechChunk, SpeechRequest } from "../../speech/engine";

/** Milliseconds per syllable at speed 1; Latin words take longer. */
const shortestMs = 40;
const longestMs = 900;
const latinLongestMs = 4000;
const toleranceMs = 2000;
/** −50 dBFS; lower peaks are silence. */
const silentPeak = 104;
const clippedShare = 0.01;

/** The fault of a synthesised segment, null without one: for engines that fail without an error. */
export function findSegmentFault(chunks: SpeechChunk[], { text, speed }: SpeechRequest): string | null {
  const units = text.units.filter((unit) => unit.kind !== "pause");
  if (units.length === 0) return null;
  const durationMs = chunks.reduce((sum, { pcm, sampleRate }) => sum + (pcm.length / sampleRate) * 1000, 0);
  const latin = units.filter((unit) => unit.kind === "latin").length;
  const pausesMs = text.units.reduce((sum, unit) => sum + (unit.kind === "pause" ? (unit.pauseMs ?? 1000) : 0), 0);
  const longest = ((units.length - latin) * longestMs + latin * latinLongestMs) / speed + pausesMs + toleranceMs;
  if (durationMs < (units.length * shortestMs) / speed) return "too short";
  if (durationMs > longest) return "too long";
  return loudnessFault(chunks);
}

function loudnessFault(chunks: SpeechChunk[]): string | null {
  let peak = 0;
  let clipped = 0;
  let total = 0;
  for (const { pcm } of chunks) {
    total += pcm.length;
    for (const sample of pcm) {
      const level = Math.abs(sample);
      if (level > peak) peak = level;
      if (level >= 32_767) clipped++;
    }
  }
  if (peak < silentPeak) return "silent";
  return clipped > total * clippedShare ? "clipped" : null;
}
