import { bandHz, melBands } from "../../../dsp/mel";
import { toSemitones } from "../../../dsp/pitch-range";
import type { VoiceDesign, VoiceProfile } from "../../../engine";
import { type EmbeddedVoice, engineId, engineVersion } from "./voice";

const clearNoise = [0.01, 0.03, 0.06, 0.1, 0.15, 0.25];
const whisperNoise = [0.3, 0.5, 0.65, 0.75, 0.8, 0.85];
const tiltFromHz = 1000;
/** Brings the source voice's own level near −19 LUFS. */
const levelGainDb = 0;
/** dB of power → natural log power. */
const logPowerPerDb = Math.LN10 / 10;

/** A voice from numbers alone; the same numbers always make the same voice. */
export function designVoice(design: VoiceDesign): VoiceProfile {
  const { pitchHz, pitchSpreadSt, tract, breath, tilt, rate } = design;
  const medianSt = toSemitones(pitchHz);
  const slope = Array.from({ length: melBands }, (_, band) => {
    const octaves = Math.max(0, Math.log2(bandHz(band) / tiltFromHz));
    return tilt * octaves * logPowerPerDb;
  });
  const voice: EmbeddedVoice = {
    pitch: { medianSt, spreadSt: pitchSpreadSt, highSt: medianSt + 1.7 * pitchSpreadSt },
    tract: Math.min(1.3, Math.max(0.84, tract)),
    noise: clearNoise.map(
      (clear, b) => clear + ((whisperNoise[b] as number) - clear) * Math.min(1, Math.max(0, breath)),
    ),
    rate,
    gainDb: levelGainDb,
    voiced: slope,
    unvoiced: slope.map((value) => value * 0.5),
    moments: null,
    trim: null,
    exemplars: null,
  };
  return { engine: engineId, version: engineVersion, parameters: voice };
}
