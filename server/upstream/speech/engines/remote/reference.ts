import { resample } from "../../dsp/resample";
import type { Align } from "../../engine";
import { type PreparedText, SpeechError } from "../../engine";
import { encodeWav } from "../../recording/formats/wav";
import { toPlainText } from "./runs";

/** What a zero-shot server is shown of a voice each time: a short recording and what it says. */
export interface RemoteVoice {
  /** A WAV in base64. */
  wav: string;
  /** "" where nobody knows. */
  text: string;
}

export interface ReferenceLimits {
  minSeconds: number;
  maxSeconds: number;
  /** Nothing can be learned from a recording whose words nobody knows. */
  needsText?: boolean;
}

interface Recording {
  samples: Float32Array;
  sampleRate: number;
  transcript?: PreparedText | undefined;
}

const rates = [16_000, 24_000] as const;
const frameSeconds = 0.02;
/** Of the longest a reference may be: earlier than this it is not cut. */
const earliestCut = 0.5;
const leastGapMs = 80;
const slackLevel = 0.004;

/**
 * The part of a recording that a server takes: all of it where it fits, else up to a pause. With a transcript the cut is
 * where it is known what was said until then; where that is not known, nothing is claimed. Throws SpeechError 'reference'.
 */
export async function prepareReference(
  { samples, sampleRate, transcript }: Recording,
  { minSeconds, maxSeconds, needsText }: ReferenceLimits,
  { align, signal }: { align: Align; signal?: AbortSignal | undefined },
): Promise<RemoteVoice> {
  const refuseWordless = (voice: RemoteVoice) => {
    if (needsText && !voice.text) throw new SpeechError("reference", "no-transcript");
    return voice;
  };
  const rate = Math.min(rates[1], Math.max(rates[0], sampleRate));
  const sound = withoutEnds(resample(samples, sampleRate, rate), rate);
  const seconds = sound.length / rate;
  if (seconds < minSeconds) throw new SpeechError("reference", "too-short");
  const pcm = Int16Array.from(sound, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
  const show = (end: number, text: string) => refuseWordless({ wav: toBase64(pcm.slice(0, end), rate), text });
  if (seconds <= maxSeconds) return show(pcm.length, transcript ? toPlainText(transcript.units) : "");
  const known =
    transcript && (await knownCut({ text: transcript, pcm, sampleRate: rate }, maxSeconds, { align, signal }));
  return known ? show(known.end, known.text) : show(quietestCut(sound, rate, maxSeconds), "");
}

const toBase64 = (pcm: Int16Array, rate: number) => Buffer.from(encodeWav(pcm, rate)).toString("base64");

function withoutEnds(samples: Float32Array, rate: number): Float32Array {
  const isLoud = (value: number) => Math.abs(value) > slackLevel;
  const pad = Math.round(0.1 * rate);
  const [first, last] = [samples.findIndex(isLoud), samples.findLastIndex(isLoud)];
  if (first < 0) throw new SpeechError("reference", "silent");
  return samples.subarray(Math.max(0, first - pad), Math.min(samples.length, last + pad));
}

interface Known {
  text: PreparedText;
  pcm: Int16Array;
  sampleRate: number;
}

/** The last pause in time that stands between two words of the transcript; null where the two do not fit. */
async function knownCut(
  known: Known,
  maxSeconds: number,
  { align, signal }: { align: Align; signal?: AbortSignal | undefined },
): Promise<{ end: number; text: string } | null> {
  const { timeline, matchesText } = await align(known, signal);
  if (!matchesText) return null;
  const { units } = timeline;
  const maxMs = maxSeconds * 1000;
  const last = units.findLastIndex(({ end }, i) => {
    const gap = (units[i + 1]?.start ?? Number.POSITIVE_INFINITY) - end;
    return end <= maxMs - leastGapMs && gap >= leastGapMs;
  });
  const unit = units[last];
  if (!unit || unit.end < maxMs * earliestCut) return null;
  const spoken = known.text.units.filter(({ offset }) => offset <= unit.offset);
  const middle = unit.end + Math.min((units[last + 1]?.start ?? unit.end) - unit.end, 2 * leastGapMs) / 2;
  return { end: Math.round((middle / 1000) * known.sampleRate), text: toPlainText(spoken) };
}

/** Where it is quietest in the second half of what may be shown. */
function quietestCut(samples: Float32Array, rate: number, maxSeconds: number): number {
  const frame = Math.round(frameSeconds * rate);
  const [from, to] = [Math.round(maxSeconds * earliestCut * rate), Math.round(maxSeconds * rate) - frame];
  let [best, least] = [to, Number.POSITIVE_INFINITY];
  for (let at = from; at <= to; at += frame) {
    const power = samples.subarray(at, at + frame).reduce((sum, value) => sum + value * value, 0);
    if (power <= least) [best, least] = [at, power];
  }
  return best + Math.round(frame / 2);
}
