import { createHash } from "node:crypto";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { SpeechEngine, VoiceDesign, VoiceProfile } from "../speech/engine";
import type { Files, SpeechParts } from "./ports";
import { referenceRefused, speechFaultOf } from "./reference-refusal";

export interface Profiles {
  /**
   * What the engine learned from a recording; learned once per engine version and transcript. Throws AppError
   * `voice-missing` or `reference-…`, and SpeechError for what another attempt may mend.
   */
  ofRecording(id: string, options: { transcript?: string | undefined; signal: AbortSignal }): Promise<VoiceProfile>;
  ofRole(id: string): Promise<VoiceProfile>;
}

interface ProfileParts {
  db: Db;
  files: Files;
  speech: Pick<SpeechParts, "engine" | "inspect" | "prepareText">;
}

interface Reference {
  fileId: string;
  transcript: string | undefined;
  signal: AbortSignal;
}

const missing = () => new AppError("voice-missing", "the voice is gone");

/** Voices as the engine speaks them. */
export function createProfiles({ db, files, speech }: ProfileParts): Profiles {
  const learn = async (engine: SpeechEngine, { fileId, transcript, signal }: Reference) => {
    const prepared = transcript ? { transcript: speech.prepareText(transcript) } : {};
    try {
      const { samples, sampleRate } = await speech.inspect(await files.read(fileId), signal);
      return await engine.enroll({ samples, sampleRate }, { ...prepared, signal });
    } catch (error) {
      if (speechFaultOf(error) === "reference") throw referenceRefused((error as Error).message, undefined, error);
      throw error;
    }
  };

  return {
    async ofRecording(id, { transcript, signal }) {
      const recording = await db.selectFrom("recording").selectAll().where("id", "=", id).executeTakeFirst();
      if (!recording) throw missing();
      const engine = await speech.engine();
      const key = keyOf(engine, transcript);
      if (recording.profile_key === key) return recording.profile as VoiceProfile;
      const profile = await learn(engine, { fileId: recording.file_id, transcript, signal });
      await db
        .updateTable("recording")
        .set({ profile: JSON.stringify(profile), profile_key: key })
        .where("id", "=", id)
        .execute();
      return profile;
    },
    async ofRole(id) {
      const role = await db.selectFrom("role").select("design").where("id", "=", id).executeTakeFirst();
      const engine = await speech.engine();
      if (!role?.design || !engine.design) throw missing();
      return engine.design(role.design as VoiceDesign);
    },
  };
}

function keyOf(engine: SpeechEngine, transcript = ""): string {
  return `${engine.id}@${engine.version}:${createHash("sha256").update(transcript).digest("base64url")}`;
}
