import { createHash } from "node:crypto";
import type { ReserveVoice, SpeechEngine, VoiceDesign, VoiceProfile } from "../../speech/engine";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { Owner } from "../owner";
import type { Keyring } from "../sealing";
import type { BlockedVoices } from "./blocked-voices";
import { allowsVendors } from "./consents";
import type { Files, SpeechParts, Voice } from "./ports";
import { referenceRefused, speechFaultOf } from "./reference-refusal";
import { hashOfVoice, type SegmentCache } from "./segments";
import type { VendorVoices } from "./vendor-voices";

export type Profiles = ReturnType<typeof createProfiles>;

interface ProfileParts {
  db: Db;
  files: Files;
  keyring: Keyring;
  segments: Pick<SegmentCache, "forgetVoices">;
  speech: Pick<SpeechParts, "engine" | "inspect" | "prepareText">;
  vendorVoices: Pick<VendorVoices, "reserve" | "keepOnly" | "giveUp">;
  blockedVoices: Pick<BlockedVoices, "requireAllowed">;
}

interface Learning {
  transcript?: string | undefined;
  signal: AbortSignal;
}

const missing = () => new AppError("voice-missing", "the voice is gone");

/** The voices of recordings and roles, as the engine uses them. Profiles are biometric data and stored sealed. */
export function createProfiles({ db, files, keyring, segments, speech, vendorVoices, blockedVoices }: ProfileParts) {
  const open = (id: string, sealed: Buffer) => openProfile(keyring, id, sealed);
  const enrol = createEnroller({ db, files, speech, vendorVoices, blockedVoices });

  /**
   * The voice of a recording, enrolled once per engine version and transcript; without a transcript any earlier enrolment
   * is used. Throws AppError `voice-missing` or `reference-…`, and SpeechError for errors worth another attempt.
   */
  const ofRecording = async (id: string, options: Learning): Promise<Voice> => {
    const { voice, isFeeAccepted } = await openOrLearn(id, options);
    const learnAgain = async (signal: AbortSignal) => {
      // Another task may have learned it already.
      const lost = db
        .updateTable("recording")
        .where("id", "=", id)
        .where("voice_hash", "=", hashOfVoice(voice.profile));
      await lost.set({ profile_key: null }).execute();
      return ofRecording(id, { ...options, signal });
    };
    return { ...voice, isFeeAccepted, learnAgain };
  };

  const openOrLearn = async (id: string, { transcript, signal }: Learning) => {
    const recording = await db.selectFrom("recording").selectAll().where("id", "=", id).executeTakeFirst();
    if (!recording) throw missing();
    const engine = await speech.engine(signal);
    const { profile_sealed: sealed, profile_key, fee_accepted_at } = recording;
    const isFeeAccepted = fee_accepted_at !== null;
    if (sealed && isCurrent(profile_key, engine, transcript)) {
      const profile = open(id, sealed);
      if (keyring.keyOf(sealed) !== "newest") await reseal(id, sealed, profile);
      return { voice: { profile, recordingId: id }, isFeeAccepted };
    }
    const profile = await enrol(engine, { recordingId: id, fileId: recording.file_id, transcript, signal });
    const key = profile.isPartial ? null : keyOf(engine, transcript);
    await db.transaction().execute(async (trx) => {
      const locked = await trx.selectFrom("recording").select("voice_hash").where("id", "=", id).forUpdate().execute();
      // Deleted during the enrolment.
      if (!locked[0]) throw missing();
      const voice_hash = hashOfVoice(profile);
      const text = JSON.stringify(profile);
      const change = { profile_sealed: keyring.seal(text, id), voice_hash, profile_key: key };
      await trx.updateTable("recording").set(change).where("id", "=", id).execute();
      await vendorVoices.keepOnly(trx, id, text);
      // The segments of the former voice can no longer be found by the recording.
      if (locked[0].voice_hash !== voice_hash) await segments.forgetVoices(trx, [locked[0].voice_hash]);
    });
    return { voice: { profile, recordingId: id }, isFeeAccepted };
  };

  const reseal = (id: string, before: Buffer, profile: VoiceProfile) =>
    db
      .updateTable("recording")
      .set({ profile_sealed: keyring.seal(JSON.stringify(profile), id) })
      .where("id", "=", id)
      .where("profile_sealed", "=", before)
      .execute();

  return {
    ofRecording,
    /** The voice of the role's recording, or its designed voice; throws the same. */
    async ofRole(id: string, { signal = new AbortController().signal } = {}): Promise<Voice> {
      const columns = ["design", "recording_id", "transcript"] as const;
      const role = await db.selectFrom("role").select(columns).where("id", "=", id).executeTakeFirst();
      if (role?.recording_id)
        return ofRecording(role.recording_id, { transcript: role.transcript ?? undefined, signal });
      const engine = await speech.engine(signal);
      if (!role?.design || !engine.design) throw missing();
      return { profile: engine.design(role.design as VoiceDesign), recordingId: null };
    },
    /** The profiles of an owner's recordings, for the export; `open` throws where the voice is gone. */
    async listOf(owner: Owner) {
      const learned = db.selectFrom("recording").where("owner", "=", owner).where("profile_sealed", "is not", null);
      const rows = await learned.select(["id", "file_id as fileId"]).orderBy("created_at").execute();
      return rows.map(({ id, fileId }) => ({
        fileId,
        async open() {
          const row = await db.selectFrom("recording").select("profile_sealed").where("id", "=", id).executeTakeFirst();
          if (!row?.profile_sealed) throw missing();
          return open(id, row.profile_sealed);
        },
      }));
    },
  };
}

type EnrolParts = Pick<ProfileParts, "db" | "files" | "speech" | "vendorVoices" | "blockedVoices">;

/** Learns a recording's voice with all engines, and with vendors where its owner agreed to that. */
function createEnroller({ db, files, speech, vendorVoices, blockedVoices }: EnrolParts) {
  return async (
    engine: SpeechEngine,
    { recordingId, fileId, transcript, signal }: Learning & Record<"recordingId" | "fileId", string>,
  ) => {
    const prepared = transcript ? { transcript: await speech.prepareText(transcript) } : {};
    const names: string[] = [];
    const reserve: ReserveVoice = async (engineId) => {
      const name = await vendorVoices.reserve(recordingId, engineId);
      names.push(name);
      return name;
    };
    const vendors = (await allowsVendors(db, recordingId)) ? { reserveVoice: reserve } : {};
    try {
      const { samples, sampleRate } = await speech.inspect(await files.read(fileId), signal);
      // The recording may be older than the block.
      await blockedVoices.requireAllowed({ samples, sampleRate }, signal);
      return await engine.enroll({ samples, sampleRate }, { ...prepared, ...vendors, signal });
    } catch (error) {
      await vendorVoices.giveUp(names);
      if (error instanceof AppError && error.code === "not-found") throw missing();
      if (isRefusedToVendors(error))
        throw new AppError("consent-missing", "only vendors are configured", { cause: error });
      if (speechFaultOf(error) === "reference") throw referenceRefused((error as Error).message, undefined, error);
      throw error;
    }
  };
}

/** The remote engine's error if every configured engine is a vendor's and the recording may not go there. */
const isRefusedToVendors = (error: unknown) =>
  speechFaultOf(error) === "reference" && (error as Error).message === "no-vendor-consent";

const prefixOf = (engine: SpeechEngine) => `${engine.id}@${engine.version}:`;

function keyOf(engine: SpeechEngine, transcript = ""): string {
  return prefixOf(engine) + createHash("sha256").update(transcript).digest("base64url");
}

const isCurrent = (key: string | null, engine: SpeechEngine, transcript: string | undefined) =>
  transcript ? key === keyOf(engine, transcript) : key?.startsWith(prefixOf(engine)) === true;

function openProfile(keyring: Keyring, id: string, sealed: Buffer): VoiceProfile {
  const text = keyring.open(sealed, id);
  if (text !== null) return JSON.parse(text) as VoiceProfile;
  const keyId = sealed.toString("hex", 0, 4);
  const todo = "restore the DATA_KEY or PROFILE_KEY that it was sealed with";
  throw new AppError("failure", `the profile of recording ${id} needs key ${keyId}, which is not configured: ${todo}`);
}
