import { createHash } from "node:crypto";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { SpeechEngine, VoiceDesign, VoiceProfile } from "../speech/engine";
import { hashOfVoice } from "./fingerprint";
import type { Files, SpeechParts, Voice } from "./ports";
import { referenceRefused, speechFaultOf } from "./reference-refusal";
import type { SegmentCache } from "./segments";

export interface Profiles {
  /**
   * The voice of a recording, enrolled once per engine version and transcript; without a transcript any earlier enrolment
   * is used. Throws AppError `voice-missing` or `reference-…`, and SpeechError for errors worth another attempt.
   */
  ofRecording(id: string, options: { transcript?: string | undefined; signal: AbortSignal }): Promise<Voice>;
  /** The voice of the role's recording, or its designed voice; throws the same. */
  ofRole(id: string, options?: { signal?: AbortSignal }): Promise<Voice>;
}

interface ProfileParts {
  db: Db;
  files: Files;
  segments: Pick<SegmentCache, "forgetVoices">;
  speech: Pick<SpeechParts, "engine" | "inspect" | "prepareText">;
}

interface Reference {
  fileId: string;
  transcript: string | undefined;
  signal: AbortSignal;
}

const missing = () => new AppError("voice-missing", "the voice is gone");

/** The voices of recordings and roles, as the engine uses them. */
export function createProfiles({ db, files, segments, speech }: ProfileParts): Profiles {
  const enrol = async (engine: SpeechEngine, { fileId, transcript, signal }: Reference) => {
    const prepared = transcript ? { transcript: await speech.prepareText(transcript) } : {};
    try {
      const { samples, sampleRate } = await speech.inspect(await files.read(fileId), signal);
      return await engine.enroll({ samples, sampleRate }, { ...prepared, signal });
    } catch (error) {
      if (speechFaultOf(error) === "reference") throw referenceRefused((error as Error).message, undefined, error);
      throw error;
    }
  };

  const ofRecording: Profiles["ofRecording"] = async (id, { transcript, signal }) => {
    const recording = await db.selectFrom("recording").selectAll().where("id", "=", id).executeTakeFirst();
    if (!recording) throw missing();
    const engine = await speech.engine();
    const known = recording.profile as VoiceProfile | null;
    if (known && isCurrent(recording.profile_key, engine, transcript)) return { profile: known, recordingId: id };
    const profile = await enrol(engine, { fileId: recording.file_id, transcript, signal });
    await db.transaction().execute(async (trx) => {
      const locked = await trx.selectFrom("recording").select("profile").where("id", "=", id).forUpdate().execute();
      // Deleted during the enrolment.
      if (!locked[0]) throw missing();
      const change = { profile: JSON.stringify(profile), profile_key: keyOf(engine, transcript) };
      await trx.updateTable("recording").set(change).where("id", "=", id).execute();
      const before = locked[0].profile as VoiceProfile | null;
      // The segments of the former voice can no longer be found by the recording.
      if (before && hashOfVoice(before) !== hashOfVoice(profile)) await segments.forgetVoices(trx, [before]);
    });
    return { profile, recordingId: id };
  };

  return {
    ofRecording,
    async ofRole(id, { signal = new AbortController().signal } = {}) {
      const columns = ["design", "recording_id", "transcript"] as const;
      const role = await db.selectFrom("role").select(columns).where("id", "=", id).executeTakeFirst();
      if (role?.recording_id)
        return ofRecording(role.recording_id, { transcript: role.transcript ?? undefined, signal });
      const engine = await speech.engine();
      if (!role?.design || !engine.design) throw missing();
      return { profile: engine.design(role.design as VoiceDesign), recordingId: null };
    },
  };
}

const prefixOf = (engine: SpeechEngine) => `${engine.id}@${engine.version}:`;

function keyOf(engine: SpeechEngine, transcript = ""): string {
  return prefixOf(engine) + createHash("sha256").update(transcript).digest("base64url");
}

const isCurrent = (key: string | null, engine: SpeechEngine, transcript: string | undefined) =>
  transcript ? key === keyOf(engine, transcript) : key?.startsWith(prefixOf(engine)) === true;
