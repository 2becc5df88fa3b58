import { type RecordingQuality, type RecordingTip, recordingLimits } from "~server/contract/recording";
import { frameLevels, frameSeconds, percentile, voicedFrames } from "./frames";
import { secondsOf, type Take } from "./take";

const cutOff = 0.985;
/** Speech stands at least this far above the room. */
const aboveRoomDb = 8;
/** A consonant belongs to speech when a voiced sound is this near. */
const nearFrames = 8;
const leastVoicedSeconds = 0.3;

/** Judges a take in the browser, before anything is uploaded, by the server's own limits. */
export function judge(take: Take): RecordingQuality {
  const levels = frameLevels(take);
  const room = percentile(levels, 0.1);
  const threshold = Math.max(room + aboveRoomDb, percentile(levels, 0.95) - 30, -60);
  const voiced = voicedFrames(take, levels, threshold);
  const speaking = spread(voiced, nearFrames).map((near, frame) => near && (levels[frame] ?? -100) > threshold);
  const voicedSeconds = voiced.filter(Boolean).length * frameSeconds;
  const measured = {
    durationMs: Math.round(secondsOf(take) * 1000),
    speechSeconds: speaking.filter(Boolean).length * frameSeconds,
    snrDb: signalToNoise(levels, speaking),
    ...peaks(take),
  };
  const tips = tipsFor(measured, voicedSeconds);
  return { ...measured, tips, verdict: verdictOf(measured, tips) };
}

type Measured = Omit<RecordingQuality, "tips" | "verdict">;

function tipsFor({ durationMs, speechSeconds, snrDb, peakDb, clipping }: Measured, voicedSeconds: number) {
  const { silentPeakDb, quietPeakDb, minSpeechSeconds, usedSeconds } = recordingLimits;
  if (peakDb < silentPeakDb) return ["silent"] satisfies RecordingTip[];
  if (voicedSeconds < leastVoicedSeconds) return ["no-speech"] satisfies RecordingTip[];
  const tips: RecordingTip[] = [];
  if (speechSeconds < minSpeechSeconds) tips.push("too-short");
  if (clipping > recordingLimits.clipping.told) tips.push("clipped");
  if (snrDb < recordingLimits.snrDb.told) tips.push("noisy");
  if (peakDb < quietPeakDb) tips.push("quiet");
  if (durationMs > usedSeconds * 1000) tips.push("too-long");
  return tips;
}

function verdictOf({ clipping, snrDb }: Measured, tips: readonly RecordingTip[]): RecordingQuality["verdict"] {
  const useless = tips.some((tip) => tip === "silent" || tip === "no-speech" || tip === "too-short");
  if (useless || clipping > recordingLimits.clipping.refused || snrDb < recordingLimits.snrDb.refused) return "refused";
  return tips.length > 0 ? "usable" : "good";
}

function peaks({ samples }: Take) {
  let peak = 0;
  let cutOffSamples = 0;
  for (const sample of samples) {
    const size = Math.abs(sample);
    if (size > peak) peak = size;
    if (size >= cutOff) cutOffSamples++;
  }
  return {
    peakDb: Math.max(-120, 20 * Math.log10(peak + 1e-9)),
    clipping: cutOffSamples / Math.max(1, samples.length),
  };
}

/** Speech against what is left in its pauses; without pauses, against the quietest tenth. */
function signalToNoise(levels: Float32Array, speaking: boolean[]): number {
  const speech = levels.filter((_, frame) => speaking[frame]);
  const rest = levels.filter((_, frame) => !speaking[frame]);
  const noise = rest.length * frameSeconds > 0.3 ? percentile(rest, 0.5) : percentile(levels, 0.1);
  return Math.min(60, Math.max(0, percentile(speech, 0.7) - noise));
}

function spread(marks: boolean[], reach: number): boolean[] {
  const near = marks.map(() => false);
  marks.forEach((mark, at) => {
    if (mark) near.fill(true, Math.max(0, at - reach), at + reach + 1);
  });
  return near;
}
