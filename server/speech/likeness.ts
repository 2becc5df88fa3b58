import { toFloats } from "./dsp/pcm";
import type { MonoSound } from "./recogniser";
import { cosineSimilarity, type SpeakerVerifier } from "./speaker-verifier";

/** Cosines of voice vectors: 1 is the same voice, near 0 an unrelated one. */
export interface Likeness {
  /** Between the recording and what was spoken with its voice. */
  clone: number;
  /** Between the two halves of the recording: as near as this person comes; null for less than four seconds. */
  self: number | null;
}

export interface LikenessRequest {
  recording: MonoSound;
  spoken: { pcm: Int16Array; sampleRate: number };
  signal: AbortSignal;
}

/** A voice vector needs a second of speech, and pauses take a part of it. */
const leastHalfSeconds = 2;

/** Likeness of a voice to its recording; null if the speaker model fails, because the figure is an extra. */
export async function measureLikeness(
  verifier: SpeakerVerifier,
  { recording, spoken, signal }: LikenessRequest,
): Promise<Likeness | null> {
  const embed = (sound: MonoSound) => verifier.embed(sound, signal);
  const { samples, sampleRate } = recording;
  const middle = Math.floor(samples.length / 2);
  try {
    const whole = await embed(recording);
    const cloned = await embed({ samples: toFloats(spoken.pcm), sampleRate: spoken.sampleRate });
    const clone = toFigure(cosineSimilarity(whole, cloned));
    if (middle < leastHalfSeconds * sampleRate) return { clone, self: null };
    const first = await embed({ samples: samples.slice(0, middle), sampleRate });
    const second = await embed({ samples: samples.slice(middle), sampleRate });
    return { clone, self: toFigure(cosineSimilarity(first, second)) };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

const toFigure = (cosine: number) => Math.round(cosine * 100) / 100;
