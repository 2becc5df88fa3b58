import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import type { DubTables } from "../../db/tables/dubs";
import { AppError } from "../../errors";
import { stableJson } from "../../stable-json";
import type { DictionaryEntry, Mastered, SpeechParts, Voice } from "../../voices/ports";
import type { Profiles } from "../../voices/profiles";
import type { Speak } from "../../voices/speaker";

export type LineRow = Selectable<DubTables["dub_line"]>;

/** A line that can be spoken at any speed. */
export interface LineVoice {
  /** Hash of everything that decides the sound except the speed. */
  key: string;
  speak(speed: number, onProgress: (done: number) => Promise<void>): Promise<Mastered>;
}

export interface VoiceParts {
  profiles: Profiles;
  speech: Pick<SpeechParts, "engine" | "prepareText">;
  speak: Speak;
}

interface LineReading {
  dictionary: readonly DictionaryEntry[];
  signal: AbortSignal;
}

/** Looks up each voice once per run. */
export function createLineVoices({ profiles, speech, speak }: VoiceParts, { dictionary, signal }: LineReading) {
  const known = new Map<string, Promise<Voice>>();
  const once = (key: string, find: () => Promise<Voice>) => {
    const found = known.get(key) ?? find();
    known.set(key, found);
    return found;
  };
  const toneOf = ({ genre, tone_id: id }: LineRow) => {
    if (genre !== 1) return undefined;
    if (!id) throw new AppError("voice-missing", "the tone's recording is gone");
    return once(`tone:${id}`, () => profiles.ofRecording(id, { signal }));
  };

  return async (line: LineRow): Promise<LineVoice> => {
    const { content, role_id, genre, pitch, volume, ext } = line;
    const engine = await speech.engine(signal);
    const voice = await once(`role:${role_id}`, () => profiles.ofRole(role_id, { signal }));
    const tone = await toneOf(line);
    const emotion = genre === 2 && ext ? (ext as Record<string, number>) : undefined;
    const manner = {
      ...(pitch !== null && { pitch }),
      ...(volume !== null && { volume }),
      ...(emotion && { emotion }),
    };
    const { units } = await speech.prepareText(content, { dictionary });
    const delivery = { ...manner, ...(tone && { tone: tone.profile }) };
    return {
      key: hashOf([engine.id, engine.version, units, voice.profile, delivery]),
      speak: (speed, onProgress) =>
        speak({ content, voice, speed, dictionary, ...manner, ...(tone && { tone }) }, { signal, onProgress }),
    };
  };
}

const hashOf = (value: unknown) => createHash("sha256").update(stableJson(value)).digest("base64url");
