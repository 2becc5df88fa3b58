import { sql } from "kysely";
import type { MonoSound } from "../../speech/index";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { Keyring } from "../sealing";
import type { SpeechParts } from "./ports";

/** The voices that operators have blocked, by their voiceprints: they hold for every account. */
export type BlockedVoices = ReturnType<typeof createBlockedVoices>;

interface SealedVoiceprint {
  model: string | null;
  voiceprint_sealed: Buffer | null;
}

interface BlockedVoicesParts {
  db: Db;
  keyring: Keyring;
  speech: Pick<SpeechParts, "voiceprints">;
}

export function createBlockedVoices({ db, keyring, speech: { voiceprints } }: BlockedVoicesParts) {
  const open = (id: string, sealed: Buffer): number[] => {
    const text = keyring.open(sealed, id);
    if (text !== null) return JSON.parse(text) as number[];
    const todo = "restore the DATA_KEY or PROFILE_KEY that it was sealed with";
    throw new AppError("failure", `the voiceprint of takedown ${id} needs a key that is not configured: ${todo}`);
  };

  return {
    /** Throws voice-blocked for a recording of a blocked voice, and counts the refusal. */
    async requireAllowed(sound: MonoSound, signal?: AbortSignal) {
      const blocking = await db
        .selectFrom("voice_takedown")
        .select(["id", "voiceprint_sealed"])
        .where("model", "=", voiceprints.model)
        .where("voiceprint_sealed", "is not", null)
        .execute();
      // Voices are not measured while none is blocked.
      if (blocking.length === 0) return;
      const voice = await voiceprints.describe(sound, signal);
      if (!voice) return;
      const match = blocking.find(
        ({ id, voiceprint_sealed }) => voiceprint_sealed && voiceprints.isSameVoice(open(id, voiceprint_sealed), voice),
      );
      if (!match) return;
      const refused = { refusals: sql<number>`refusals + 1` };
      await db.updateTable("voice_takedown").set(refused).where("id", "=", match.id).execute();
      throw new AppError("voice-blocked", `recording refused: its voice was taken down (${match.id})`);
    },
    /** The columns that block a voice; none for a recording with less than two seconds of speech. */
    async sealVoiceprint(takedownId: string, sound: MonoSound, signal?: AbortSignal): Promise<SealedVoiceprint> {
      const voice = await voiceprints.describe(sound, signal);
      if (!voice) return { model: null, voiceprint_sealed: null };
      return { model: voiceprints.model, voiceprint_sealed: keyring.seal(JSON.stringify(voice), takedownId) };
    },
  };
}
