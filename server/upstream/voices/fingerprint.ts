import { createHash } from "node:crypto";
import type { SpeechEngine, SpeechRequest, VoiceProfile } from "../speech/engine";
import { stableJson } from "../stable-json";

/** Hash of everything that decides how a segment sounds. */
export function fingerprintOf(engine: SpeechEngine, request: SpeechRequest): string {
  const { text, voice, speed, pitch = 0, emotion = {}, tone, style = "", repetition } = request;
  const weights = Object.entries(emotion).filter(([, weight]) => weight);
  const again = repetition ? [repetition] : [];
  const parts = [engine.id, engine.version, text.units, voice, speed, pitch, weights.sort(), tone ?? null, style];
  return hashOf([...parts, ...again]);
}

/** Equal for two recordings from which an engine learned the same voice. */
export const hashOfVoice = (voice: VoiceProfile): string => hashOf(voice);

const hashOf = (value: unknown) => createHash("sha256").update(stableJson(value)).digest("hex");
