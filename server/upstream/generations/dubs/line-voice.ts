import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import { type DubLineTable } from "../../db/tables/generations";
import { AppError } from "../../errors";
import type { DictionaryEntry, Mastered, Voice } from "../../voices/ports";
import type { DubParts } from "./parts";

export type LineRow = Selectable<DubLineTable>;

/** A line ready to be spoken at any speed. */
export interface LineVoice {
  /** Everything that decides how it sounds but its speed. */
  key: string;
  speak(speed: number, onProgress: (done: number) => Promise<void>): Promise<Mastered>;
}

interface Reading {
  dictionary: readonly DictionaryEntry[];
  signal: AbortSignal;
}

/** Voices are looked up once a run, however many lines they speak. */
export function createLineVoices({ profiles, speech, speak }: DubParts, { dictionary, signal }: Reading) {
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
    const engine = await speech.engine();
    const voice = await once(`role:${role_id}`, () => profiles.ofRole(role_id, { signal }));
    const tone = await toneOf(line);
    const emotion = genre === 2 && ext ? (ext as Record<string, number>) : undefined;
    const manner = {
      ...(pitch !== null && { pitch }),
      ...(volume !== null && { volume }),
      ...(emotion && { emotion }),
    };
    const { units } = await speech.prepareText(content, { dictionary });
    return {
      key: hashOf([
        engine.id,
        engine.version,
        units,
        voice.profile,
        { ...manner, ...(tone && { tone: tone.profile }) },
      ]),
      speak: (speed, onProgress) =>
        speak(
          { content, voice, speed, dictionary, ...manner, ...(tone && { tone }) },
          { signal, onProgress: (done) => onProgress(done) },
        ),
    };
  };
}

/** The same in whatever order the database gives the fields back. */
function hashOf(value: unknown): string {
  const sorted = (_: string, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return createHash("sha256").update(JSON.stringify(value, sorted)).digest("base64url");
}
