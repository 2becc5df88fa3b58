import { transpose } from "../../dsp/stretch";
import { type SpeechChunk, SpeechError } from "../../engine";
import { applyFilter, designFilter } from "./filter";
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
