import { noiseShareByBin } from "../../../dsp/aperiodicity";
import { binCount, hopSeconds, speechRate } from "../../../dsp/grid";
import { synthesize } from "../../../dsp/synthesis";
import type { Analysis } from "./analysis";
import { type Converter, createConverter } from "./conversion";
import type { Prosody } from "./prosody";
import type { EmbeddedVoice } from "./voice";

interface Rendering {
  voice: EmbeddedVoice;
  converter?: Converter;
  prosody?: Prosody;
  /** Stop after so much. */
  seconds?: number;
}

/** Source speech in a voice, before its gain. */
export function render(source: Analysis, labels: string[], rendering: Rendering): Float32Array {
  const { voice, prosody, converter = createConverter(voice) } = rendering;
  const part = rendering.seconds === undefined ? source : beginning(source, rendering.seconds);
  const { pitch, envelope } = converter.convert(part, labels, prosody);
  return synthesize({ pitch, envelope, noiseShare: noiseShareByBin(voice.noise) }, part.samples.length);
}

function beginning(source: Analysis, seconds: number): Analysis {
  const frames = Math.min(source.frames, Math.round(seconds / hopSeconds));
  return {
    ...source,
    frames,
    samples: source.samples.subarray(0, Math.round(seconds * speechRate)),
    pitch: source.pitch.subarray(0, frames),
    envelope: source.envelope.subarray(0, frames * binCount),
    active: source.active.subarray(0, frames),
    powerDb: source.powerDb.subarray(0, frames),
  };
}
