import { melBands } from "../../dsp/mel";
import { SpeechError, type SpeechRequest, type VoiceDesign, type VoiceProfile } from "../../engine";
import { mixEmotions, paceOfRepetition } from "../delivery";

export const kokoroId = "kokoro";
/** Raise it when the same request would sound different. */
export const kokoroVersion = "2";

/** A person for this engine; JSON-serialisable. */
export interface KokoroVoice {
  /** Weight by style name; together 1. */
  styles: Readonly<Record<string, number>>;
  /** Median pitch of the mix as the model speaks it, Hz. */
  mixHz: number;
  /** Median pitch of the person, Hz. */
  pitchHz: number;
  /** Exponent of the pitch contour: 1 as the model speaks it, above 1 livelier. */
  range: number;
  /** Above 1 is faster. */
  tempo: number;
  /** dB by mel band, added to the model's spectrum; absent for designed people. */
  filterDb?: number[];
}

/** What the model needs beside tokens. */
export interface ModelProsody {
  speed: number;
  /** The model's pitch F becomes `scale · F^range`. */
  scale: number;
  range: number;
  gainDb: number;
}

const speedLimits = [0.5, 2] as const;
const rangeLimits = [0.4, 1.8] as const;
const clamp = (value: number, [least, most]: readonly [number, number]) => Math.min(most, Math.max(least, value));

/** Throws SpeechError 'voice' for profiles of other engines or versions. */
export function requireKokoroVoice(profile: VoiceProfile): KokoroVoice {
  const voice = profile.parameters as KokoroVoice | null;
  const isOurs = profile.engine === kokoroId && profile.version === kokoroVersion;
  const isFiltered = voice?.filterDb === undefined || voice.filterDb.length === melBands;
  if (!isOurs || !voice?.styles || !(voice.pitchHz > 0) || !(voice.mixHz > 0) || !isFiltered) {
    throw new SpeechError(
      "voice",
      `The voice belongs to ${profile.engine} ${profile.version}, not to ${kokoroId} ${kokoroVersion}`,
    );
  }
  return voice;
}

/**
 * Pitch, range, tempo and level of a request. `tone` supplies range and tempo of another recording; moods change all
 * four in small steps. Pitch moves inside the model: deviations from the person's median are raised to `range`.
 */
export function toProsody(request: SpeechRequest): ModelProsody {
  const voice = requireKokoroVoice(request.voice);
  const manner = request.tone ? requireKokoroVoice(request.tone) : voice;
  const mood = mixEmotions(request.emotion);
  // A livelier delivery is a faster one with more range.
  const again = paceOfRepetition(request.repetition);
  const range = clamp(manner.range * mood.range * again ** 2, rangeLimits);
  const targetHz = voice.pitchHz * 2 ** ((mood.raiseSt + (request.pitch ?? 0)) / 12);
  return {
    speed: clamp(request.speed * manner.tempo * mood.pace * again, speedLimits),
    scale: targetHz / voice.mixHz ** range,
    range,
    gainDb: mood.gainDb + (request.volume ?? 0),
  };
}

/** Median pitch of the Chinese styles, Hz, as the model speaks them. */
const chineseStylesHz: Readonly<Record<string, number>> = {
  ...{ zf_xiaobei: 236, zf_xiaoni: 230, zf_xiaoxiao: 227, zf_xiaoyi: 294 },
  ...{ zm_yunjian: 117, zm_yunxi: 144, zm_yunxia: 261, zm_yunyang: 102 },
};

/** The voice of a drawn person: its own mix where it has one, otherwise the Chinese style of the nearest pitch. */
export function designKokoroVoice({ mix, pitchHz, rate }: VoiceDesign): VoiceProfile {
  const [style, styleHz] = nearestStyle(pitchHz);
  const parameters: KokoroVoice = mix
    ? {
        styles: mix.styles,
        mixHz: mix.medianHz,
        pitchHz: mix.medianHz * 2 ** (mix.shiftSt / 12),
        range: 1,
        tempo: mix.tempo,
      }
    : { styles: { [style]: 1 }, mixHz: styleHz, pitchHz, range: 1, tempo: rate };
  return { engine: kokoroId, version: kokoroVersion, parameters };
}

function nearestStyle(pitchHz: number): [string, number] {
  const distance = (hz: number) => Math.abs(Math.log2(hz / pitchHz));
  return Object.entries(chineseStylesHz).sort(([, a], [, b]) => distance(a) - distance(b))[0] as [string, number];
}
