import { bandHz, melBands } from "../../dsp/mel";
import { transpose } from "../../dsp/stretch";
import { type SpeechChunk, SpeechError } from "../../engine";
import { type KokoroModel, maxTokens } from "./model";
import { frameMs, modelRate, spokenRange, timeTokens, toTimeline } from "./timeline";
import { toTokenIds, toTokens, type Utterance } from "./utterances";
import type { KokoroVoice, ModelProsody } from "./voice";

/** One utterance for the model's process. */
export interface UtteranceRequest {
  utterance: Utterance;
  voice: Pick<KokoroVoice, "styles" | "filterDb" | "mixHz">;
  prosody: ModelProsody;
}

export interface SpokenUtterance {
  samples: Float32Array;
  /** Null if the export has no timeline. */
  timeline: SpeechChunk["timeline"] | null;
}

/** Kept before and after the speech. */
const marginMs = 2 * frameMs;
const fadeMs = 5;

/** Speaks one utterance without its outer silence. Throws SpeechError 'text' if nothing in it can be spoken. */
export async function speakUtterance(
  model: KokoroModel,
  { utterance, voice, prosody }: UtteranceRequest,
  pronounce: (word: string) => string,
): Promise<SpokenUtterance> {
  const written = toTokens(utterance.units, pronounce);
  if (written.spans.length === 0) throw new SpeechError("text", "The text contains no speech");
  const tokenIds = toTokenIds(written.tokens).slice(0, maxTokens);
  const { samples, frames } = await model.run({ tokenIds, styles: voice.styles, ...prosody });
  const raised = model.movesPitch
    ? samples
    : transpose(samples, modelRate, 12 * Math.log2(prosody.scale * voice.mixHz ** (prosody.range - 1)));
  const filtered = voice.filterDb ? applyFilter(raised, designFilter(voice.filterDb, modelRate)) : raised;
  const timed = frames && timeTokens(written, frames, filtered);
  const { fromMs, toMs } = soundOf(filtered, timed && spokenRange(timed));
  const at = (ms: number) => Math.round((ms / 1000) * modelRate);
  const sound = fade(amplify(filtered.slice(at(fromMs), at(toMs)), prosody.gainDb));
  const durationMs = (sound.length / modelRate) * 1000;
  return { samples: sound, timeline: timed && toTimeline(timed, { leadMs: fromMs, durationMs }) };
}

/** What is kept of the sound: the speech with a margin, and not what is silent. */
function soundOf(samples: Float32Array, range: { startMs: number; endMs: number } | null) {
  const lastMs = (samples.length / modelRate) * 1000;
  const floor = 1e-3 * samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const toMs = (index: number) => (index / modelRate) * 1000;
  const audible = {
    startMs: toMs(
      Math.max(
        0,
        samples.findIndex((value) => Math.abs(value) > floor),
      ),
    ),
    endMs: toMs(samples.findLastIndex((value) => Math.abs(value) > floor)),
  };
  const { startMs, endMs } = range ?? audible;
  return {
    fromMs: Math.max(0, Math.min(startMs, Math.max(audible.startMs, startMs - 8 * frameMs)) - marginMs),
    toMs: Math.min(lastMs, Math.max(endMs, Math.min(audible.endMs, endMs + 8 * frameMs)) + marginMs),
  };
}

function amplify(samples: Float32Array, gainDb: number): Float32Array {
  const gain = 10 ** (gainDb / 20);
  return gain === 1 ? samples : samples.map((value) => value * gain);
}

function fade(samples: Float32Array): Float32Array {
  const length = Math.min(samples.length >> 1, Math.round((fadeMs / 1000) * modelRate));
  for (let i = 0; i < length; i++) {
    const end = samples.length - 1 - i;
    samples[i] = (samples[i] as number) * (i / length);
    samples[end] = (samples[end] as number) * (i / length);
  }
  return samples;
}

/** Taps of the filter: 21 ms at 24 kHz resolve the bands above 200 Hz. */
const size = 512;

/** Designs a linear-phase filter from gains in dB by mel band, for sounds of this rate. */
function designFilter(gainsDb: readonly number[], sampleRate: number): Float32Array {
  const half = size / 2;
  const gains = Float64Array.from(
    { length: half + 1 },
    (_, k) => 10 ** (gainAt(gainsDb, (k * sampleRate) / size) / 20),
  );
  const cosines = Float64Array.from({ length: size }, (_, i) => Math.cos((2 * Math.PI * i) / size));
  return Float32Array.from({ length: size }, (_, n) => {
    let sum = (gains[0] as number) + (gains[half] as number) * (n % 2 === 0 ? 1 : -1);
    for (let k = 1; k < half; k++)
      sum += 2 * (gains[k] as number) * (cosines[(k * Math.abs(n - half)) % size] as number);
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size);
    return (window * sum) / size;
  });
}

/** Interpolated between the bands, and level beyond the outer ones. */
function gainAt(gainsDb: readonly number[], hz: number): number {
  for (let band = 1; band < melBands; band++) {
    const [left, right] = [bandHz(band - 1), bandHz(band)];
    if (hz > right) continue;
    const share = Math.max(0, (hz - left) / (right - left));
    return (1 - share) * (gainsDb[band - 1] as number) + share * (gainsDb[band] as number);
  }
  return gainsDb[melBands - 1] as number;
}

/** Filters samples without a delay. */
function applyFilter(samples: Float32Array, taps: Float32Array): Float32Array {
  const filtered = new Float32Array(samples.length);
  const half = taps.length / 2;
  for (let i = 0; i < samples.length; i++) {
    let sum = 0;
    const from = Math.max(0, half + i - samples.length + 1);
    const to = Math.min(taps.length, half + i + 1);
    for (let j = from; j < to; j++) sum += (taps[j] as number) * (samples[i + half - j] as number);
    filtered[i] = sum;
  }
  return filtered;
}
