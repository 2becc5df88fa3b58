import type { EmbeddedVoice } from "./voice";

/**
 * A voice that speaks in another's tone: as lively, as quick and as forceful as that one, while its sound and the height it
 * speaks at stay its own.
 */
export function inToneOf(voice: EmbeddedVoice, tone: EmbeddedVoice | undefined): EmbeddedVoice {
  if (!tone) return voice;
  const { medianSt } = voice.pitch;
  const { spreadSt, highSt } = tone.pitch;
  return {
    ...voice,
    pitch: { medianSt, spreadSt, highSt: medianSt + highSt - tone.pitch.medianSt },
    rate: tone.rate,
  };
}
