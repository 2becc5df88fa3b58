import { createHash } from "node:crypto";
import type { SpeechEngine, SpeechRequest, VoiceProfile } from "../speech/engine";

/** Everything that decides how a segment sounds. */
export function fingerprintOf(engine: SpeechEngine, request: SpeechRequest): string {
  const { text, voice, speed, pitch = 0, emotion = {}, tone, style = "" } = request;
  const felt = Object.entries(emotion).filter(([, weight]) => weight);
  return hashOf([engine.id, engine.version, text.units, voice, speed, pitch, felt.sort(), tone ?? null, style]);
}

/** The same for two recordings an engine learned the same from. */
export const hashOfVoice = (voice: VoiceProfile): string => hashOf(voice);

const hashOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value, inOrder)).digest("hex");

/** Voices come back from the database with their parts in another order. */
const inOrder = (_: string, value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
