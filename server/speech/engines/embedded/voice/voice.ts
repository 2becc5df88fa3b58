import { SpeechError, type VoiceProfile } from "../../../engine";

export const engineId = "embedded";
/** Must change when the same voice and text would produce different audio. */
export const engineVersion = "9";

/** Mel-cepstral mean and covariance correction of converted frames: (cepstrum − mean) × matrix + mean + shift. */
export interface MomentShift {
  mean: number[];
  matrix: number[][];
  shift: number[];
}

/** Mean log power by mel band, and the share of a frame's distance from its shape that stays. */
export interface Contrast {
  mean: number[];
  share: number;
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
  gainDb: number;
  voiced: number[];
  unvoiced: number[];
  moments: { voiced: MomentShift; unvoiced: MomentShift | null } | null;
  trim: number[] | null;
  /** Brings the spectra of a designed voice nearer to their mean; absent in cloned ones, which have `moments`. */
  contrast?: { voiced: Contrast; unvoiced: Contrast };
  /** Residual that `moments` leave. */
  residual: EmbeddedVoice["moments"];
}

/** Pitch of the source voice, measured on the calibration text. */
export const sourcePitch = { medianSt: 77.7, spreadSt: 2.3 };

/**
 * Share of the source's pitch below its median in running speech. Its third tone lies 5.1 st below the median and its
 * neutral tone 5.3; people's lie 1.2 and 2.0 below.
 */
export const runningDepth = 0.7;

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
