import { SpeechError, type VoiceProfile } from "../../../engine";

export const engineId = "embedded";
/** Raise it whenever the same voice and text would sound different. */
export const engineVersion = "2";

/** Mel-cepstral statistics to bring a frame from where conversion left it to where the person's speech lies. */
export interface MomentShift {
  mean: number[];
  gain: number[];
  shift: number[];
}

/** Aligned frames of the person's own speech, packed: base64 of 16-bit numbers in steps of 1/512. */
export interface ExemplarTable {
  count: number;
  /** Phones, one a frame, separated by spaces; an upper bar marks unvoiced frames. */
  phones: string;
  cepstra: string;
  offsets: string;
}

/** What `parameters` of an embedded voice profile hold. Curves have a value a mel band, in natural log power. */
export interface EmbeddedVoice {
  pitch: { medianSt: number; spreadSt: number; highSt: number };
  /** Vocal-tract ratio against the source voice. */
  tract: number;
  /** Noise share by band. */
  noise: number[];
  /** Pace against the engine's normal one. */
  rate: number;
  /** How far syllables' levels lie apart, against the source voice's; heard where another voice takes its tone from this. */
  dynamics?: number;
  gainDb: number;
  voiced: number[];
  unvoiced: number[];
  moments: { voiced: MomentShift; unvoiced: MomentShift | null } | null;
  trim: number[] | null;
  exemplars: ExemplarTable | null;
}

/** The source voice's own pitch at the normal pace; measured on the calibration text. */
export const sourcePitch = { medianSt: 77.7, spreadSt: 2.3 };

/** Throws SpeechError 'voice' when the profile is not one of this engine's. */
export function requireEmbeddedVoice(profile: VoiceProfile): EmbeddedVoice {
  const voice = profile.parameters as EmbeddedVoice | null;
  const isOurs = profile.engine === engineId && profile.version === engineVersion;
  if (!isOurs || !voice || !Number.isFinite(voice.pitch?.medianSt) || !Array.isArray(voice.voiced)) {
    throw new SpeechError(
      "voice",
      `A voice of ${profile.engine} ${profile.version} is not one of ${engineId} ${engineVersion}`,
    );
  }
  return voice;
}
