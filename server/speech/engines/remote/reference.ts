import type { Align } from "../../analysis";
import { toPcm } from "../../dsp/pcm";
import { resample } from "../../dsp/resample";
import { type PreparedText, SpeechError, type SpokenUnit } from "../../engine";
import { encodeWav } from "../../recording/formats/wav";
import { toPlainText, type WriteUnit } from "./runs";

/** Voice prompt of a zero-shot server: a short recording and its transcript. */
export interface RemoteVoice {
  /** A WAV in base64. */
  wav: string;
  /** "" if unknown. */
  text: string;
  /** Name under which a vendor keeps the voice; `wav` and `text` are empty then. */
  voiceId?: string;
}

export interface ReferenceLimits {
  minSeconds: number;
  maxSeconds: number;
  /** Shorter recordings are repeated, with a pause, until they last so long. */
  repeatToSeconds?: number;
  /** The server requires a transcript. */
  needsText?: boolean;
  /** The server's own rate, where resampling there has a cost. */
  sampleRate?: number;
}

interface Recording {
  samples: Float32Array;
  sampleRate: number;
  transcript?: PreparedText | undefined;
}

interface PrepareOptions {
  align: Align;
  /** Writes the transcript. */
  write?: WriteUnit | undefined;
  signal?: AbortSignal | undefined;
}

const rates = [16_000, 24_000] as const;
const frameSeconds = 0.02;
/** Earliest cut as a share of the maximum length. */
const earliestCut = 0.5;
const minGapMs = 80;
const repetitionPauseSeconds = 0.3;
const silenceLevel = 0.004;

/**
 * Prepares the reference of a server: the whole recording if it fits, else up to a pause. With a matching transcript the
 * cut is at an aligned pause and the text ends there; otherwise the text is empty. Throws SpeechError 'reference'.
 */
export async function prepareReference(
  { samples, sampleRate, transcript }: Recording,
  { minSeconds, maxSeconds, repeatToSeconds = 0, needsText, sampleRate: ownRate }: ReferenceLimits,
  { align, write, signal }: PrepareOptions,
): Promise<RemoteVoice> {
  const requireText = (voice: RemoteVoice) => {
    if (needsText && !voice.text) throw new SpeechError("reference", "no-transcript");
    return voice;
  };
  const rate = ownRate ?? Math.min(rates[1], Math.max(rates[0], sampleRate));
  const sound = trimSilence(resample(samples, sampleRate, rate), rate);
  const seconds = sound.length / rate;
  if (seconds < minSeconds) throw new SpeechError("reference", "too-short");
  const pcm = toPcm(sound);
  const toVoice = (end: number, units: readonly SpokenUnit[] = []) =>
    requireText({
      wav: toBase64(repeated(pcm.slice(0, end), { rate, seconds: repeatToSeconds }), rate),
      text: toPlainText(units, write),
    });
  if (seconds <= maxSeconds) return toVoice(pcm.length, transcript?.units);
  const transcribed =
    transcript &&
    (await findTranscribedCut({ text: transcript, pcm, sampleRate: rate }, maxSeconds, { align, signal }));
  return transcribed ? toVoice(transcribed.end, transcribed.units) : toVoice(findQuietestCut(sound, rate, maxSeconds));
}

function repeated(pcm: Int16Array, { rate, seconds }: { rate: number; seconds: number }): Int16Array {
  const step = pcm.length + Math.round(repetitionPauseSeconds * rate);
  const times = pcm.length >= seconds * rate ? 1 : Math.ceil((seconds * rate) / step);
  const whole = new Int16Array(times * step);
  for (let i = 0; i < times; i++) whole.set(pcm, i * step);
  return times === 1 ? pcm : whole;
}

const toBase64 = (pcm: Int16Array, rate: number) => Buffer.from(encodeWav(pcm, rate)).toString("base64");

function trimSilence(samples: Float32Array, rate: number): Float32Array {
  const isLoud = (value: number) => Math.abs(value) > silenceLevel;
  const pad = Math.round(0.1 * rate);
  const [first, last] = [samples.findIndex(isLoud), samples.findLastIndex(isLoud)];
  if (first < 0) throw new SpeechError("reference", "silent");
  return samples.subarray(Math.max(0, first - pad), Math.min(samples.length, last + pad));
}

interface TranscribedAudio {
  text: PreparedText;
  pcm: Int16Array;
  sampleRate: number;
}

/** The last pause within the limit between two transcript units; null if the transcript does not match. */
async function findTranscribedCut(
  transcribed: TranscribedAudio,
  maxSeconds: number,
  { align, signal }: { align: Align; signal?: AbortSignal | undefined },
): Promise<{ end: number; units: readonly SpokenUnit[] } | null> {
  const { timeline, matchesText } = await align(transcribed, signal);
  if (!matchesText) return null;
  const { units } = timeline;
  const maxMs = maxSeconds * 1000;
  const last = units.findLastIndex(({ end }, i) => {
    const gap = (units[i + 1]?.start ?? Number.POSITIVE_INFINITY) - end;
    return end <= maxMs - minGapMs && gap >= minGapMs;
  });
  const unit = units[last];
  if (!unit || unit.end < maxMs * earliestCut) return null;
  const spoken = transcribed.text.units.filter(({ offset }) => offset <= unit.offset);
  const middle = unit.end + Math.min((units[last + 1]?.start ?? unit.end) - unit.end, 2 * minGapMs) / 2;
  return { end: Math.round((middle / 1000) * transcribed.sampleRate), units: spoken };
}

/** The quietest position in the second half of the allowed length. */
function findQuietestCut(samples: Float32Array, rate: number, maxSeconds: number): number {
  const frame = Math.round(frameSeconds * rate);
  const [from, to] = [Math.round(maxSeconds * earliestCut * rate), Math.round(maxSeconds * rate) - frame];
  let [best, least] = [to, Number.POSITIVE_INFINITY];
  for (let at = from; at <= to; at += frame) {
    const power = samples.subarray(at, at + frame).reduce((sum, value) => sum + value * value, 0);
    if (power <= least) [best, least] = [at, power];
  }
  return best + Math.round(frame / 2);
}
