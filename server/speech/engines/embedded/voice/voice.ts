import { SpeechError, type VoiceProfile } from "../../../engine";

export const engineId = "embedded";
/** Must change when the same voice and text would produce different audio. */
export const engineVersion = "10";

/** How the spectra of voiced or unvoiced frames are converted. */
export interface SpectralShape {
  /** Mean natural log power by mel band, of the warped source and of the voice. */
  source: number[];
  voice: number[];
  /** Scale of the distance from the mean, by cepstral coefficient. */
  spread: number[];
}

/** `parameters` of an embedded voice profile. */
export interface EmbeddedVoice {
  pitch: { medianSt: number; spreadSt: number; highSt: number };
  /** Vocal-tract ratio relative to the source voice. */
  tract: number;
  /** 0 (clear) to 1. */
  breath: number;
  /** Relative pace. */
  rate: number;
  voiced: SpectralShape;
  unvoiced: SpectralShape;
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
  if (!isOurs || !voice || !Number.isFinite(voice.pitch?.medianSt) || !Array.isArray(voice.voiced?.voice)) {
    throw new SpeechError(
      "voice",
      `The voice belongs to ${profile.engine} ${profile.version}, not to ${engineId} ${engineVersion}`,
    );
  }
  return voice;
}
