import { bandHz, melBands } from "../../../dsp/mel";
import { toSemitones } from "../../../dsp/pitch-range";
import { SpeechError, type VoiceDesign, type VoiceProfile } from "../../../engine";

export const engineId = "embedded";
/** Must change when the same voice and text would produce different audio. */
export const engineVersion = "4";

/** Mel-cepstral mean and covariance correction of converted frames: (cepstrum − mean) × matrix + mean + shift. */
export interface MomentShift {
  mean: number[];
  matrix: number[][];
  shift: number[];
}

/** AlignResult frames of the person's own speech, packed: base64 of 16-bit numbers in steps of 1/512. */
export interface ExemplarTable {
  count: number;
  /** One phone per frame, separated by spaces; a macron marks unvoiced frames. */
  phones: string;
  cepstra: string;
  offsets: string;
}

/** `parameters` of an embedded voice profile. Curves hold one natural log power per mel band. */
export interface EmbeddedVoice {
  pitch: { medianSt: number; spreadSt: number; highSt: number };
  /** Vocal-tract ratio relative to the source voice. */
  tract: number;
  /** Noise share by band. */
  noise: number[];
  /** Relative pace. */
  rate: number;
  /** Spread of syllable levels relative to the source voice; used when the voice supplies the tone. */
  dynamics?: number;
  gainDb: number;
  voiced: number[];
  unvoiced: number[];
  moments: { voiced: MomentShift; unvoiced: MomentShift | null } | null;
  trim: number[] | null;
  exemplars: ExemplarTable | null;
  /** What `moments` leave. */
  residual: EmbeddedVoice["moments"];
}

/** Pitch of the source voice, measured on the calibration text. */
export const sourcePitch = { medianSt: 77.7, spreadSt: 2.3 };

/** Throws SpeechError 'voice' for profiles of other engines or versions. */
export function requireEmbeddedVoice(profile: VoiceProfile): EmbeddedVoice {
  const voice = profile.parameters as EmbeddedVoice | null;
  const isOurs = profile.engine === engineId && profile.version === engineVersion;
  if (!isOurs || !voice || !Number.isFinite(voice.pitch?.medianSt) || !Array.isArray(voice.voiced)) {
    throw new SpeechError(
      "voice",
      `The voice belongs to ${profile.engine} ${profile.version}, not to ${engineId} ${engineVersion}`,
    );
  }
  return voice;
}

const clearNoise = [0.01, 0.03, 0.06, 0.1, 0.15, 0.25];
const whisperNoise = [0.3, 0.5, 0.65, 0.75, 0.8, 0.85];
const tiltFromHz = 1000;
/** Brings the source voice's own level near −19 LUFS. */
const levelGainDb = 0;
/** dB of power → natural log power. */
const logPowerPerDb = Math.LN10 / 10;

/** Creates a voice from parameters; deterministic. */
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
    residual: null,
  };
  return { engine: engineId, version: engineVersion, parameters: voice };
}
