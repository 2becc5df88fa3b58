import { createReadStream } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import pLimit from "p-limit";
import { fileIdOf } from "~server/contract/file-address";
import type { RecordingQuality } from "~server/contract/recording/quality";
import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import { AppError } from "../errors";
import type { Owner } from "../owner";
import { shanghaiTime } from "../sql-fragments";
import type { BlockedVoices } from "./blocked-voices";
import { insertConsent, requireConsent, requireStatement } from "./consents";
import type { Files, Inspection } from "./ports";
import { denoiseUpload, inspectUpload, type RecordingReading, type Upload } from "./reading-uploads";
import { referenceRefused } from "./reference-refusal";
import type { SegmentCache } from "./segments";

export type Recording = ReturnType<typeof toRecording>;

/** Agreement to a statement, from a network address. */
type Agreement = Record<"voicePath" | "statementId" | "address", string>;

export type Recordings = ReturnType<typeof createRecordings>;

interface RecordingParts extends RecordingReading {
  db: Db;
  once: Once;
  files: Files;
  segments: Pick<SegmentCache, "forgetVoices">;
  blockedVoices: Pick<BlockedVoices, "requireAllowed">;
}

/** Limits the recordings in memory. */
const concurrentInspections = 2;

/** Reference recordings of visitors and accounts. */
export function createRecordings(parts: RecordingParts) {
  const { db, once, files, segments } = parts;
  const limit = pLimit(concurrentInspections);

  const findId = async (owner: Owner, voicePath: string, trx: Db = db): Promise<string | null> => {
    const fileId = fileIdOf(voicePath);
    if (!fileId) return null;
    const named = trx.selectFrom("recording").select("id").where("file_id", "=", fileId).where("url", "=", voicePath);
    const own = named.where("owner", "=", owner).where("erase_asked", "=", false);
    return (await own.executeTakeFirst())?.id ?? null;
  };

  const add = async (owner: Owner, given: Upload, key?: string): Promise<Recording> => {
    const { quality, format, kept: upload } = await limit(() => inspectAllowed(parts, given));
    const body = createReadStream(upload.path);
    const file = await files.keep({ owner, kind: "recording", format, body, size: upload.size });
    // Not what a recording names: the answer to a commit may have been lost.
    const discard = async () => (await findId(owner, file.url)) ?? files.remove(file.id);
    const { name, size } = given;
    const result = await once({ owner, call: "recording", key, request: { name, size } }, async (trx) => {
      const createdAt = await insert(trx, { owner, upload, file, quality });
      return toRecording({ file, upload, quality, createdAt, format });
    }).catch(async (error) => {
      await discard().catch(() => {});
      throw error;
    });
    if (!result.first) await discard().catch(() => {});
    return result.answer;
  };

  return {
    /** The owner's recording with exactly this address; null for another owner's too. */
    findId,
    /** Stores a recording that a voice can be learned from. Throws a `reference-…` AppError for any other. */
    add,
    /**
     * Stores a recording without its noise, and the original beside it where that can be used by itself: `originalPath` is
     * "" otherwise.
     */
    async addDenoised(owner: Owner, given: Upload, key?: string): Promise<Recording & { originalPath: string }> {
      const path = `${given.path}.denoised`;
      try {
        const wav = await limit(() => denoiseUpload(parts, given));
        await writeFile(path, wav);
        const recording = await add(owner, { ...given, path, size: wav.length }, key);
        const original = await add(owner, given, key && `${key}:original`).catch((error: unknown) => {
          if (error instanceof AppError && error.code.startsWith("reference-")) return null;
          throw error;
        });
        return { ...recording, originalPath: original?.voicePath ?? "" };
      } finally {
        await rm(path, { force: true });
      }
    },
    /** Records agreement for the owner's recording; throws consent-missing and voice-missing. */
    async agree(owner: Owner, { voicePath, statementId, address }: Agreement) {
      const statement = requireStatement(statementId);
      const id = await findId(owner, voicePath);
      if (!id) throw new AppError("voice-missing", "not a recording of the owner");
      await insertConsent(db, id, { ...statement, address });
    },
    /** Throws consent-missing for a recording from which no voice may be learned. */
    requireConsent: (id: string): Promise<void> => requireConsent(db, id),
    /** For the owner's export. */
    listOf: (owner: Owner): Promise<object[]> =>
      db
        .selectFrom("recording")
        .select(["name", "url", "duration_ms as durationMs", "quality", "created_at as createdAt"])
        .where("owner", "=", owner)
        .orderBy("created_at")
        .execute(),
    async handOver(trx: Db, from: Owner, to: Owner) {
      await trx.updateTable("recording").set({ owner: to }).where("owner", "=", from).execute();
    },
    /** Deletes all of an owner's recordings with their voices and segments; files stay. */
    async forget(trx: Db, owner: Owner) {
      // In one order everywhere, to prevent deadlocks.
      await trx.selectFrom("recording").select("id").where("owner", "=", owner).orderBy("id").forUpdate().execute();
      const gone = await trx.deleteFrom("recording").where("owner", "=", owner).returning("voice_hash").execute();
      await segments.forgetVoices(
        trx,
        gone.map(({ voice_hash }) => voice_hash),
      );
    },
  };
}

/** The inspection, and the file to keep: the upload itself, or what it was decoded to in its place. */
async function inspectAllowed(parts: RecordingParts, upload: Upload): Promise<Inspection & { kept: Upload }> {
  const { kept, ...inspection } = await inspectUpload(parts, upload);
  if (inspection.quality.verdict === "refused") {
    throw referenceRefused(inspection.quality.tips[0] ?? "no-speech", inspection.quality);
  }
  await parts.blockedVoices.requireAllowed(inspection);
  return { ...inspection, kept };
}

interface NewRecording {
  owner: Owner;
  upload: Upload;
  file: { id: string; url: string };
  quality: RecordingQuality;
}

async function insert(trx: Db, { owner, upload, file, quality }: NewRecording): Promise<string> {
  // What describes a voice is stored sealed alone.
  const { pitchHz: _, ...kept } = quality;
  const row = await trx
    .insertInto("recording")
    .values({
      file_id: file.id,
      url: file.url,
      owner,
      name: upload.name,
      duration_ms: Math.round(quality.durationMs),
      quality: JSON.stringify(kept),
    })
    .returning(shanghaiTime("created_at").as("createdAt"))
    .executeTakeFirstOrThrow();
  return row.createdAt;
}

/** Bytes, seconds, and RFC 3339 with +08:00. */
function toRecording(row: Omit<NewRecording, "owner"> & { createdAt: string; format: string }) {
  const { upload, quality, createdAt, format } = row;
  const { url } = row.file;
  const paths = { emotionPath: url, voicePath: url, filePath: url, url };
  const { name, size } = upload;
  const duration = Math.round(quality.durationMs) / 1000;
  return { ...paths, name, size, mime: `audio/${format}`, duration, createdAt, quality };
}
