import type { SpeechChunk, SpeechRequest } from "../speech/engine";

/** Milliseconds a spoken syllable may take at speed 1; Latin words take longer. */
const shortestMs = 40;
const longestMs = 900;
const latinLongestMs = 4000;
const spareMs = 2000;
/** Peaks below are silence: −50 dBFS. */
const silentPeak = 104;
const clippedShare = 0.01;

/** What is plainly wrong with a synthesised segment, null when nothing is: for engines that fail without saying so. */
export function faultOfSegment(chunks: SpeechChunk[], { text, speed }: SpeechRequest): string | null {
  const units = text.units.filter((unit) => unit.kind !== "pause");
  if (units.length === 0) return null;
  const durationMs = chunks.reduce((sum, { pcm, sampleRate }) => sum + (pcm.length / sampleRate) * 1000, 0);
  const latin = units.filter((unit) => unit.kind === "latin").length;
  const pausesMs = text.units.reduce((sum, unit) => sum + (unit.kind === "pause" ? (unit.pauseMs ?? 1000) : 0), 0);
  const longest = ((units.length - latin) * longestMs + latin * latinLongestMs) / speed + pausesMs + spareMs;
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
